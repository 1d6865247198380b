# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""White noise on velocities, as used by the particle filter."""

from __future__ import annotations

import math

import numpy as np
import pytest

from world_model_core.errors import ConfigurationError
from world_model_core.localization.particle_motion_noise import (
    VelocityNoise,
    VelocityNoiseParameters,
)
from world_model_core.uncertainty.random_draws import Draws

NOISE = VelocityNoise(VelocityNoiseParameters())
COUNT = 40_000


def test_variances_are_those_of_the_book():
    """Variances of nu and omega must be nn^2 |nu| / dt + no^2 |omega| / dt, and so on."""
    (spread,) = NOISE.variances([(-0.2, 0.5)], 0.1)
    expected = (
        (0.19**2 * 0.2 + 0.001**2 * 0.5) / 0.1,
        (0.13**2 * 0.2 + 0.2**2 * 0.5) / 0.1,
    )
    assert spread == pytest.approx(expected)


def test_samples_have_the_covariance_that_is_predicted():
    """In a short step, in which f is nearly linear, samples must have the predicted covariance."""
    poses, commands = np.tile((1.0, 2.0, 0.7), (COUNT, 1)), np.tile((0.2, 0.1), (COUNT, 1))
    drawn = NOISE.sample(poses, commands, 0.01, 3, Draws(1))
    mean, covariance = NOISE.predict(poses[:1], commands[:1], 0.01)
    off = drawn - mean[0]
    products = off[:, :, None] * off[:, None, :]
    limit = 5.0 * products.std(axis=0) / math.sqrt(COUNT)
    assert (np.abs(products.mean(axis=0) - covariance[0]) <= limit).all()
    assert np.linalg.matrix_rank(covariance[0]) == 2


@pytest.mark.parametrize('dt', [0.01, 0.1, 1.0])
def test_the_sum_does_not_depend_on_the_length_of_steps(dt):
    """Variances of path and turn after 10 s must be the same in steps of any length."""
    (spread,) = NOISE.variances([(0.2, 0.5)], dt) * dt**2 * (10.0 / dt)
    assert spread == pytest.approx((0.19**2 * 2.0 + 0.001**2 * 5.0, 0.13**2 * 2.0 + 0.2**2 * 5.0))


def test_robots_that_stand_do_not_spread():
    """Without a command there is no noise."""
    assert not NOISE.sample(np.zeros((5, 3)), np.zeros((5, 2)), 0.1, 1, Draws(0)).any()


def test_negative_deviations_are_refused():
    """The message must name the field, the value and the limit."""
    with pytest.raises(ConfigurationError, match=r'VelocityNoiseParameters\.oo is -1\.0; .* 0\.0'):
        VelocityNoiseParameters(oo=-1.0)

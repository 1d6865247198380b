# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Calibration errors of simulated cameras, each drawn from its own random stream."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from world_model_core.simulation.match.camera_biases import (
    CameraBiases,
    draw_biases,
    draw_capture_error,
)
from world_model_core.simulation.match.field import CAMERAS
from world_model_core.simulation.match.parameters import SslMatchParameters
from world_model_core.uncertainty.sensor_bias import PlaceBias

BIAS = PlaceBias(position_std=0.02, position_fraction=0.002)
WRONG = SslMatchParameters(bias=BIAS, camera_position_error=0.05)
COUNT = 2000


@pytest.fixture(scope='module')
def drawn():
    """Draw the errors of one camera for many seeds."""
    return [draw_biases(replace(WRONG, seed=seed), 0) for seed in range(COUNT)]


@pytest.mark.parametrize(
    ('name', 'deviation'), [('bias', 0.02), ('slope', 0.002), ('position', 0.05)]
)
def test_errors_have_the_specified_deviations(drawn, name, deviation):
    """Over the seeds each component has mean zero and the deviation of its parameter."""
    values = np.array([np.ravel(getattr(each, name)) for each in drawn])
    assert values.std(axis=0) == pytest.approx(deviation, rel=5.0 / np.sqrt(2 * COUNT))
    assert values.mean(axis=0) == pytest.approx(0.0, abs=5.0 * deviation / np.sqrt(COUNT))


def test_capture_error_has_the_specified_deviation():
    """Over the seeds t_capture is late as often as early."""
    values = [
        draw_capture_error(SslMatchParameters(seed=seed, capture_delay=0.003))
        for seed in range(COUNT)
    ]
    assert np.std(values) == pytest.approx(0.003, rel=5.0 / np.sqrt(2 * COUNT))
    assert np.mean(values) == pytest.approx(0.0, abs=0.015 / np.sqrt(COUNT))


def test_biases_of_the_cameras_do_not_cancel():
    """The mean over the cameras, which cannot be observed, is not removed."""
    parameters = SslMatchParameters(cameras=8, bias=PlaceBias(position_std=0.02))
    biases = np.array([draw_biases(parameters, index).bias for index in range(8)])
    assert len(np.unique(biases)) == 16
    assert np.abs(biases.mean(axis=0)).max() > 1e-4


@pytest.mark.parametrize(
    ('field', 'off'),
    [
        ('bias', {'bias': replace(BIAS, position_std=0.0)}),
        ('slope', {'bias': replace(BIAS, position_fraction=0.0)}),
        ('position', {'camera_position_error': 0.0}),
    ],
)
def test_one_kind_of_error_does_not_change_the_others(field, off):
    """An error of zero does not change the draws of the others."""
    every, fewer = draw_biases(WRONG, 1), draw_biases(replace(WRONG, **off), 1)
    for each in ('bias', 'slope', 'position'):
        old, new = np.ravel(getattr(every, each)), np.ravel(getattr(fewer, each))
        assert new.tolist() == ([0.0] * len(old) if each == field else old.tolist())


def test_errors_grow_from_below_the_camera_on():
    """Below the camera there is only the bias; a meter away, the slope is added."""
    errors, camera = CameraBiases((0.01, -0.02), ((0.001, 0.002), (0.003, 0.004))), CAMERAS[0]
    x, y, _ = camera.position
    assert errors.displace((x, y), camera) == pytest.approx((x + 0.01, y - 0.02))
    assert errors.displace((x + 1, y), camera) == pytest.approx((x + 1.011, y - 0.017))
    assert errors.displace((x, y + 1), camera) == pytest.approx((x + 0.012, y + 0.984))

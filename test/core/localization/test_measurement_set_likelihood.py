# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Likelihood of measurement sets, and the sensor errors that it estimates."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import chi2

from world_model_core.errors import ConfigurationError
from world_model_core.gaussian import mahalanobis_squared
from world_model_core.localization.measurement_set_likelihood import MeasurementSetLikelihood
from world_model_core.localization.sensor_error_filter import SensorErrorFilter, SensorErrors
from world_model_core.uncertainty.clutter import Clutter
from world_model_core.uncertainty.field_of_view import PlanarFieldOfView
from world_model_core.uncertainty.input_checks import InputError
from world_model_core.uncertainty.missed_detection import MissedDetection
from world_model_core.uncertainty.observation_density import ObservationDensity
from world_model_core.uncertainty.observation_model import Observation
from world_model_core.uncertainty.observation_parameters import LNPR, ErrorOrder
from world_model_core.uncertainty.occlusion import Occlusion
from world_model_core.uncertainty.random_draws import Draws
from world_model_core.uncertainty.sensor_bias import SensorBias
from world_model_core.uncertainty.sensor_drift import SensorDrift
from world_model_core.uncertainty.sensor_noise import RangeBearingNoise

LANDMARKS = np.array(((3.0, 1.0), (2.0, -2.0), (4.0, 0.5)))
# Noise of the true distance, so that all is normal; a view without an edge nearby.
PLAIN = replace(
    LNPR,
    field_of_view=PlanarFieldOfView(near=0.0, far=20.0, half_angle=math.pi),
    missed_detection=MissedDetection(probability=0.0),
    order=ErrorOrder.LECTURE,
)
POSES = np.array([(0.0, 0.0, 0.0), (0.3, -0.2, 0.1), (-0.5, 0.4, -0.1), (1.0, 0.1, 0.05)])
LIST = np.array(((3.3, 0.35), (2.7, -0.75), (4.2, 0.1)))


def weigh(parameters, readings, poses=POSES):
    """Weigh new particles at poses (k, 3) by a set of readings (m, 2)."""
    likelihood = MeasurementSetLikelihood(parameters)
    errors = likelihood.lasting.begin(1, len(poses))
    return likelihood.weigh(readings[None], poses[None], LANDMARKS, errors)


@pytest.mark.parametrize('drift', [SensorDrift(), SensorDrift(range_std=0.2, bearing_std=0.05)])
def test_lists_have_the_exact_joint_law(drift):
    """Without occlusion and clutter it must be the exact density, with the bias integrated out."""
    parameters = replace(PLAIN, drift=drift)
    exact = ObservationDensity(parameters).joint(LIST[None], POSES, LANDMARKS)
    assert weigh(parameters, LIST).log_density[0] == pytest.approx(exact, abs=1e-4)


def test_what_was_not_read_tells_nothing():
    """A missing reading must not change the density of the others, nor the estimated errors."""
    some = LIST.copy()
    some[1] = np.nan
    likelihood = MeasurementSetLikelihood(PLAIN)
    errors = likelihood.lasting.begin(1, 4)
    others = likelihood.weigh(LIST[None, [0, 2]], POSES[None], LANDMARKS[[0, 2]], errors)
    weighed = weigh(PLAIN, some)
    assert np.array_equal(weighed.log_density, others.log_density)
    assert np.array_equal(weighed.errors.means, others.errors.means)
    none = weigh(PLAIN, np.full((3, 2), np.nan))
    assert not none.log_density.any()
    assert np.array_equal(none.errors.covariances, errors.covariances)


@pytest.mark.parametrize('order', ErrorOrder)
@pytest.mark.parametrize('ranges', [2.0, 3.3, 4.5, 6.0])
def test_hidden_landmarks_have_nearly_the_exact_law(order, ranges):
    """Without a bias the density must be exact to a few percent."""
    parameters = replace(
        PLAIN,
        noise=RangeBearingNoise(range_fraction=0.03),
        bias=SensorBias(range_fraction=0.0, bearing_std=0.0),
        occlusion=Occlusion(probability=0.5),
        order=order,
    )
    readings = np.array(((ranges, 0.3), (np.nan, np.nan), (np.nan, np.nan)))
    exact = ObservationDensity(parameters).given_bias(readings[None], POSES, LANDMARKS)[:, 0]
    log = weigh(parameters, readings).log_density[0]
    likely = exact > exact.max() - 10.0
    assert log[likely] == pytest.approx(exact[likely], abs=0.1)


def test_densities_integrate_to_one():
    """The density of one landmark must integrate to 1, with and without occlusion."""
    parameters = replace(PLAIN, occlusion=Occlusion(probability=0.4))
    ranges, bearings = np.linspace(0.01, 26.0, 1200), np.linspace(-1.5, 2.0, 400)
    likelihood, total = MeasurementSetLikelihood(parameters), 0.0
    pose, errors = POSES[None, :1], likelihood.lasting.begin(1, 1)
    for bearing in bearings:
        lists = np.stack((ranges, np.full_like(ranges, bearing)), axis=-1)[:, None]
        each = SensorErrors(*(np.repeat(array, len(ranges), axis=0) for array in errors))
        poses = np.repeat(pose, len(ranges), axis=0)
        total += np.exp(likelihood.weigh(lists, poses, LANDMARKS[:1], each).log_density).sum()
    assert total * (ranges[1] - ranges[0]) * (bearings[1] - bearings[0]) == pytest.approx(
        1, abs=0.01
    )


def test_clutter_tells_nothing_of_the_sensor():
    """Readings that can only be clutter must not change the estimated errors."""
    parameters = replace(PLAIN, clutter=Clutter(probability=0.2))
    odd = np.array(((9.0, 3.0), (np.nan, np.nan), (np.nan, np.nan)))
    weighed, before = (
        weigh(parameters, odd),
        MeasurementSetLikelihood(parameters).lasting.begin(1, 4),
    )
    assert weighed.errors.means == pytest.approx(before.means, abs=1e-6)
    assert weighed.errors.covariances == pytest.approx(before.covariances, abs=1e-6)


def test_lasting_errors_become_known_as_far_as_they_say():
    """At known poses true biases and drifts must be consistent with their estimates, by NEES."""
    parameters = replace(PLAIN, drift=SensorDrift(0.2, 20.0, 0.05, 20.0))
    likelihood, sensing, draws, robots = (
        MeasurementSetLikelihood(parameters),
        Observation(parameters),
        Draws(5),
        200,
    )
    state = sensing.begin(robots, LANDMARKS, draws)
    poses = np.tile(POSES[0], (robots, 1))
    errors = likelihood.lasting.begin(robots, 1)
    for _ in range(10):
        state, readings, _ = sensing.observe(state, poses, LANDMARKS, 0.5, draws)
        errors = likelihood.lasting.predict(errors, 0.5)
        errors = likelihood.weigh(readings, poses[:, None], LANDMARKS, errors).errors
    bias, drift = state.memories['bias'].T, state.memories['drift'].T
    off = np.stack((bias, drift), axis=-1) - errors.means[:, 0]
    nees = mahalanobis_squared(off, errors.covariances[:, 0]).sum(axis=1)
    low, high = chi2.ppf((0.0005, 0.9995), 4 * robots) / robots
    assert low < nees.mean() < high
    begun = likelihood.lasting.begin(1, 1).covariances[0, 0, 0, 0, 0]
    assert (errors.covariances[:, 0, 0, 0, 0] < 0.5 * begun).all()


def test_particles_together_have_the_moments_of_all():
    """The merged estimate must have mean and covariance of the mixture."""
    means = np.zeros((1, 2, 2, 2))
    means[0, 1, 0, 0] = 0.4
    covariances = np.tile(0.01 * np.eye(2), (1, 2, 2, 1, 1))
    pooled = SensorErrors(means, covariances).pooled(np.array([[0.75, 0.25]]))
    assert pooled.means[0, 0, 0] == pytest.approx((0.1, 0.0))
    assert pooled.covariances[0, 0, 0, 0, 0] == pytest.approx(0.01 + 0.75 * 0.25 * 0.16)
    assert pooled.covariances[0, 0, 1] == pytest.approx(0.01 * np.eye(2))


def test_sensors_without_noise_are_refused():
    """Readings without noise have no density."""
    silent = replace(PLAIN, noise=RangeBearingNoise(range_fraction=0.0, range_std=0.0))
    with pytest.raises(ConfigurationError, match='range_fraction and range_std'):
        MeasurementSetLikelihood(silent)


def test_time_must_pass():
    """A step of no time must not change the errors."""
    filters = SensorErrorFilter(SensorBias(), SensorDrift())
    with pytest.raises(InputError, match=r'dt is 0\.0'):
        filters.predict(filters.begin(1, 1), 0.0)

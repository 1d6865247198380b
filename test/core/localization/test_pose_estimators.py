# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Both filters have the same interface for start, motion and correction, and report their NIS."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import chi2

from world_model_core.localization.extended_kalman_filter import ExtendedKalmanFilter
from world_model_core.localization.particle_filter import ParticleFilter
from world_model_core.localization.particle_motion_noise import VelocityNoiseParameters
from world_model_core.localization.particles import Particles
from world_model_core.localization.pose_estimators import (
    KalmanEstimator,
    ParticleEstimator,
    PoseEstimate,
    mix_with_kidnapping,
    normalized_innovations,
    with_least_noise,
)
from world_model_core.localization.sensor_error_filter import SensorErrorFilter
from world_model_core.uncertainty.field_of_view import PlanarFieldOfView
from world_model_core.uncertainty.kidnapping import KidnapParameters
from world_model_core.uncertainty.lecture_simulations import IDEAL_SENSOR
from world_model_core.uncertainty.motion_parameters import LNPR as MOTION
from world_model_core.uncertainty.observation_model import Observation
from world_model_core.uncertainty.observation_parameters import LNPR as SENSOR
from world_model_core.uncertainty.observation_parameters import ErrorOrder
from world_model_core.uncertainty.random_draws import Draws
from world_model_core.uncertainty.range_bearing import observe_exactly
from world_model_core.uncertainty.sensor_noise import RangeBearingNoise

LANDMARKS = np.array(((-4.0, 2.0), (2.0, -3.0), (3.0, 3.0)))
BEGINNING = PoseEstimate(np.array((0.5, -0.2, 0.3)), np.diag((0.05, 0.05, 0.05)) ** 2)
# All directions, and so far that every landmark is in view.
UNLIMITED = replace(
    SENSOR,
    field_of_view=PlanarFieldOfView(near=0.0, far=100.0, half_angle=np.pi),
    order=ErrorOrder.LECTURE,
)
COMMAND = np.array((0.2, 0.3))
KIDNAP = KidnapParameters(mean_interval=60.0)


def kalman():
    """Make a Kalman filter."""
    return KalmanEstimator(ExtendedKalmanFilter(MOTION, SENSOR), LANDMARKS)


def particles():
    """Make a particle filter."""
    pose_filter = ParticleFilter(VelocityNoiseParameters(), KIDNAP, SENSOR, 2000)
    return ParticleEstimator(pose_filter, LANDMARKS, Draws(1), None)


@pytest.fixture(params=[kalman, particles], ids=['kalman', 'particles'])
def filter_of_one(request):
    """Return both estimators."""
    made = request.param()
    made.begin(BEGINNING)
    return made


def test_a_filter_begins_where_it_is_told(filter_of_one):
    """Mean and covariance must be the given ones."""
    pose, covariance = filter_of_one.estimate
    assert np.allclose(pose, BEGINNING.pose, atol=0.01)
    assert np.allclose(covariance, BEGINNING.covariance, atol=3e-4)


def test_readings_make_it_surer(filter_of_one):
    """With readings a robot must be localized better than with odometry alone."""
    blind = [kalman(), particles()][isinstance(filter_of_one, ParticleEstimator)]
    blind.begin(BEGINNING)
    exact = observe_exactly(BEGINNING.pose[None], LANDMARKS)[0]
    for _ in range(10):
        blind.predict(np.zeros(2), 0.1)
        filter_of_one.predict(np.zeros(2), 0.1)
        correction = filter_of_one.correct(exact)
    assert correction.used.all()
    assert (correction.nis < 9.0).all()
    narrow, wide = filter_of_one.estimate.covariance, blind.estimate.covariance
    assert np.trace(narrow) < 0.7 * np.trace(wide)
    assert np.allclose(filter_of_one.estimate.pose, BEGINNING.pose, atol=0.05)


def test_what_was_not_read_is_no_surprise(filter_of_one):
    """A correction without readings uses none and has no NIS."""
    readings = observe_exactly(BEGINNING.pose[None], LANDMARKS)[0]
    readings[1] = np.nan
    correction = filter_of_one.correct(readings)
    assert correction.used.tolist() == [True, False, True]
    assert np.isnan(correction.nis).tolist() == [False, True, False]


def test_what_is_at_the_robot_itself_is_no_surprise(filter_of_one):
    """A range of zero is no reading: neither used nor gated."""
    readings = observe_exactly(BEGINNING.pose[None], LANDMARKS)[0]
    readings[1] = 0.0
    correction = filter_of_one.correct(readings)
    assert correction.used.tolist() == [True, False, True]
    assert np.isnan(correction.nis).tolist() == [False, True, False]


@pytest.mark.parametrize('unseen', [0.0, 5.0, 60.0, 1e6])
@pytest.mark.parametrize('turns', [(-np.pi, np.pi), (-1.0, 0.5)], ids=['anyhow', 'ahead'])
def test_who_sees_nothing_may_have_been_kidnapped(unseen, turns):
    """Mean and covariance must be those of draws from the mixture."""
    kidnap = replace(
        KIDNAP, x_low=0.0, x_high=6.0, y_low=-3.0, theta_low=turns[0], theta_high=turns[1]
    )
    draws, count = Draws(3), 400_000
    luck = draws.uniform('place', 0, range(3), count)
    low = np.array((0.0, -3.0, turns[0]))
    taken = low + luck * (np.array((6.0, 5.0, turns[1])) - low)
    if turns[1] > 3.0:  # about the heading that is believed
        taken[:, 2] += BEGINNING.pose[2]
    stayed = BEGINNING.pose + 0.05 * draws.normal('stayed', 0, range(3), count)
    gone = draws.exponential('gone', 0, 0, count) < unseen / kidnap.mean_interval
    mixed = np.where(gone[:, None], taken, stayed)
    pose, covariance = mix_with_kidnapping(BEGINNING, kidnap, unseen)
    assert np.allclose(pose, mixed.mean(axis=0), atol=0.02)
    assert np.allclose(covariance, np.cov(mixed.T), atol=0.03)
    assert np.linalg.eigvalsh(covariance).min() > 0.0


def test_particles_reckon_with_kidnappers_that_are_believed_in():
    """Without readings the estimate must spread by kidnapping; readings end that."""
    pose_filter = ParticleFilter(VelocityNoiseParameters(), KIDNAP, SENSOR, 1000)
    spreads = []
    for kidnap in (KIDNAP, None):
        believer = ParticleEstimator(pose_filter, LANDMARKS, Draws(1), kidnap)
        believer.begin(BEGINNING)
        believer.predict(np.zeros(2), 30.0)
        spreads.append(np.trace(believer.estimate.covariance[:2, :2]))
        believer.correct(observe_exactly(BEGINNING.pose[None], LANDMARKS)[0])
        spreads.append(np.trace(believer.estimate.covariance[:2, :2]))
    believed, after, without, after_without = spreads
    assert believed > 5.0
    assert without < 0.01
    assert after == after_without


def test_particles_can_begin_anywhere():
    """The estimate must be that of the kidnapping rectangle until there are readings."""
    filter_of_one = particles()
    filter_of_one.begin_anywhere()
    assert np.diag(filter_of_one.estimate.covariance)[:2] == pytest.approx(100 / 12, rel=0.1)
    for _ in range(20):
        filter_of_one.predict(np.zeros(2), 0.1)
        filter_of_one.correct(observe_exactly(BEGINNING.pose[None], LANDMARKS)[0])
    assert np.allclose(filter_of_one.estimate.pose, BEGINNING.pose, atol=0.3)


def test_begun_anew_it_does_the_same_again(filter_of_one):
    """A restarted run with the same readings must end the same."""
    ends = []
    for _ in range(2):
        filter_of_one.begin(BEGINNING)
        filter_of_one.predict(COMMAND, 0.1)
        filter_of_one.correct(observe_exactly(BEGINNING.pose[None], LANDMARKS)[0])
        ends.append(filter_of_one.estimate)
    assert np.array_equal(ends[0].pose, ends[1].pose)
    assert np.array_equal(ends[0].covariance, ends[1].covariance)


def test_surprise_is_chi_square():
    """The mean NIS must be 2 for robots and sensors that match the models."""
    draws, count, robots = Draws(4), 1500, 40
    eye = Observation(UNLIMITED)
    off = 0.05 * draws.normal('pose', 0, range(3), count)
    seen = eye.begin(count, LANDMARKS, draws)
    _, readings, _ = eye.observe(seen, BEGINNING.pose + off, LANDMARKS, 0.1, draws)
    lasting, nis = SensorErrorFilter(UNLIMITED.bias, UNLIMITED.drift), []
    for number in range(count):
        # Particles are sampled as the robots are, in the order of their numbers.
        poses = BEGINNING.pose + off[np.arange(number + 1, number + robots + 1) % count]
        cloud = Particles(
            poses[None], np.full((1, robots), -np.log(robots)), lasting.begin(1, robots)
        )
        nis.append(
            normalized_innovations(cloud, readings[number], LANDMARKS, UNLIMITED.noise, lasting)
        )
    found = np.array(nis)
    assert (np.isnan(found) == np.isnan(readings[..., 0])).all()
    # Readings of one robot share its pose and bias: they count as one.
    low, high = chi2.ppf((0.0005, 0.9995), 2 * count) / count
    assert low < np.nanmean(found) < high * (1.0 + 3.0 / robots)


def test_exact_sensors_are_not_believed():
    """A sensor without noise gets the least noise; a noisy sensor keeps its noise."""
    noise = with_least_noise(IDEAL_SENSOR, 0.02, 0.01).noise
    assert (noise.range_fraction, noise.range_std, noise.bearing_std) == (0.0, 0.02, 0.01)
    noisy = replace(SENSOR, noise=RangeBearingNoise(range_std=0.5, bearing_std=0.3))
    assert with_least_noise(noisy, 0.02, 0.01) == noisy
    ExtendedKalmanFilter(MOTION, with_least_noise(IDEAL_SENSOR, 0.02, 0.01))

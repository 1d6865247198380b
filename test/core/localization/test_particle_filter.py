# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The particle filter is consistent, and relocalizes kidnapped robots."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2

from world_model_core.angles import wrap_angles
from world_model_core.errors import ConfigurationError
from world_model_core.gaussian import mahalanobis_squared
from world_model_core.localization.global_relocalization import (
    GlobalRelocalization,
    with_bias_as_noise,
)
from world_model_core.localization.particle_filter import ParticleFilter
from world_model_core.localization.particle_motion_noise import VelocityNoiseParameters
from world_model_core.localization.particles import Particles
from world_model_core.localization.sensor_error_filter import SensorErrorFilter
from world_model_core.uncertainty.clutter import Clutter
from world_model_core.uncertainty.field_of_view import PlanarFieldOfView
from world_model_core.uncertainty.input_checks import InputError
from world_model_core.uncertainty.kidnapping import KidnapParameters
from world_model_core.uncertainty.motion_model import Motion
from world_model_core.uncertainty.motion_parameters import LNPR as MOTION
from world_model_core.uncertainty.observation_model import Observation
from world_model_core.uncertainty.observation_parameters import LNPR as SENSOR
from world_model_core.uncertainty.occlusion import Occlusion
from world_model_core.uncertainty.random_draws import Draws
from world_model_core.uncertainty.range_bearing import observe_exactly
from world_model_core.uncertainty.sensor_bias import SensorBias
from world_model_core.uncertainty.sensor_noise import RangeBearingNoise

LANDMARKS = np.array(((-4.0, 2.0), (2.0, -3.0), (3.0, 3.0), (-2.0, -3.5)))
SPREAD = np.diag((0.05, 0.05, 0.05)) ** 2
COMMAND = (0.2, math.radians(10.0))
DT = 0.1
# All directions, so that a kidnapped robot sees enough landmarks to be localized.
WIDE = replace(SENSOR, field_of_view=PlanarFieldOfView(half_angle=math.pi, far=10.0))
UNBIASED = replace(WIDE, bias=SensorBias(range_fraction=0.0, bearing_std=0.0))
DECEIVED = replace(WIDE, clutter=Clutter(probability=0.1), occlusion=Occlusion(probability=0.1))
KIDNAP = KidnapParameters(mean_interval=60.0)
NOISE = VelocityNoiseParameters()
KIDNAPPED = 30
ERRORS = SensorErrorFilter(SENSOR.bias, SENSOR.drift)


def follow(sensor, *, robots=20, steps=60, known=True, kidnapped=False):
    """Simulate robots that circle past landmarks, and a filter: errors and covariances."""
    draws, own = Draws(1), Draws(1001)
    world, eye = Motion(MOTION), Observation(sensor)
    state = world.begin(np.zeros((robots, 3)), draws)
    seen = eye.begin(robots, LANDMARKS, draws)
    follower = ParticleFilter(NOISE, KIDNAP, sensor, 500)
    cloud = follower.begin_anywhere(robots, own)
    if known:
        cloud = follower.begin(state.poses, SPREAD, own)
    commands = np.tile(COMMAND, (robots, 1))
    for step in range(steps):
        state, _ = world.step(state, commands, DT, draws)
        if kidnapped and step == KIDNAPPED:
            place = np.array((8.0, 8.0, 6.0)) * draws.uniform('place', 0, range(3), robots)
            state = replace(state, poses=place - np.array((4.0, 4.0, 3.0)))
        seen, readings, _ = eye.observe(seen, state.poses, LANDMARKS, DT, draws)
        cloud = follower.predict(cloud, commands, DT, own)
        cloud = follower.correct(cloud, readings, LANDMARKS, own)
        off = state.poses - cloud.particles.mean
        off[:, 2] = wrap_angles(off[:, 2])
        yield off, cloud.particles.covariance


def distances(run):
    """Return position errors [m], shape (steps, robots)."""
    return np.array([np.hypot(off[:, 0], off[:, 1]) for off, _ in run])


@pytest.mark.parametrize(
    'sensor', [WIDE, UNBIASED, SENSOR], ids=['biased', 'without a bias', 'that sees ahead']
)
def test_errors_are_no_larger_than_believed(sensor):
    """The mean NEES must stay below the bound of a consistent filter, also with a bias."""
    nees = np.array([mahalanobis_squared(*each) for each in follow(sensor)])[9::10].mean(axis=1)
    assert (nees < chi2.ppf(0.9999, 60) / 20).all()
    # Exclude a filter with huge covariances.
    assert (nees > 0.5).all()


@pytest.mark.parametrize('sensor', [WIDE, DECEIVED], ids=['biased', 'with clutter'])
def test_kidnapped_robots_are_found_again(sensor):
    """Three seconds after all robots were kidnapped they must be localized as before."""
    off = distances(follow(sensor, robots=10, kidnapped=True))
    assert np.median(off[KIDNAPPED - 1]) < 0.2
    assert np.mean(off[-1] < 0.5) >= 0.9


def test_robots_are_found_from_nothing():
    """With an unknown initial pose, most robots must be localized to 0.5 m after two seconds."""
    off = distances(follow(WIDE, steps=20, known=False))
    assert np.mean(off[-1] < 0.5) >= 0.9


def test_it_can_be_repeated():
    """The same seeds must give the same particles."""
    one, other = (list(follow(WIDE, steps=5, robots=3)) for _ in range(2))
    assert all(np.array_equal(a[0], b[0]) for a, b in zip(one, other, strict=True))


def test_without_readings_particles_spread_as_the_law_does():
    """Sets without readings must leave the particles to the motion model."""
    follower, draws = ParticleFilter(NOISE, KIDNAP, SENSOR, 5000), Draws(3)
    cloud = follower.begin([(0.0, 0.0, 0.0)], np.zeros((3, 3)), draws)
    blind = np.full((1, 4, 2), np.nan)
    for _ in range(10):
        cloud = follower.predict(cloud, [(1.0, 0.0)], DT, draws)
        cloud = follower.correct(cloud, blind, LANDMARKS, draws)
    assert cloud.unseen[0] == pytest.approx(1.0)
    assert np.sqrt(cloud.particles.covariance[0, 0, 0]) == pytest.approx(NOISE.nn, rel=0.05)


def test_bias_and_noise_together_are_what_filters_of_the_book_have():
    """LNPR's sensor must give 0.14 for ranges, and 0.05 rad."""
    noise = with_bias_as_noise(SENSOR).noise
    assert noise.range_fraction == pytest.approx(0.14, abs=0.005)
    assert noise.bearing_std == pytest.approx(0.05, abs=0.001)


def test_places_are_weighted_as_if_drawn_anywhere():
    """The weighted mean of any function must be its mean over the kidnapping distribution."""
    # Less noise would leave hardly any place outside of a ring; this covers the square, and
    # headings about 2 rad, to which both bearings lead.
    sensor = replace(SENSOR, noise=RangeBearingNoise(range_fraction=0.5, bearing_std=0.5))
    square = KidnapParameters(x_low=-1.0, x_high=1.0, y_low=-1.0, y_high=1.0)
    readings = np.array([[(4.0, 0.3), (np.nan, np.nan), (4.2, -0.9), (np.nan, np.nan)]])
    drawn = GlobalRelocalization(square, sensor).draw(readings, LANDMARKS, 400_000, 1, Draws(7))
    weights = np.exp(drawn.log_weights[0])
    near = np.abs(drawn.poses[0, :, 2] - 2.0) < 0.3
    assert (weights * near).sum() == pytest.approx(0.6 / (2.0 * math.pi), rel=0.1)


def test_places_close_to_a_landmark_are_weighted_as_if_drawn_anywhere():
    """Where sampled ranges may be below 0, weighted positions must be uniform in a square."""
    noise = RangeBearingNoise(range_fraction=0.0, range_std=1.0, bearing_std=0.5)
    square = KidnapParameters(x_low=-2.0, x_high=2.0, y_low=-2.0, y_high=2.0)
    relocation = GlobalRelocalization(square, replace(SENSOR, noise=noise, bias=UNBIASED.bias))
    poses, log_weights = relocation.draw(
        np.array([[(0.5, 0.3)]]), np.zeros((1, 2)), 200_000, 1, Draws(7)
    )
    bearings = observe_exactly(poses[0], np.zeros((1, 2)))[:, 0, 1]
    weights = np.exp(log_weights[0]) * (np.abs(bearings - 0.3) < 0.6)
    inner = np.abs(poses[0, :, :2]).max(axis=1) < 0.5
    share = 1.2 / (2.0 * math.pi)
    assert weights.sum() == pytest.approx(share, rel=0.03)
    assert (weights * inner).sum() == pytest.approx(share / 16.0, rel=0.03)


@given(st.integers(1, 3), st.integers(2, 60), st.integers(0, 1000))
def test_resampling_takes_particles_as_often_as_they_weigh(runs, count, seed):
    """Each particle must be taken as often as its weight requires, plus or minus one."""
    draws = Draws(seed)
    weights = draws.uniform('weights', 0, range(count), runs)
    weights /= weights.sum(axis=1, keepdims=True)
    poses = np.tile(np.arange(count, dtype=float)[None, :, None], (runs, 1, 3))
    still = np.zeros((runs, count, 3))
    every = np.ones(runs, dtype=bool)
    particles = Particles(poses, np.log(weights), ERRORS.begin(runs, count))
    taken = particles.resampled(count, every, still, 1, draws)
    for run in range(runs):
        often = np.bincount(taken.poses[run, :, 0].astype(int), minlength=count)
        assert (np.abs(often - count * weights[run]) < 1.0 + 1e-9).all()
    assert np.allclose(np.exp(taken.log_weights).sum(axis=1), 1.0)


def test_a_list_that_is_impossible_says_nothing():
    """Where all weights would be 0 the particles must keep their weights."""
    particles = Particles(np.zeros((1, 2, 3)), np.log([[0.25, 0.75]]), ERRORS.begin(1, 2))
    kept = particles.weighted(np.full((1, 2), -np.inf))
    assert np.array_equal(kept.log_weights, particles.log_weights)


def test_too_few_particles_are_refused():
    """Too few particles must be rejected."""
    with pytest.raises(ConfigurationError, match='count is 9'):
        ParticleFilter(NOISE, KIDNAP, SENSOR, 9)


def test_readings_of_other_landmarks_are_refused():
    """Readings of another number than landmarks, and infinite ones, must be rejected."""
    follower, draws = ParticleFilter(NOISE, KIDNAP, SENSOR, 10), Draws(1)
    cloud = follower.begin_anywhere(1, draws)
    with pytest.raises(InputError, match='readings have shape'):
        follower.correct(cloud, np.zeros((1, 3, 2)), LANDMARKS, draws)
    with pytest.raises(InputError, match='infinite'):
        follower.correct(cloud, np.full((1, 4, 2), np.inf), LANDMARKS, draws)


@pytest.mark.parametrize('wrong', [(0.0, 0.0), (1e11, 0.0), (-3.0, 1.0)])
@pytest.mark.parametrize('sensor', [WIDE, DECEIVED], ids=['biased', 'with clutter'])
def test_odd_readings_leave_a_filter_that_works(sensor, wrong):
    """A range of 0, or an absurd range, must not spoil the estimate of any robot."""
    follower, draws, eye = ParticleFilter(NOISE, KIDNAP, sensor, 200), Draws(3), Observation(WIDE)
    poses = np.array([(0.0, 0.0, 0.0), (1.0, 1.0, 1.0)])
    seen = eye.begin(2, LANDMARKS, draws)
    cloud = follower.begin(poses, SPREAD, draws)
    for step in range(20):
        seen, readings, _ = eye.observe(seen, poses, LANDMARKS, DT, draws)
        if step in {0, 5}:
            readings[0, 0] = wrong
        cloud = follower.predict(cloud, np.zeros((2, 2)), DT, draws)
        cloud = follower.correct(cloud, readings, LANDMARKS, draws)
    particles = cloud.particles
    assert all(np.isfinite(array).all() for array in (particles.poses, *particles.errors))
    assert np.exp(particles.log_weights).sum(axis=1) == pytest.approx(1.0)
    assert np.hypot(*(particles.mean - poses)[:, :2].T) == pytest.approx(0.0, abs=0.3)


def test_sensors_that_see_all_hidden_can_be_used():
    """With all landmarks hidden, ranges must still exclude poses."""
    hidden = replace(UNBIASED, occlusion=Occlusion(probability=1.0))
    off = distances(follow(hidden, robots=10, steps=60))
    clear = distances(follow(UNBIASED, robots=10, steps=60))
    assert np.isfinite(off).all()
    assert np.median(clear[-1]) < np.median(off[-1]) < 0.3


def test_without_landmarks_or_robots_nothing_is_corrected():
    """Empty sets, and no robots, must be accepted."""
    follower, draws = ParticleFilter(NOISE, KIDNAP, SENSOR, 10), Draws(1)
    cloud = follower.begin_anywhere(2, draws)
    same = follower.correct(cloud, np.empty((2, 0, 2)), np.empty((0, 2)), draws)
    assert same.particles is cloud.particles
    nobody = follower.begin_anywhere(0, draws)
    assert len(follower.correct(nobody, np.empty((0, 4, 2)), LANDMARKS, draws).unseen) == 0


@pytest.mark.parametrize('wrong', [np.diag((1.0, -1.0, 1.0)), np.triu(np.ones((3, 3)))])
def test_what_is_no_covariance_is_refused(wrong):
    """A negative variance, or half a matrix, must be rejected."""
    with pytest.raises(InputError, match='covariance is'):
        ParticleFilter(NOISE, KIDNAP, SENSOR, 10).begin([(0.0, 0.0, 0.0)], wrong, Draws(1))

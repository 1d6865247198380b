# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The extended Kalman filter is consistent when the errors match its models."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2

from world_model_core.errors import ConfigurationError
from world_model_core.localization.extended_kalman_filter import ExtendedKalmanFilter
from world_model_core.uncertainty.clutter import Clutter
from world_model_core.uncertainty.field_of_view import PlanarFieldOfView
from world_model_core.uncertainty.input_checks import InputError
from world_model_core.uncertainty.motion_model import Motion
from world_model_core.uncertainty.motion_parameters import LNPR as MOTION
from world_model_core.uncertainty.motion_parameters import MotionParameters
from world_model_core.uncertainty.observation_model import Observation
from world_model_core.uncertainty.observation_parameters import LNPR as SENSOR
from world_model_core.uncertainty.observation_parameters import ErrorOrder, ObservationParameters
from world_model_core.uncertainty.occlusion import Occlusion
from world_model_core.uncertainty.pebble_noise import PebbleParameters
from world_model_core.uncertainty.random_draws import Draws
from world_model_core.uncertainty.sensor_bias import SensorBias
from world_model_core.uncertainty.sensor_drift import SensorDrift
from world_model_core.uncertainty.sensor_noise import RangeBearingNoise

LANDMARKS = np.array(((-4.0, 2.0), (2.0, -3.0), (3.0, 3.0), (-2.0, -3.5)))
SPREAD = np.diag((0.05, 0.05, 0.05)) ** 2
COMMAND = (0.2, math.radians(10.0))
DT = 0.1
UNBIASED = SensorBias(range_fraction=0.0, bearing_std=0.0)
PEBBLES = MotionParameters(pebbles=PebbleParameters())
DRIFTING = replace(
    SENSOR,
    bias=UNBIASED,
    drift=SensorDrift(range_std=0.1, range_time=20.0, bearing_std=0.03, bearing_time=20.0),
)
LASER = replace(
    SENSOR,
    noise=RangeBearingNoise(0.0, 0.003, 0.01),
    field_of_view=PlanarFieldOfView(half_angle=math.pi, far=10.0),
)
SENSOR_CASES = {
    'pebbles and noise': (PEBBLES, replace(SENSOR, bias=UNBIASED)),
    'all that LNPR has on': (MOTION, SENSOR),
    'the order of the lecture': (MOTION, replace(SENSOR, order=ErrorOrder.LECTURE)),
    'a sensor that drifts': (PEBBLES, DRIFTING),
    'a laser, whose readings show each pebble': (MOTION, LASER),
}


def drive(motion, sensor, *, robots=300, steps=200, seed=1):
    """Simulate robots that circle past landmarks, and a filter: yield truth and state."""
    draws, world, sensing = Draws(seed), Motion(motion), Observation(sensor)
    world_state = world.begin(np.zeros((robots, 3)), draws)
    seen = sensing.begin(robots, LANDMARKS, draws)
    ekf = ExtendedKalmanFilter(motion, sensor)
    off = draws.normal('beginning', 0, range(3), robots) @ np.sqrt(SPREAD)
    state = ekf.begin(world_state.poses + off, SPREAD)
    commands = np.tile(COMMAND, (robots, 1))
    for _ in range(steps):
        world_state, _ = world.step(world_state, commands, DT, draws)
        seen, readings, _ = sensing.observe(seen, world_state.poses, LANDMARKS, DT, draws)
        state = ekf.predict(state, commands, DT)
        state = ekf.correct(state, readings, LANDMARKS).state
        yield world_state.poses, state


@pytest.mark.parametrize('case', SENSOR_CASES.values(), ids=SENSOR_CASES)
def test_errors_are_as_large_as_believed(case):
    """The mean NEES of 300 robots must be within the bounds of a consistent filter (99.9 %)."""
    nees = np.array([state.nees(poses) for poses, state in drive(*case)])
    count = nees.shape[1]
    # Five steps, so far apart that they are practically independent.
    means = nees[39::40].mean(axis=1)
    low, high = chi2.ppf((0.0001, 0.9999), 3 * count) / count
    assert (means > low).all()
    assert (means < high).all()


def test_it_is_worth_its_while():
    """With landmarks, the error must be several times smaller than with commands alone."""
    *_, (poses, state) = drive(MOTION, SENSOR)
    blind = ExtendedKalmanFilter(MOTION, SENSOR)
    alone = blind.begin(np.zeros((1, 3)), SPREAD)
    for _ in range(200):
        alone = blind.predict(alone, [COMMAND], DT)
    error = np.hypot(*(state.poses - poses)[:, :2].T)
    assert np.sqrt((error**2).mean()) < np.sqrt(np.trace(alone.pose_covariances[0, :2, :2])) / 2.0


def test_biases_become_known():
    """Constant errors, of velocities and sensor, must become better known."""
    *_, (_, state) = drive(MOTION, SENSOR)
    stds = np.sqrt(np.diagonal(state.covariances, axis1=1, axis2=2).mean(axis=0))
    assert stds[3] < 0.07
    assert stds[5] < 0.03
    assert stds[6] < 0.03


def test_what_deceives_is_left_out():
    """Clutter and occlusion, which the filter does not model, must not make it diverge."""
    wrong = replace(SENSOR, clutter=Clutter(probability=0.1), occlusion=Occlusion(probability=0.1))
    *_, (poses, state) = drive(MOTION, wrong)
    error = np.hypot(*(state.poses - poses)[:, :2].T)
    assert np.median(error) < 0.1


def test_without_readings_it_predicts_what_robots_do():
    """Mean and covariance must be those of robots simulated by the motion model."""
    parameters, count = MOTION, 20_000
    draws, world = Draws(5), Motion(parameters)
    world_state = world.begin(np.zeros((count, 3)), draws)
    ekf = ExtendedKalmanFilter(parameters, SENSOR)
    state = ekf.begin(np.zeros((1, 3)), np.zeros((3, 3)))
    for _ in range(20):
        world_state, _ = world.step(world_state, np.tile(COMMAND, (count, 1)), DT, draws)
        state = ekf.predict(state, [COMMAND], DT)
    assert np.allclose(state.poses[0], world_state.poses.mean(axis=0), atol=0.005)
    drawn = np.cov(world_state.poses.T)
    assert np.allclose(state.pose_covariances[0], drawn, rtol=0.1, atol=2e-4)


def test_headings_may_differ_by_full_turns():
    """An estimate that is off by full turns must be corrected in the same way."""
    ekf = ExtendedKalmanFilter(MOTION, SENSOR)
    readings = [[[3.0, 3.1], [np.nan, np.nan], [2.0, -3.1], [np.nan, 0.0]]]
    near = ekf.begin([(0.0, 0.0, 3.1)], np.diag((1.0, 1.0, 3.0)))
    far = ekf.begin([(0.0, 0.0, 3.1 - 4.0 * math.pi)], np.diag((1.0, 1.0, 3.0)))
    one = ekf.correct(near, readings, LANDMARKS).state.means[0]
    other = ekf.correct(far, readings, LANDMARKS).state.means[0]
    one[2] -= 4.0 * math.pi
    assert np.allclose(one, other)


@given(
    st.lists(st.tuples(st.floats(0.0, 10.0), st.floats(-4.0, 4.0)), min_size=4, max_size=4),
    st.tuples(st.floats(-5.0, 5.0), st.floats(-5.0, 5.0), st.floats(-7.0, 7.0)),
)
def test_covariances_stay_covariances(readings, pose):
    """Whatever the readings, covariances must stay symmetric and positive."""
    ekf = ExtendedKalmanFilter(MOTION, SENSOR, gate=0.999_999)
    state = ekf.begin([pose], np.diag((1.0, 1.0, 1.0)))
    after, used, _ = ekf.correct(state, [readings], LANDMARKS)
    covariance = after.covariances[0]
    assert np.allclose(covariance, covariance.T, atol=1e-12)
    assert np.linalg.eigvalsh(covariance).min() > -1e-12
    assert used.shape == (1, 4)


def test_a_landmark_at_the_robot_itself_says_nothing():
    """Where the bearing has no derivative the reading must be ignored without NaN."""
    ekf = ExtendedKalmanFilter(MOTION, SENSOR)
    state = ekf.begin([(*LANDMARKS[0], 0.0)], SPREAD)
    after, used, nis = ekf.correct(state, [[(0.1, 0.0)] * 4], LANDMARKS)
    assert not used[0, 0]
    assert np.isnan(nis[0, 0])
    assert np.isfinite(after.means).all()


@pytest.mark.parametrize(
    'noise', [RangeBearingNoise(bearing_std=0.0), RangeBearingNoise(range_fraction=0.0)]
)
def test_exact_readings_are_refused(noise):
    """A sensor without noise must be rejected with the names of the parameters."""
    with pytest.raises(ConfigurationError, match=r'noise\.(bearing_std|range_fraction)'):
        ExtendedKalmanFilter(MOTION, ObservationParameters(noise=noise))


def test_surprise_is_as_large_as_believed():
    """The mean NIS of first readings must be 2, the degrees of freedom of each."""
    draws, sensing, count = Draws(8), Observation(replace(SENSOR, order=ErrorOrder.LECTURE)), 3000
    poses = np.sqrt(SPREAD) @ draws.normal('beginning', 0, range(3), count).T
    seen = sensing.begin(count, LANDMARKS, draws)
    _, readings, _ = sensing.observe(seen, poses.T, LANDMARKS, DT, draws)
    ekf = ExtendedKalmanFilter(MOTION, SENSOR)
    nis = ekf.correct(ekf.begin(np.zeros((count, 3)), SPREAD), readings, LANDMARKS).nis
    assert (np.isnan(nis) == np.isnan(readings[..., 0])).all()
    found = nis[~np.isnan(nis)]
    low, high = chi2.ppf((0.0005, 0.9995), 2 * len(found)) / len(found)
    assert low < found.mean() < high


@pytest.mark.parametrize('gate', [0.0, 1.0, -1.0, math.nan])
def test_a_gate_is_a_probability(gate):
    """A gate that accepts everything or nothing must be rejected."""
    with pytest.raises(ConfigurationError, match='gate'):
        ExtendedKalmanFilter(MOTION, SENSOR, gate)


@pytest.mark.parametrize(
    ('commands', 'dt', 'name'),
    [([(math.nan, 0.0)], 0.1, 'commands'), ([COMMAND], 0.0, 'dt'), ([COMMAND] * 2, 0.1, 'comm')],
)
def test_impossible_steps_are_refused(commands, dt, name):
    """The message must name what is wrong."""
    ekf = ExtendedKalmanFilter(MOTION, SENSOR)
    state = ekf.begin([(0.0, 0.0, 0.0)], SPREAD)
    with pytest.raises(InputError, match=name):
        ekf.predict(state, commands, dt)


@pytest.mark.parametrize('readings', [np.zeros((1, 3, 2)), np.full((1, 4, 2), math.inf)])
def test_impossible_readings_are_refused(readings):
    """Infinite readings, and readings of other landmarks, must be rejected."""
    ekf = ExtendedKalmanFilter(MOTION, SENSOR)
    state = ekf.begin([(0.0, 0.0, 0.0)], SPREAD)
    with pytest.raises(InputError, match='readings'):
        ekf.correct(state, readings, LANDMARKS)


def test_readings_after_a_pebble_are_used():
    """With an exact sensor hardly any reading must be gated, though pebbles are rare."""
    draws, world, sensing = Draws(4), Motion(MOTION), Observation(LASER)
    ekf, robots = ExtendedKalmanFilter(MOTION, LASER), 100
    world_state, seen = (
        world.begin(np.zeros((robots, 3)), draws),
        sensing.begin(robots, LANDMARKS, draws),
    )
    state, used, read = ekf.begin(world_state.poses, SPREAD), 0, 0
    for _ in range(100):
        world_state, _ = world.step(world_state, np.tile(COMMAND, (robots, 1)), DT, draws)
        seen, readings, _ = sensing.observe(seen, world_state.poses, LANDMARKS, DT, draws)
        state = ekf.predict(state, np.tile(COMMAND, (robots, 1)), DT)
        state, taken, _ = ekf.correct(state, readings, LANDMARKS)
        used, read = used + taken.sum(), read + (~np.isnan(readings[..., 0])).sum()
    assert used > 0.998 * read


def test_errors_of_what_is_known_exactly_have_no_measure():
    """A covariance of zeros must be rejected by name."""
    state = ExtendedKalmanFilter(MOTION, SENSOR).begin([(0.0, 0.0, 0.0)], np.zeros((3, 3)))
    with pytest.raises(InputError, match='a covariance of poses is singular'):
        state.nees([(0.0, 0.0, 0.0)])


@pytest.mark.parametrize('wrong', [np.diag((1.0, -1.0, 1.0)), np.triu(np.ones((3, 3)))])
def test_what_is_no_covariance_is_refused(wrong):
    """A negative variance, or half a matrix, must be rejected."""
    with pytest.raises(InputError, match='covariance is'):
        ExtendedKalmanFilter(MOTION, SENSOR).begin([(0.0, 0.0, 0.0)], wrong)

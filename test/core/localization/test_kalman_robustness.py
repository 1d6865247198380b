# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The Kalman filter stays consistent with stuck robots, occlusions and a wrong landmark."""

import numpy as np
import pytest

from benchmarks.uncertainty.kalman_robustness import (
    ALL_AROUND,
    CONDITIONS,
    FAR,
    LANDMARKS,
    WRONG,
    Condition,
    drive,
    run,
)
from world_model_core.localization.extended_kalman_filter import ExtendedKalmanFilter
from world_model_core.localization.landmark_offsets import LandmarkOffsets
from world_model_core.localization.pose_estimators import KalmanEstimator, PoseEstimate
from world_model_core.uncertainty.motion_model import Motion
from world_model_core.uncertainty.motion_parameters import LNPR as MOTION
from world_model_core.uncertainty.observation_parameters import LNPR as SENSOR
from world_model_core.uncertainty.random_draws import Draws
from world_model_core.uncertainty.range_bearing import observe_exactly
from world_model_core.uncertainty.stuck_robots import Stuck, StuckParameters

ROBOTS = 60


@pytest.mark.parametrize('name', ['lnpr, stuck', 'lnpr, occlusion 0.5', 'sensor of lecture'])
def test_errors_are_in_the_ellipse_or_reported(name):
    """Of 480 poses, 92 to 98 % must be in the 95 % ellipse, and 2 % far off without a warning."""
    outcome = run(CONDITIONS[name], ROBOTS)
    assert 0.92 <= outcome.inside.mean() <= 0.98
    assert ((outcome.error > FAR) & ~outcome.warned).mean() <= 0.02
    assert outcome.warned.mean() < 0.1


@pytest.mark.parametrize('number', range(3))
def test_a_wrong_landmark_is_named(number):
    """A landmark half a meter off must be named; the pose is then as good as without it."""
    places = LANDMARKS.copy()
    places[number, 0] += WRONG
    outcome = drive(Condition(sensor=ALL_AROUND), places, number, 20, seed=2, seconds=20)
    assert (outcome.named[-1] > 0).mean() >= 0.8
    assert (outcome.named >= 0).all()
    assert np.sqrt((outcome.error[-1] ** 2).mean()) < 0.1


def test_a_right_map_has_no_wrong_landmark():
    """Without errors of the map hardly any landmark must be named."""
    outcome = run(CONDITIONS['lnpr'], ROBOTS)
    assert (outcome.named != 0).mean() < 0.01


def test_offsets_are_estimated_without_bias():
    """The estimated offset of a wrong landmark must be that of its true place from the map."""
    kalman_filter = ExtendedKalmanFilter(MOTION, ALL_AROUND)
    places = LANDMARKS.copy()
    places[0, 1] += 0.5
    estimator = KalmanEstimator(kalman_filter, places)
    estimator.begin(PoseEstimate(np.zeros(3), np.diag((0.01, 0.01, 0.01)) ** 2))
    pose = np.zeros((1, 3))
    for _ in range(40):
        estimator.predict(np.zeros(2), 0.1)
        correction = estimator.correct(observe_exactly(pose, LANDMARKS)[0])
    assert correction.wrong_landmark.number == 0
    assert correction.wrong_landmark.distance == pytest.approx(0.5, abs=0.1)
    assert not correction.is_lost
    assert estimator.estimate.pose == pytest.approx(np.zeros(3), abs=0.03)


def test_a_kidnapped_robot_is_lost_within_two_readings():
    """Readings that would fit any other place must be reported, and forgotten when they fit."""
    estimator = KalmanEstimator(ExtendedKalmanFilter(MOTION, SENSOR), LANDMARKS)
    estimator.begin(PoseEstimate(np.zeros(3), np.diag((0.05, 0.05, 0.05)) ** 2))
    right = observe_exactly(np.zeros((1, 3)), LANDMARKS)[0]
    assert not estimator.correct(right).is_lost
    elsewhere = observe_exactly(np.array([(-1.0, 1.0, -2.0)]), LANDMARKS)[0]
    assert estimator.correct(elsewhere).is_lost
    for _ in range(3):
        last = estimator.correct(right)
    assert not last.is_lost


def test_a_stuck_robot_is_recognized():
    """Readings that do not change must lead to the mode of stuck robots, changing ones to free."""
    motion = MOTION.__class__(MOTION.pebbles, MOTION.velocity_bias, StuckParameters())
    kalman_filter = ExtendedKalmanFilter(motion, ALL_AROUND)
    state = kalman_filter.begin(np.zeros((1, 3)), np.diag((0.05, 0.05, 0.05)) ** 2)
    exact, command = observe_exactly(np.zeros((1, 3)), LANDMARKS), [(0.2, 0.2)]
    for _ in range(30):
        state = kalman_filter.predict(state, command, 0.1)
        state = kalman_filter.correct(state, exact, LANDMARKS).state
    assert state.weights[0, 1] > 0.99
    assert np.abs(state.poses[0]).max() < 0.05


def test_a_robot_that_gets_stuck_unseen_is_recognized():
    """A robot that does not see the landmark past which it should turn must be taken as stuck."""
    motion = MOTION.__class__(MOTION.pebbles, MOTION.velocity_bias, StuckParameters())
    kalman_filter, aside = ExtendedKalmanFilter(motion, SENSOR), [(0.0, 3.0)]
    state = kalman_filter.begin(np.zeros((1, 3)), np.diag((0.05, 0.05, 0.05)) ** 2)
    stuck = []
    for _ in range(80):
        state = kalman_filter.predict(state, [(0.0, 0.2)], 0.1)
        state = kalman_filter.correct(state, np.full((1, 1, 2), np.nan), aside).state
        stuck.append(state.weights[0, 1])
    # A free robot would have the landmark in view after some 3 s.
    assert stuck[19] < 0.1
    assert max(stuck) > 0.8


@pytest.mark.parametrize('dt', [0.1, 30.0])
def test_changes_of_mode_are_those_of_the_simulation(dt):
    """The probabilities of the modes must be the shares of simulated robots."""
    parameters, count = StuckParameters(mean_free=20.0, mean_stuck=5.0), 100_000
    changes = parameters.changes(dt)
    assert changes.sum(axis=1) == pytest.approx(np.ones(2))
    for before in (False, True):
        drawn = Stuck(parameters).advance(np.full(count, before), dt, 1, Draws(3))
        assert drawn.stuck.mean() == pytest.approx(changes[int(before), 1], abs=0.006)


def test_without_readings_modes_predict_what_robots_do():
    """Mean and covariance of both modes together must be those of simulated robots."""
    motion = MOTION.__class__(MOTION.pebbles, MOTION.velocity_bias, StuckParameters(5.0, 5.0))
    draws, world, count = Draws(5), Motion(motion), 20_000
    truth = world.begin(np.zeros((count, 3)), draws)
    kalman_filter = ExtendedKalmanFilter(motion, SENSOR)
    state = kalman_filter.begin(np.zeros((1, 3)), np.zeros((3, 3)))
    for _ in range(20):
        truth, _ = world.step(truth, np.tile((0.2, 0.0), (count, 1)), 0.1, draws)
        state = kalman_filter.predict(state, [(0.2, 0.0)], 0.1)
    assert state.weights[0, 1] == pytest.approx(truth.stuck.mean(), abs=0.02)
    assert state.poses[0] == pytest.approx(truth.poses.mean(axis=0), abs=0.01)
    drawn = np.cov(truth.poses.T)
    assert np.allclose(state.pose_covariances[0], drawn, rtol=0.15, atol=5e-4)


def test_hypotheses_about_landmarks_are_a_distribution():
    """Before any reading the map must be right with the same probability for any map."""
    for count in (0, 1, 1000):
        offsets = LandmarkOffsets.begin(2, count, 9)
        assert offsets.probabilities().sum(axis=1) == pytest.approx(np.ones(2))
        assert (offsets.wrong() == -1).all()

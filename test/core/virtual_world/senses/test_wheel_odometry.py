# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Odometry of given motions errs as the motion model says, so that filters are rightly sure."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2

from world_model_core.gaussian import mahalanobis_squared
from world_model_core.localization.extended_kalman_filter import ExtendedKalmanFilter
from world_model_core.uncertainty.motion_parameters import LECTURE, LNPR, MotionParameters
from world_model_core.uncertainty.observation_model import Observation
from world_model_core.uncertainty.observation_parameters import LNPR as SENSOR
from world_model_core.uncertainty.random_draws import Draws
from world_model_core.uncertainty.unicycle import commands_between, move
from world_model_core.virtual_world.senses.wheel_odometry import BaseMotions, WheelOdometry

LANDMARKS = np.array(((-4.0, 2.0), (2.0, -3.0), (3.0, 3.0), (-2.0, -3.5)))
SPREAD = np.diag((0.05, 0.05, 0.05)) ** 2
DT = 0.1
START = BaseMotions(np.array([[1.0, 2.0, 0.5]]), np.zeros((1, 2)))


def drive(steps, robots=300, velocity=(0.3, 0.2)):
    """Yield the true motions of robots that circle, speed up and slow down."""
    poses = np.zeros((robots, 3))
    for step in range(steps):
        now = np.tile(velocity, (robots, 1)) * (1.0 + 0.5 * np.sin(0.1 * step))
        yield BaseMotions(poses, now)
        poses = move(poses, now, DT)


def test_the_kalman_filter_of_localization_is_consistent_on_it():
    """The mean NEES of 300 robots must be within the bounds of a consistent filter (99.9 %)."""
    robots, draws = 300, Draws(1)
    first, *motions = drive(200, robots)
    odometry = WheelOdometry(LNPR, draws, first)
    sensing, ekf = Observation(SENSOR), ExtendedKalmanFilter(LNPR, SENSOR)
    seen = sensing.begin(robots, LANDMARKS, draws)
    off = draws.normal('beginning', 0, range(3), robots) @ np.sqrt(SPREAD)
    state, nees = ekf.begin(first.poses + off, SPREAD), []
    for step, motion in enumerate(motions, 1):
        before = odometry.poses
        odometry.read(motion, DT, step)
        seen, readings, _ = sensing.observe(seen, motion.poses, LANDMARKS, DT, draws)
        state = ekf.predict(state, commands_between(before, odometry.poses, DT), DT)
        state = ekf.correct(state, readings, LANDMARKS).state
        nees.append(state.nees(motion.poses).mean())
    low, high = chi2.ppf((0.0001, 0.9999), 3 * robots) / robots
    assert low < min(nees[39::40])
    assert max(nees[39::40]) < high


def test_its_covariance_is_that_of_its_errors():
    """The mean NEES of the odometry itself, of the true poses in its frame."""
    first, *motions = drive(300)
    odometry = WheelOdometry(LNPR, Draws(2), first)
    for step, motion in enumerate(motions, 1):
        odometry.read(motion, DT, step)
    poses, velocities = odometry.covariances()
    nees = mahalanobis_squared(motions[-1].poses - odometry.poses, poses).mean()
    # Pebbles make arcs whose errors are not quite normal.
    assert 2.4 < nees < 3.6
    off = motions[-1].velocities - odometry.velocities
    assert 1.5 < mahalanobis_squared(off, velocities).mean() < 2.6


def test_without_errors_it_is_the_truth():
    """In the frame of its start, to rounding."""
    first, *motions = drive(100, 1)
    odometry = WheelOdometry(MotionParameters(), Draws(3), first)
    for step, motion in enumerate(motions, 1):
        odometry.read(motion, DT, step)
        assert odometry.poses == pytest.approx(motion.poses, abs=1e-6)
    assert odometry.velocities == pytest.approx(motions[-1].velocities)


def test_a_robot_at_rest_has_no_errors():
    """It meets no pebbles, and does not get stuck or kidnapped."""
    odometry = WheelOdometry(LECTURE, Draws(4), START)
    for step in range(1, 1000):
        odometry.read(START, DT, step)
    assert not odometry.poses.any()
    assert not odometry.covariances()[0].any()


@pytest.mark.parametrize('change', [(1.0, 0.0, 0.0), (0.0, 0.3, 0.0), (0.0, 0.0, 1.0)])
def test_a_pose_that_is_set_is_not_measured(change):
    """Wheels that stand measure nothing, and go on from there."""
    odometry = WheelOdometry(MotionParameters(), Draws(5), START)
    moved = BaseMotions(START.poses + change, START.velocities)
    odometry.read(moved, DT, 1)
    assert not odometry.poses.any()
    velocities = np.array([[0.5, 0.0]])
    odometry.read(BaseMotions(moved.poses, velocities), DT, 2)
    odometry.read(BaseMotions(move(moved.poses, velocities, DT), velocities), DT, 3)
    assert odometry.poses == pytest.approx(np.array([[0.05, 0.0, 0.0]]))


def test_errors_depend_on_the_time_alone():
    """A robot that stood for a while gets the errors of the time at which it drives."""
    first, *motions = drive(50, 1)
    ends = []
    for late in (0, 7):
        odometry = WheelOdometry(LNPR, Draws(6), first)
        for step, motion in enumerate(motions, 1):
            odometry.read(motion, DT, step + late)
        ends.append(odometry.poses)
    assert not np.array_equal(*ends)

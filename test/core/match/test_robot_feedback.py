# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Feedback of our robots: odometry and ball sensor."""

import numpy as np
import pytest

from world_model_core.match.robot_states import RobotFeedback
from world_model_core.match.robots.robot_table import Robots
from world_model_core.match.ssl.values import RobotId, Team
from world_model_core.match.tracker_frame_conversion import TrackedRobotRows

NAMES = (RobotId(Team.BLUE, 1), RobotId(Team.BLUE, 2))
ROBOTS = Robots(
    1000,
    NAMES,
    np.array(((0.0, 0.0, 0.0), (1.0, 2.0, np.pi / 2))),
    np.array(((0.0, 0.0, 0.0), (0.5, 0.0, 1.0))),
    np.tile(0.01 * np.eye(2), (2, 3, 1, 1)),
    np.ones(2),
)


def test_the_ball_is_in_front_of_the_robot_that_has_it():
    """The ball must be a robot's radius in front of its center and move with it."""
    feedback = RobotFeedback(1e-6, 0.1)
    feedback.observe_ball_sensor(NAMES[1], True, 1000)
    ball = feedback.held_ball(ROBOTS, 1500)
    assert ball.position == pytest.approx((1.0, 2.09, 0.0))
    assert ball.velocity == pytest.approx((0.5, 0.0, 0.0))
    assert np.linalg.eigvalsh(ball.covariance).min() > 0.0


def test_the_last_report_counts_until_a_release():
    """The robot with the latest report has the ball until it reports otherwise."""
    feedback = RobotFeedback(1e-6, 0.1)
    feedback.observe_ball_sensor(NAMES[1], True, 1000)
    feedback.observe_ball_sensor(NAMES[0], True, 1100)
    assert feedback.held_ball(ROBOTS, 1200).position[0] == pytest.approx(0.09)
    feedback.observe_ball_sensor(NAMES[0], False, 1300)
    assert feedback.held_ball(ROBOTS, 1400).position[0] == pytest.approx(1.0)


def test_an_old_report_or_an_undetected_robot_does_not_count():
    """A report beyond the timeout, or of a robot without a position, must not count."""
    feedback = RobotFeedback(1e-6, 0.1)
    feedback.observe_ball_sensor(NAMES[0], True, 1000)
    feedback.observe_ball_sensor(RobotId(Team.BLUE, 9), True, 3000)
    assert feedback.held_ball(ROBOTS, 2001) is None


def test_odometry_updates_the_robot_of_a_tracker():
    """With equal variances both must count equally; without a recent report nothing changes."""
    feedback = RobotFeedback(1e-6, 0.1)
    tracked = TrackedRobotRows(
        np.array([name.slot for name in NAMES]),
        np.zeros((2, 3, 2)),
        np.tile(0.01 * np.eye(2), (2, 3, 1, 1)),
        np.ones(2),
    )
    feedback.observe_velocity(NAMES[1], np.array((1.0, -2.0, 4.0)), 1000)
    merged = feedback.correct(tracked, 2000)
    assert merged.mean[0].tolist() == tracked.mean[0].tolist()
    assert merged.mean[1, :, 1] == pytest.approx((0.5, -1.0, 2.0))
    assert merged.covariance[1, :, 1, 1] == pytest.approx(0.005)
    assert feedback.correct(tracked, 2001) is tracked

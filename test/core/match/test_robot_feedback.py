# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What our robots report of themselves and of the ball."""

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


def test_the_ball_is_before_the_robot_that_has_it():
    """The ball must be a robot's radius ahead of its centre and move with it."""
    feedback = RobotFeedback(1e-6, 0.1)
    feedback.observe_ball_sensor(NAMES[1], True, 1000)
    ball = feedback.held_ball(ROBOTS, 1500)
    assert ball.position == pytest.approx((1.0, 2.09, 0.0))
    assert ball.velocity == pytest.approx((0.5, 0.0, 0.0))
    assert np.linalg.eigvalsh(ball.covariance).min() > 0.0


def test_the_last_report_wins_and_a_release_ends_it():
    """Of two robots the one that reported last has the ball, until it says it has not."""
    feedback = RobotFeedback(1e-6, 0.1)
    feedback.observe_ball_sensor(NAMES[1], True, 1000)
    feedback.observe_ball_sensor(NAMES[0], True, 1100)
    assert feedback.held_ball(ROBOTS, 1200).position[0] == pytest.approx(0.09)
    feedback.observe_ball_sensor(NAMES[0], False, 1300)
    assert feedback.held_ball(ROBOTS, 1400).position[0] == pytest.approx(1.0)


def test_an_old_report_or_an_unseen_robot_is_no_evidence():
    """A report beyond the timeout, or of a robot whose place is unknown, must not count."""
    feedback = RobotFeedback(1e-6, 0.1)
    feedback.observe_ball_sensor(NAMES[0], True, 1000)
    feedback.observe_ball_sensor(RobotId(Team.BLUE, 9), True, 3000)
    assert feedback.held_ball(ROBOTS, 2001) is None


def test_a_robots_own_velocity_corrects_what_a_tracker_has_of_it():
    """Equally sure, both must count alike; without a fresh report nothing may change."""
    feedback = RobotFeedback(1e-6, 0.1)
    seen = TrackedRobotRows(
        np.array([name.slot for name in NAMES]),
        np.zeros((2, 3, 2)),
        np.tile(0.01 * np.eye(2), (2, 3, 1, 1)),
        np.ones(2),
    )
    feedback.observe_velocity(NAMES[1], np.array((1.0, -2.0, 4.0)), 1000)
    merged = feedback.correct(seen, 2000)
    assert merged.mean[0].tolist() == seen.mean[0].tolist()
    assert merged.mean[1, :, 1] == pytest.approx((0.5, -1.0, 2.0))
    assert merged.covariance[1, :, 1, 1] == pytest.approx(0.005)
    assert feedback.correct(seen, 2001) is seen

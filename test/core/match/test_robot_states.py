# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Robot states: merged from tracker and vision, and feedback of our robots."""

import numpy as np
import pytest

from world_model_core.match.robot_states import RobotFeedback, RobotStateMerger
from world_model_core.match.robots.robot_table import Robots, RobotTable
from world_model_core.match.robots.tracker import RobotTrackerParameters
from world_model_core.match.ssl.robot_id import RobotId, Team
from world_model_core.match.tracker_frame_conversion import TrackedRobotRows
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND

MS = SECOND // 1000
START = 100 * SECOND
VISION_OFFSET = 30 * SECOND
NAMES = (RobotId(Team.BLUE, 1), RobotId(Team.BLUE, 2))
ROBOTS = Robots(
    1000,
    NAMES,
    np.array(((0.0, 0.0, 0.0), (1.0, 2.0, np.pi / 2))),
    np.array(((0.0, 0.0, 0.0), (0.5, 0.0, 1.0))),
    np.tile(0.01 * np.eye(2), (2, 3, 1, 1)),
    np.ones(2),
)


@pytest.fixture
def filtered():
    """Return the table of the vision filter."""
    table = RobotTable()
    table.mean[:, :, 0] = 1.0
    table.covariance[:] = 1e-4 * np.eye(2)
    table.visibility[:] = 1.0
    return table


@pytest.fixture
def merger(filtered):
    """Return a merger of this table."""
    return RobotStateMerger(RobotTrackerParameters(), 0.08, filtered)


def track(merger, *rows, after_ms=0, x=2.0):
    """Update the merger with these rows of a tracker."""
    mean = np.tile(((x, 1.0), (0.0, 0.0), (0.0, 0.0)), (len(rows), 1, 1))
    covariance = np.tile(1e-4 * np.eye(2), (len(rows), 3, 1, 1))
    tracked = TrackedRobotRows(np.array(rows), mean, covariance, np.ones(len(rows)))
    merger.update_from_tracker(tracked, START + after_ms * MS, START + after_ms * MS)


def update_from_vision(merger, filtered, *rows, after_ms=0):
    """Update the merger with these rows of the vision filter."""
    filtered.stamp_ns[list(rows)] = START + after_ms * MS - VISION_OFFSET
    merger.update_from_vision(rows, VISION_OFFSET, START + after_ms * MS)


def at(merger, after_ms):
    """Return the robots some time after the start."""
    return merger.at(START + after_ms * MS, START + after_ms * MS)


def names(robots):
    """Return the names of the robots."""
    return [str(name) for name in robots.ids]


def test_both_sources_are_joined_in_order(merger, filtered):
    """Robots that only one source has must be listed together, blue first."""
    track(merger, 17, 2)
    update_from_vision(merger, filtered, 5)
    robots = at(merger, 0)
    assert names(robots) == ['blue/2', 'blue/5', 'yellow/1']
    assert robots.poses[:, 0].tolist() == [2.0, 1.0, 2.0]


def test_a_tracked_robot_is_the_trackers_until_it_times_out(merger, filtered):
    """Vision must take a robot over when the tracker has not reported it for its timeout."""
    track(merger, 2)
    update_from_vision(merger, filtered, 2, after_ms=80)
    assert at(merger, 80).poses[0, 0] == pytest.approx(2.08)
    update_from_vision(merger, filtered, 2, after_ms=81)
    assert at(merger, 81).poses[0, 0] == 1.0


def test_an_undetected_robot_is_kept_for_two_seconds(merger):
    """A robot must become less certain and less visible, and be removed after its lifetime."""
    track(merger, 2)
    early, late = at(merger, 50), at(merger, 1990)
    assert (early.visibilities[0], late.visibilities[0]) == (1.0, 0.0)
    assert late.covariances[0, 0, 0, 0] > early.covariances[0, 0, 0, 0]
    assert late.poses[0, 0] == pytest.approx(2.2)
    assert names(at(merger, 2001)) == []


def test_a_row_that_the_filter_dropped_is_gone(merger, filtered):
    """After a reset of the filter its old robots must not be published."""
    update_from_vision(merger, filtered, 5)
    filtered.clear()
    assert names(at(merger, 10)) == []


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

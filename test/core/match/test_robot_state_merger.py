# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Robots from tracker and vision together."""

import numpy as np
import pytest

from world_model_core.match.robot_states import RobotStateMerger
from world_model_core.match.robots.robot_table import RobotTable
from world_model_core.match.robots.tracker import RobotTrackerParameters
from world_model_core.match.tracker_frame_conversion import TrackedRobotRows
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND

MS = SECOND // 1000
START = 100 * SECOND
VISION_OFFSET = 30 * SECOND


@pytest.fixture
def filtered():
    """Fill the table of our own filter."""
    table = RobotTable()
    table.mean[:, :, 0] = 1.0
    table.covariance[:] = 1e-4 * np.eye(2)
    table.visibility[:] = 1.0
    return table


@pytest.fixture
def roster(filtered):
    """Make a roster on it."""
    return RobotStateMerger(RobotTrackerParameters(), 0.08, filtered)


def track(roster, *rows, after_ms=0, x=2.0):
    """Let the tracker tell these rows."""
    mean = np.tile(((x, 1.0), (0.0, 0.0), (0.0, 0.0)), (len(rows), 1, 1))
    covariance = np.tile(1e-4 * np.eye(2), (len(rows), 3, 1, 1))
    seen = TrackedRobotRows(np.array(rows), mean, covariance, np.ones(len(rows)))
    roster.update_from_tracker(seen, START + after_ms * MS, START + after_ms * MS)


def see(roster, filtered, *rows, after_ms=0):
    """Let our filter correct these rows."""
    filtered.stamp_ns[list(rows)] = START + after_ms * MS - VISION_OFFSET
    roster.update_from_vision(rows, VISION_OFFSET, START + after_ms * MS)


def at(roster, after_ms):
    """State the robots some time after the start."""
    return roster.at(START + after_ms * MS, START + after_ms * MS)


def names(robots):
    """Name the robots."""
    return [str(name) for name in robots.ids]


def test_both_sources_are_joined_in_order(roster, filtered):
    """Robots that only one source knows must stand beside each other, blue first."""
    track(roster, 17, 2)
    see(roster, filtered, 5)
    robots = at(roster, 0)
    assert names(robots) == ['blue/2', 'blue/5', 'yellow/1']
    assert robots.poses[:, 0].tolist() == [2.0, 1.0, 2.0]


def test_a_tracked_robot_is_the_trackers_until_it_is_silent(roster, filtered):
    """Vision must take a robot over once the tracker has not told it for its timeout."""
    track(roster, 2)
    see(roster, filtered, 2, after_ms=80)
    assert at(roster, 80).poses[0, 0] == pytest.approx(2.08)
    see(roster, filtered, 2, after_ms=81)
    assert at(roster, 81).poses[0, 0] == 1.0


def test_a_robot_lives_on_unseen_for_two_seconds(roster):
    """A robot must stay, less and less certain and visible, and go when its life is over."""
    track(roster, 2)
    early, late = at(roster, 50), at(roster, 1990)
    assert (early.visibilities[0], late.visibilities[0]) == (1.0, 0.0)
    assert late.covariances[0, 0, 0, 0] > early.covariances[0, 0, 0, 0]
    assert late.poses[0, 0] == pytest.approx(2.2)
    assert names(at(roster, 2001)) == []


def test_a_row_that_the_filter_dropped_is_gone(roster, filtered):
    """After the filter was reset its robots must not be told from leftovers."""
    see(roster, filtered, 5)
    filtered.clear()
    assert names(at(roster, 10)) == []

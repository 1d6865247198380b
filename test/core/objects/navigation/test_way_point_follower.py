# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A robot is led from way point to way point, each in its turn."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from world_model_core.objects.answer import WayPoint
from world_model_core.objects.navigation.way_point_follower import REACH, WayPointFollower

WAY = tuple(WayPoint(x, 0.0, 0.0, f'to {x}') for x in (0.0, 3.0, 6.0))
PLACES = st.tuples(st.floats(-10.0, 10.0), st.floats(-3.0, 3.0))


def test_the_next_one_counts_from_one_metre_on():
    """Farther than 1.0 m the target stays; at 1.0 m and nearer it is the next one."""
    follower = WayPointFollower(WAY)
    assert not follower.advance(-REACH - 0.01, 0.0)
    assert follower.target == WAY[0]
    assert follower.advance(-REACH, 0.0)
    assert follower.target == WAY[1]


def test_the_last_one_stays():
    """A robot that has arrived is told where it should be, again and again."""
    follower = WayPointFollower(WAY[:1])
    assert not follower.advance(0.0, 0.0)
    assert follower.target == WAY[0]


@given(st.lists(PLACES, max_size=30))
def test_none_is_skipped(places):
    """However the robot moves, targets come in order and only when the one before was near."""
    follower = WayPointFollower(WAY)
    for x, y in places:
        before = follower.target
        near = math.hypot(before.x - x, before.y - y) <= REACH
        moved = follower.advance(x, y)
        assert moved == (near and before is not WAY[-1])
        assert WAY.index(follower.target) == WAY.index(before) + moved

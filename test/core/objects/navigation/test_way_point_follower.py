# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A robot is sent from way point to way point in order."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from world_model_core.objects.answer import WayPoint
from world_model_core.objects.navigation.way_point_follower import REACH, WayPointFollower

WAY = tuple(WayPoint(x, 0.0, 0.0, f'to {x}') for x in (0.0, 3.0, 6.0))
PLACES = st.tuples(st.floats(-10.0, 10.0), st.floats(-3.0, 3.0))


def test_the_next_way_point_follows_within_one_meter():
    """The target stays beyond 1.0 m and changes from 1.0 m on."""
    follower = WayPointFollower(WAY)
    assert not follower.advance(-REACH - 0.01, 0.0)
    assert follower.target == WAY[0]
    assert follower.advance(-REACH, 0.0)
    assert follower.target == WAY[1]


def test_the_last_way_point_stays():
    """After arrival the target does not change."""
    follower = WayPointFollower(WAY[:1])
    assert not follower.advance(0.0, 0.0)
    assert follower.target == WAY[0]


@given(st.lists(PLACES, max_size=30))
def test_no_way_point_is_skipped(places):
    """Targets come in order, each only when the robot was near the one before."""
    follower = WayPointFollower(WAY)
    for x, y in places:
        before = follower.target
        near = math.hypot(before.x - x, before.y - y) <= REACH
        moved = follower.advance(x, y)
        assert moved == (near and before is not WAY[-1])
        assert WAY.index(follower.target) == WAY.index(before) + moved

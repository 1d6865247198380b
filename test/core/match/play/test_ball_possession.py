# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Ball possession over time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.match.ball.estimate import BallState
from world_model_core.match.play.ball_possession import BallPossession
from world_model_core.match.robots.robot_table import Robots
from world_model_core.match.ssl.robot_id import RobotId, Team
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND

BLUE, YELLOW = RobotId(Team.BLUE, 3), RobotId(Team.YELLOW, 1)
FRAME_NS = SECOND // 70


def ball(z=0.0, stamp_ns=0):
    """Make a ball at the origin."""
    return BallState(stamp_ns, np.array((0.0, 0.0, z)), np.zeros(3), np.eye(6))


def robots_at(distances):
    """Place robots at distances from the origin [m], by their names."""
    poses = np.array([(distance, 0.0, 0.0) for distance in distances.values()]).reshape(-1, 3)
    count = len(poses)
    rest = np.zeros((count, 3)), np.zeros((count, 3, 2, 2)), np.ones(count)
    return Robots(0, tuple(distances), poses, *rest)


def owners(frames, ownership=None):
    """Process frames of distances in turn; return the owner after each."""
    ownership = ownership or BallPossession()
    return [
        ownership.update(ball(stamp_ns=number * FRAME_NS), robots_at(distances))
        for number, distances in enumerate(frames)
    ]


@pytest.mark.parametrize(('distance', 'owner'), [(0.11, BLUE), (0.155, BLUE), (0.17, None)])
def test_a_robot_that_touches_the_ball_has_it_at_once(distance, owner):
    """It touches at 0.11 m from its center, with some tolerance for tracking errors."""
    assert owners([{BLUE: distance, YELLOW: 1.0}]) == [owner]


def test_the_nearest_of_two_has_the_ball():
    """The order of the robots does not matter."""
    assert owners([{BLUE: 0.13, YELLOW: 0.12}]) == [YELLOW]
    assert owners([{YELLOW: 0.12, BLUE: 0.13}]) == [YELLOW]


def test_a_ball_that_bounces_on_its_owner_stays_owned():
    """An owned ball may be 0.2 m away; beyond 0.22 m it is free, and stays so at 0.2 m."""
    frames = [{BLUE: distance} for distance in (0.11, 0.2, 0.23, 0.2)]
    assert owners(frames) == [BLUE, BLUE, None, None]


def test_a_duel_does_not_flicker():
    """While two robots are about as near, the owner keeps the ball."""
    sway = [{BLUE: 0.12 + 0.01 * (n % 2), YELLOW: 0.12 - 0.01 * (n % 2)} for n in range(50)]
    assert set(owners([{BLUE: 0.11, YELLOW: 0.2}, *sway])) == {BLUE}


def test_another_robot_takes_the_ball_over_when_it_is_clearly_nearer_for_long_enough():
    """Not before 0.1 s; an interruption restarts the time."""
    clearly, hardly = {BLUE: 0.16, YELLOW: 0.11}, {BLUE: 0.13, YELLOW: 0.11}
    start = {BLUE: 0.11, YELLOW: 0.2}
    found = owners([start, *[clearly] * 5, hardly, *[clearly] * 12])
    assert found[:14] == [BLUE] * 14
    assert found[-1] is YELLOW


def test_challengers_do_not_add_their_times():
    """Each must be the nearest by itself for long enough."""
    third = RobotId(Team.BLUE, 7)
    first = {BLUE: 0.16, YELLOW: 0.11, third: 0.13}
    second = {BLUE: 0.16, YELLOW: 0.13, third: 0.11}
    assert set(owners([{BLUE: 0.11}, *[first, second] * 20])) == {BLUE}


def test_a_ball_above_the_robots_has_no_owner():
    """A chip over the owner frees the ball."""
    ownership, near = BallPossession(), robots_at({BLUE: 0.11})
    assert ownership.update(ball(), near) is BLUE
    assert ownership.update(ball(z=0.2), near) is None


def test_an_owner_that_leaves_the_field_loses_the_ball():
    """When the owner is removed or lost by vision, the next robot near the ball takes it."""
    assert owners([{BLUE: 0.11}, {}, {YELLOW: 0.5}]) == [BLUE, None, None]
    assert owners([{BLUE: 0.11}, {YELLOW: 0.12}]) == [BLUE, YELLOW]


def test_a_jump_back_in_time_restarts_a_challenge():
    """A time ahead of the ball's clock does not count as waiting."""
    ownership, clearly = BallPossession(), robots_at({BLUE: 0.16, YELLOW: 0.11})
    ownership.update(ball(), robots_at({BLUE: 0.11}))
    ownership.update(ball(stamp_ns=100 * SECOND), clearly)
    assert ownership.update(ball(stamp_ns=SECOND), clearly) is BLUE
    assert ownership.update(ball(stamp_ns=SECOND + SECOND // 10), clearly) is YELLOW


def test_forgetting_frees_the_ball():
    """After a reset there is no owner."""
    ownership = BallPossession()
    ownership.update(ball(), robots_at({BLUE: 0.11}))
    ownership.reset()
    assert ownership.owner is None


@given(
    st.lists(st.dictionaries(st.sampled_from([BLUE, YELLOW]), st.floats(0.08, 0.4)), max_size=40)
)
def test_an_owner_is_always_near(frames):
    """The owner is always on the field and within 0.22 m of the ball."""
    for distances, owner in zip(frames, owners(frames), strict=True):
        assert owner is None or distances[owner] < 0.222

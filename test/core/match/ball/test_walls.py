# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Walls of goals and boards, and where a ball meets them."""

import math
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from world_model_core.match.ball.occlusion import BALL_RADIUS
from world_model_core.match.ball.walls import Wall, boards, find_bounce, goal_walls
from world_model_core.match.ssl.geometry_values import FieldSize

FIELD = FieldSize(length=9.0, width=6.0, goal_width=1.0, goal_depth=0.18, boundary_width=0.3)
GOALS, BOARDS = goal_walls(FIELD), boards(FIELD)
PLACES = st.tuples(st.floats(-5.5, 5.5), st.floats(-4.0, 4.0))


def along(start, end, share):
    """Return the point at a share of a path."""
    return tuple(a + share * (b - a) for a, b in zip(start, end, strict=True))


def nearest_gap(place, walls=GOALS):
    """Return the smallest gap between a ball and any wall."""
    return min(wall.gap(place) for wall in walls)


@pytest.mark.parametrize('side', [1.0, -1.0])
def test_a_shot_into_the_goal_bounces_off_its_back_wall(side):
    """A ball must bounce where its surface meets the inner face, straight back."""
    bounce = find_bounce(GOALS, (side * 4.0, 0.2), (side * 6.0, 0.2))
    x = along((side * 4.0, 0.2), (side * 6.0, 0.2), bounce.share)[0]
    assert abs(x) == pytest.approx(4.5 + 0.18 - BALL_RADIUS)
    assert bounce.normal == pytest.approx((-side, 0.0))


def test_a_shot_hits_the_front_of_a_post():
    """The front of a side wall must be at the goal line."""
    bounce = find_bounce(GOALS, (3.5, 0.51), (4.6, 0.51))
    assert 3.5 + 1.1 * bounce.share == pytest.approx(4.5 - BALL_RADIUS)
    assert bounce.normal == pytest.approx((-1.0, 0.0))


def test_a_ball_inside_the_goal_hits_the_side_wall():
    """The inner face of a side wall must be at half the width of the goal."""
    bounce = find_bounce(GOALS, (4.6, 0.0), (4.6, 1.0))
    assert bounce.share == pytest.approx(0.5 - BALL_RADIUS)
    assert bounce.normal == pytest.approx((0.0, -1.0))


def test_the_front_of_a_goal_is_open():
    """A ball must enter a goal without a bounce."""
    assert find_bounce(GOALS, (4.0, -0.3), (4.6, 0.3)) is None


def test_the_boards_are_at_the_edge_of_the_boundary():
    """A ball must bounce off each board, also with another boundary behind the goals."""
    for x, y in ((4.8, 0.0), (0.0, 3.3), (-4.8, 0.0), (0.0, -3.3)):
        bounce = find_bounce(BOARDS, (0.0, 0.0), (2.0 * x, 2.0 * y))
        reached = bounce.share * 2.0 * math.hypot(x, y)
        assert reached == pytest.approx(math.hypot(x, y) - BALL_RADIUS)
        assert bounce.normal == pytest.approx(
            (-math.copysign(bool(x), x), -math.copysign(bool(y), y)), abs=1e-12
        )
    deeper = boards(replace(FIELD, boundary_width_goal_line=0.5))
    assert find_bounce(deeper, (0.0, 0.0), (5.0, 0.0)).share == pytest.approx(
        (5.0 - BALL_RADIUS) / 5.0
    )


def test_the_height_of_a_goal_is_the_published_one():
    """Flying balls are compared with the height that vision sends, else with that of the rules."""
    assert {wall.height for wall in GOALS} == {0.155}
    assert {wall.height for wall in goal_walls(replace(FIELD, goal_height=0.16))} == {0.16}


@given(start=PLACES, end=PLACES)
def test_the_first_bounce_is_where_the_ball_first_touches_a_wall(start, end):
    """Before a bounce nothing must touch, at it the ball must, and it must approach the wall."""
    assume(nearest_gap(start) > 1e-6)
    assume(math.dist(start, end) > 1e-3)
    bounce = find_bounce(GOALS, start, end)
    free = 1.0 if bounce is None else bounce.share
    for step in range(100):
        assert nearest_gap(along(start, end, free * step / 100)) > -1e-6
    if bounce is not None:
        assert nearest_gap(along(start, end, bounce.share)) == pytest.approx(0.0, abs=1e-6)
        step = (end[0] - start[0]) * bounce.normal[0] + (end[1] - start[1]) * bounce.normal[1]
        assert step < 0.0


@given(x=st.floats(-0.031, 0.031), y=st.floats(-0.9, 0.9))
def test_a_ball_that_touches_a_wall_bounces_only_if_it_approaches(x, y):
    """A touching ball must bounce at once towards the wall, and not away from it."""
    assume(abs(x) > 1e-3)
    wall = Wall((0.0, -1.0), (0.0, 1.0), 0.02, 0.155)
    assert wall.bounce((x, y), (2.0 * x, y)) is None
    assert wall.bounce((x, y), (0.0, y)).share == 0.0

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Course of a single ball: known at any time, and by the ball's model between kicks."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.match.ball.ball_constants import BallParameters
from world_model_core.match.ball.motion_segment import BallMotionState
from world_model_core.match.ball.trajectory import predict_ball
from world_model_core.simulation.match.ball_course import BallCourse, CourseLeg, follow_kicks
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND

BALL = BallParameters()
STRAIGHT, CHIP = (3.0, 1.0, 0.0), (-1.0, 2.0, 2.5)
COURSE = follow_kicks((1.0, -2.0), [(SECOND, STRAIGHT), (2 * SECOND, CHIP)], BALL)


def test_ball_rests_until_it_is_kicked():
    """Before the first kick the ball stays at its start."""
    truth = COURSE.advance(SECOND - 1)
    assert (truth.position, truth.velocity, truth.kick) == ((1.0, -2.0, 0.0), (0.0,) * 3, None)


@given(st.integers(0, 12 * SECOND))
def test_position_never_jumps(stamp_ns):
    """After a millisecond the ball is at most as far as its fastest kick can move it."""
    before, after = COURSE.advance(stamp_ns), COURSE.advance(stamp_ns + SECOND // 1000)
    assert math.dist(before.position, after.position) < 4e-3


@given(st.integers(2 * SECOND, 12 * SECOND))
def test_ball_follows_the_model_since_its_last_kick(stamp_ns):
    """Position, velocity and phase are those predicted from the kick."""
    kick = COURSE.kicks[-1]
    start = BallMotionState(kick.position, kick.velocity, kick_speed=math.hypot(*CHIP[:2]))
    state = predict_ball(start, BALL).state_at((stamp_ns - kick.stamp_ns) / SECOND)
    truth = COURSE.advance(stamp_ns)
    assert truth.position == pytest.approx(state.position)
    assert truth.velocity == pytest.approx(state.velocity)
    assert COURSE.state_at(stamp_ns).bounces == state.bounces


def test_kicks_begin_with_their_velocity_where_the_ball_is():
    """Each kick has its time, its position on the course and its velocity."""
    assert [kick.stamp_ns for kick in COURSE.kicks] == [SECOND, 2 * SECOND]
    for kick, velocity in zip(COURSE.kicks, (STRAIGHT, CHIP), strict=True):
        assert COURSE.advance(kick.stamp_ns).velocity == pytest.approx(velocity)
        assert COURSE.advance(kick.stamp_ns - 1).position == pytest.approx(kick.position, abs=1e-7)


def test_ball_rests_from_its_rest_time_on():
    """It moves until the rest time, and not afterwards."""
    speeds = [
        math.hypot(*COURSE.advance(COURSE.rest_ns + dt).velocity) for dt in (-SECOND // 10, 0)
    ]
    assert speeds[0] > 0.01
    assert speeds[1] == 0.0


def test_any_trajectory_is_a_course():
    """Any other trajectory can be used as a course."""
    trajectory = predict_ball(BallMotionState((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)), BALL)
    truth = BallCourse((CourseLeg(SECOND, trajectory),)).advance(2 * SECOND)
    assert truth.position == pytest.approx(trajectory.at([1.0])[0][0])

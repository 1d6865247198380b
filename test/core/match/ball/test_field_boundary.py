# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Predictions end at the boards and goals of the field."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.match.ball.ball_constants import BallParameters
from world_model_core.match.ball.field_boundary import FieldBoundary
from world_model_core.match.ball.motion_segment import BallMotion, BallMotionState
from world_model_core.match.ball.occlusion import BALL_RADIUS
from world_model_core.match.ball.trajectory import predict_ball
from world_model_core.simulation.match.field import make_geometry

PARAMETERS = BallParameters()
FIELD = make_geometry(None).field
BOUNDARY = FieldBoundary.of_field(FIELD)
GOAL_LINE, BACK = 0.5 * FIELD.length, 0.5 * FIELD.length + FIELD.goal_depth - BALL_RADIUS
BOARD_X, BOARD_Y = BOUNDARY.corner


def predict(position, velocity, **state):
    """Predict a ball on the simulated field."""
    return predict_ball(BallMotionState(position, velocity, **state), PARAMETERS, BOUNDARY)


PLACES = st.tuples(st.floats(-6.0, 6.0), st.floats(-4.0, 4.0), st.floats(0.0, 1.0))
VELOCITIES = st.tuples(st.floats(-9.0, 9.0), st.floats(-9.0, 9.0), st.floats(-4.0, 4.0))


@given(place=PLACES, velocity=VELOCITIES, bounces=st.sampled_from([None, 0, 2]))
def test_no_moving_ball_rests_outside_of_the_boards(place, velocity, bounces):
    """Wherever a moving ball starts, its rest must be within the boards, at a finite time."""
    trajectory = predict(place, velocity, bounces=bounces)
    free = predict_ball(BallMotionState(place, velocity, bounces=bounces), PARAMETERS)
    if (free.rest_position[:2] != place[:2]).any():
        assert (np.abs(trajectory.rest_position[:2]) <= np.add(BOUNDARY.corner, 1e-9)).all()
    assert 0.0 <= trajectory.rest_time <= free.rest_time
    assert trajectory.segments[-1].motion is BallMotion.STOPPED


@given(vx=st.floats(-1.0, 1.0), vy=st.floats(-0.8, 0.8))
def test_a_ball_that_stays_inside_is_predicted_as_without_boards(vx, vy):
    """A boundary that the ball does not reach must change nothing."""
    state = BallMotionState((0.0, 0.0, 0.0), (vx, vy, 0.0), kick_speed=1.5)
    assert predict_ball(state, PARAMETERS, BOUNDARY).segments == (
        predict_ball(state, PARAMETERS).segments
    )


@pytest.mark.parametrize(
    ('position', 'velocity', 'rest'),
    [
        ((3.0, 0.0, 0.0), (5.0, 0.0, 0.0), (BACK, 0.0)),
        ((-3.0, 0.2, 0.0), (-5.0, 0.0, 0.0), (-BACK, 0.2)),
        ((3.0, 2.0, 0.0), (5.0, 0.0, 0.0), (BOARD_X, 2.0)),
        ((0.0, -1.0, 0.0), (0.0, -4.0, 0.0), (0.0, -BOARD_Y)),
        ((4.3, 0.0, 0.0), (0.3, 3.0, 0.0), (4.6, BOARD_Y)),
        ((4.65, 2.0, 0.0), (0.0, -3.0, 0.0), (4.65, 0.52 + BALL_RADIUS)),
        ((4.9, 3.0, 0.0), (5.0, 0.0, 0.0), (BOARD_X, 3.0)),
    ],
    ids=['goal', 'other goal', 'board', 'side', 'beside the goal', 'goal from outside', 'beyond'],
)
def test_a_ball_rests_at_the_wall_in_its_way(position, velocity, rest):
    """The ball must rest where it touches the wall."""
    trajectory = predict(position, velocity)
    assert trajectory.rest_position[:2] == pytest.approx(rest, abs=0.05)
    assert trajectory.rest_position[2] == 0.0


def test_a_chip_flies_over_a_goal_but_not_over_the_board():
    """A ball above the walls of the goal must not be stopped by them."""
    over = predict((GOAL_LINE - 1.0, 0.0, 0.5), (4.0, 0.0, 2.0), bounces=0)
    assert over.rest_position[0] == pytest.approx(BOARD_X)
    into = predict((GOAL_LINE - 1.0, 0.0, 0.02), (4.0, 0.0, 0.3), bounces=0)
    assert into.rest_position[0] == pytest.approx(BACK)


def test_the_boundary_behind_the_goals_may_differ():
    """With a boundary width of its own behind the goal lines, the ball must reach that."""
    wide = FieldBoundary.of_field(
        type(FIELD)(9.0, 6.0, 1.0, 0.18, 0.3, boundary_width_goal_line=0.7)
    )
    state = BallMotionState((3.0, 2.0, 0.0), (6.0, 0.0, 0.0))
    rest = predict_ball(state, PARAMETERS, wide).rest_position
    assert rest[0] == pytest.approx(5.2 - BALL_RADIUS)

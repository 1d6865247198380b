# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Predictions of the ball until it rests."""

from dataclasses import replace

import numpy as np
import pytest

from world_model_core.match.ball.ball_constants import BallParameters
from world_model_core.match.ball.estimate import BallState, Kick
from world_model_core.match.ball.motion_segment import BallMotion
from world_model_core.match.ball.phase_classifier import Phase
from world_model_core.match.ball.predictor import BallPredictor
from world_model_core.simulation.match.field import make_geometry
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND

FIELD = make_geometry(None).field
KICK = Kick(SECOND, np.zeros(2), np.array((4.0, 0.0, 0.0)), None, 0.0, None)


def ball(vx, vy=0.0, stamp_ns=SECOND):
    """Make a ball at the origin."""
    return BallState(stamp_ns, np.zeros(3), np.array((vx, vy, 0.0)), 1e-4 * np.eye(6))


@pytest.fixture
def predictor():
    """Make a predictor with default constants."""
    return BallPredictor(BallParameters())


def first_motion(prediction):
    """Return the first predicted motion of the ball."""
    return prediction.trajectory.segments[0].motion


def test_a_ball_just_kicked_slides(predictor):
    """With the kick known, the ball must slide first."""
    predictor.observe_kick(KICK)
    assert first_motion(predictor.predict(ball(4.0))) is BallMotion.SLIDING


def test_a_ball_below_the_switch_speed_rolls(predictor):
    """Once slower than the switch ratio times the kick speed it must roll."""
    predictor.observe_kick(KICK)
    assert first_motion(predictor.predict(ball(2.0))) is BallMotion.ROLLING


@pytest.mark.parametrize('moving', [ball(4.0), ball(5.0), ball(0.0, 4.0), ball(4.0, stamp_ns=1)])
def test_a_kick_that_does_not_explain_the_motion_is_not_used(predictor, moving):
    """No kick, a slower one, one in another direction or a future one must change nothing."""
    if moving.velocity[0] != 4.0 or moving.stamp_ns == 1:
        predictor.observe_kick(KICK)
    assert first_motion(predictor.predict(moving)) is BallMotion.ROLLING


def test_times_count_from_the_stamp_of_the_ball(predictor):
    """`at` and `rest_ns` must count from the ball's stamp."""
    predictor.observe_kick(KICK)
    prediction = predictor.predict(ball(4.0, stamp_ns=2 * SECOND))
    position, velocity = prediction.at(2 * SECOND)
    assert position.tolist() == [0.0, 0.0, 0.0]
    assert velocity.tolist() == [4.0, 0.0, 0.0]
    rest, _ = prediction.at(prediction.rest_ns)
    assert rest == pytest.approx(prediction.trajectory.rest_position, abs=1e-6)


def test_other_constants_take_effect_at_once(predictor):
    """A ball that is braked harder must rest earlier."""
    far = predictor.predict(ball(1.0)).trajectory.rest_time
    predictor.replace_parameters(replace(predictor.parameters, roll_acceleration=-1.0))
    assert predictor.predict(ball(1.0)).trajectory.rest_time < far


def test_the_phase_has_hysteresis(predictor):
    """Between the two speed thresholds the phase must stay what it was."""
    phases = [predictor.predict(ball(speed)).phase for speed in (0.0, 0.07, 0.2, 0.07, 0.01)]
    assert phases == [Phase.STOPPED, Phase.STOPPED, Phase.ROLLING, Phase.ROLLING, Phase.STOPPED]


def test_the_age_counts_while_the_ball_moves_as_predicted(predictor):
    """The age must grow while the ball moves as predicted, and restart when it does not."""
    first = predictor.predict(ball(2.0, stamp_ns=SECOND))
    assert first.age == 0.0
    (vx, _, _) = first.at(2 * SECOND)[1]
    assert predictor.predict(ball(vx, stamp_ns=2 * SECOND)).age == pytest.approx(1.0)
    assert predictor.predict(ball(vx - 0.6, stamp_ns=2 * SECOND + 1)).age == 0.0
    assert predictor.predict(ball(vx - 0.6, stamp_ns=SECOND)).age == 0.0


def test_predictions_end_at_the_boards(predictor):
    """Once the field is known, no ball may be predicted beyond its boards."""
    assert predictor.predict(ball(6.0)).trajectory.rest_position[0] > 9.0
    predictor.enclose(FIELD)
    assert predictor.predict(ball(6.0, 2.0)).trajectory.rest_position[0] < 4.8

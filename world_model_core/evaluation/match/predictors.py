# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Who predicts: we, the recording's own tracker, and two simple laws on its states."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.match.ball.motion_segment import MotionState
from world_model_core.match.ball.parameters import BallParameters, RollingLaw
from world_model_core.match.ball.trajectory import predict_ball
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from world_model_core.evaluation.match.replay import Estimate, History
    from world_model_core.gaussian import Array
    from world_model_core.match.ball.trajectory import BallTrajectory

    # From an instant to others later [ns]: places, shape (n, 2) [m].
    Law = Callable[[Array], Array]

# A state older than this tells nothing of the ball any more [ns].
OLDEST_NS = 500_000_000
# The seed's model.
SEED = BallParameters(law=RollingLaw.CONSTANT, deceleration=0.7)


@dataclass(frozen=True, slots=True, eq=False)
class Predictor:
    """
    States of the ball, each with the law by which it goes on.

    Parameters
    ----------
    name : str
    stamps_ns : sequence of int
        Of the states [ns], rising.
    laws : sequence of callable
        From seconds after the stamp, shape (n,), to places, shape (n, 2) [m].

    """

    name: str
    stamps_ns: Sequence[int]
    laws: Sequence[Law]

    def predict(self, now_ns: int, then_ns: int) -> Array | None:
        """Say at an instant where the ball will be at another; None if nothing is known."""
        index = bisect_right(self.stamps_ns, now_ns) - 1
        if index < 0 or now_ns - self.stamps_ns[index] > OLDEST_NS:
            return None
        place: Array = self.laws[index](
            np.array([(then_ns - self.stamps_ns[index]) / NANOSECONDS_PER_SECOND])
        )[0]
        return place


def predictors(history: History) -> tuple[Predictor, ...]:
    """Line up who is compared: the simple laws run on the tracker's states, or else on ours."""
    ours = _ours(history)
    if not history.tracked:
        states = [(e.state.stamp_ns, e.state.position, e.state.velocity) for e in _told(history)]
        return ours, *_simple(states)
    states, kick_speeds = [], []
    for frame in history.tracked:
        if not frame.balls or frame.balls[0].visibility == 0.0:
            continue
        ball, kick = frame.balls[0], frame.kicked_ball
        velocity = np.array(ball.velocity or (0.0, 0.0, 0.0))
        states.append((frame.stamp_ns, np.array(ball.position), velocity))
        kick_speeds.append(None if kick is None else float(np.linalg.norm(kick.velocity)))
    laws = [
        _trajectory(MotionState(position, velocity, speed), history.parameters)
        for (_, position, velocity), speed in zip(states, kick_speeds, strict=True)
    ]
    tracker = Predictor('tracker, two-phase', [stamp for stamp, _, _ in states], laws)
    return ours, *_simple(states), tracker


def _told(history: History) -> list[Estimate]:
    """Keep of our estimates the last of each instant, in order of time."""
    latest = {estimate.state.stamp_ns: estimate for estimate in history.estimates}
    return [latest[stamp_ns] for stamp_ns in sorted(latest)]


def _ours(history: History) -> Predictor:
    told = _told(history)
    laws = [_along(estimate.prediction.trajectory) for estimate in told]
    return Predictor('ours', [estimate.state.stamp_ns for estimate in told], laws)


def _simple(states: Sequence[tuple[int, Array, Array]]) -> tuple[Predictor, Predictor]:
    stamps = [stamp for stamp, _, _ in states]
    constant = [_straight_on(position, velocity) for _, position, velocity in states]
    seed = [_trajectory(MotionState(p, v), SEED) for _, p, v in states]
    return (
        Predictor('constant velocity', stamps, constant),
        Predictor('deceleration 0.7', stamps, seed),
    )


def _straight_on(position: Array, velocity: Array) -> Law:
    return lambda times: position[:2] + times[:, None] * velocity[:2]


def _along(trajectory: BallTrajectory) -> Law:
    return lambda times: trajectory.at(times)[0][:, :2]


def _trajectory(state: MotionState, parameters: BallParameters) -> Law:
    return _along(predict_ball(state, parameters))

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Compared predictors: ours, the recording's tracker, and two baselines on its states."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.match.ball.ball_constants import BallParameters, RollingModel
from world_model_core.match.ball.motion_segment import BallMotionState
from world_model_core.match.ball.trajectory import predict_ball
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from world_model_core.evaluation.match.replay import PublishedBall, ReplayedMatch
    from world_model_core.gaussian import Array
    from world_model_core.match.ball.trajectory import BallTrajectory

    # From times after a state [s] to positions, shape (n, 2) [m].
    Extrapolation = Callable[[Array], Array]

# Older states are not extrapolated [ns].
OLDEST_NS = 500_000_000
# Model of the seed.
SEED = BallParameters(rolling_model=RollingModel.CONSTANT, deceleration=0.7)


@dataclass(frozen=True, slots=True, eq=False)
class Predictor:
    """
    Ball states, each with an extrapolation.

    Parameters
    ----------
    name : str
    stamps_ns : sequence of int
        Times of the states [ns], increasing.
    extrapolations : sequence of callable
        From seconds after the stamp, shape (n,), to positions, shape (n, 2) [m].

    """

    name: str
    stamps_ns: Sequence[int]
    extrapolations: Sequence[Extrapolation]

    def predict(self, now_ns: int, then_ns: int) -> Array | None:
        """Predict, at one time, the position at another; None without a recent state."""
        index = bisect_right(self.stamps_ns, now_ns) - 1
        if index < 0 or now_ns - self.stamps_ns[index] > OLDEST_NS:
            return None
        place: Array = self.extrapolations[index](
            np.array([(then_ns - self.stamps_ns[index]) / NANOSECONDS_PER_SECOND])
        )[0]
        return place


def predictors(replayed: ReplayedMatch) -> tuple[Predictor, ...]:
    """Return all predictors; the baselines use the tracker's states, or ours without one."""
    ours = _ours(replayed)
    if not replayed.tracked:
        states = [
            (e.state.stamp_ns, e.state.position, e.state.velocity) for e in _latest(replayed)
        ]
        return ours, *_simple(states)
    states, kick_speeds = [], []
    for frame in replayed.tracked:
        if not frame.balls or frame.balls[0].visibility == 0.0:
            continue
        ball, kick = frame.balls[0], frame.kicked_ball
        velocity = np.array(ball.velocity or (0.0, 0.0, 0.0))
        states.append((frame.stamp_ns, np.array(ball.position), velocity))
        kick_speeds.append(None if kick is None else float(np.linalg.norm(kick.velocity)))
    extrapolations = [
        _trajectory(BallMotionState(position, velocity, speed), replayed.parameters)
        for (_, position, velocity), speed in zip(states, kick_speeds, strict=True)
    ]
    tracker = Predictor('tracker, two-phase', [stamp for stamp, _, _ in states], extrapolations)
    return ours, *_simple(states), tracker


def _latest(replayed: ReplayedMatch) -> list[PublishedBall]:
    """Return our last estimate for each time, in order."""
    latest = {estimate.state.stamp_ns: estimate for estimate in replayed.estimates}
    return [latest[stamp_ns] for stamp_ns in sorted(latest)]


def _ours(replayed: ReplayedMatch) -> Predictor:
    latest = _latest(replayed)
    extrapolations = [_along(estimate.prediction.trajectory) for estimate in latest]
    return Predictor('ours', [estimate.state.stamp_ns for estimate in latest], extrapolations)


def _simple(states: Sequence[tuple[int, Array, Array]]) -> tuple[Predictor, Predictor]:
    stamps = [stamp for stamp, _, _ in states]
    constant = [_straight_on(position, velocity) for _, position, velocity in states]
    seed = [_trajectory(BallMotionState(p, v), SEED) for _, p, v in states]
    return (
        Predictor('constant velocity', stamps, constant),
        Predictor('deceleration 0.7', stamps, seed),
    )


def _straight_on(position: Array, velocity: Array) -> Extrapolation:
    return lambda times: position[:2] + times[:, None] * velocity[:2]


def _along(trajectory: BallTrajectory) -> Extrapolation:
    return lambda times: trajectory.at(times)[0][:, :2]


def _trajectory(state: BallMotionState, parameters: BallParameters) -> Extrapolation:
    return _along(predict_ball(state, parameters))

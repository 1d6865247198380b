# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Compared predictors: ours, two baselines, and other trackers."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.match.ball.ball_constants import BallParameters, RollingModel
from world_model_core.match.ball.motion_segment import BallMotionState
from world_model_core.match.ball.trajectory import predict_ball
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from world_model_core.evaluation.match.recorded_trackers import RecordedTracker
    from world_model_core.evaluation.match.replay import PublishedBall, ReplayedMatch
    from world_model_core.gaussian import Array
    from world_model_core.match.ball.trajectory import BallTrajectory
    from world_model_core.match.ssl.tracker_values import TrackedFrame

    # From times after a state [s] to positions, shape (n, 2) [m].
    Extrapolation = Callable[[Array], Array]

# Names of our predictor and of the two baselines.
OURS, CONSTANT_VELOCITY, DECELERATION = 'ours', 'constant velocity', 'deceleration 0.7'
OWN_NAMES = OURS, CONSTANT_VELOCITY, DECELERATION
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
    extrapolations : sequence of callable or None
        From seconds after the stamp, shape (n,), to positions, shape (n, 2) [m]; None for a state
        without a ball.

    """

    name: str
    stamps_ns: Sequence[int]
    extrapolations: Sequence[Extrapolation | None]

    def predict(self, now_ns: int, then_ns: int) -> Array | None:
        """
        Predict, at one time, the position at another.

        None if the last state until then has no ball, or is too old.
        """
        index = bisect_right(self.stamps_ns, now_ns) - 1
        if index < 0 or now_ns - self.stamps_ns[index] > OLDEST_NS:
            return None
        extrapolation = self.extrapolations[index]
        if extrapolation is None:
            return None
        ahead = (then_ns - self.stamps_ns[index]) / NANOSECONDS_PER_SECOND
        place: Array = extrapolation(np.array([ahead]))[0]
        return place


class _Ball(NamedTuple):
    """Position and velocity, shape (3,) [m, m/s], and the speed of the last kick [m/s]."""

    position: Array
    velocity: Array
    kick_speed: float | None = None


def predictors(
    replayed: ReplayedMatch, trackers: Mapping[str, RecordedTracker]
) -> tuple[Predictor, ...]:
    """
    Return all predictors: ours, two baselines, and the trackers by name.

    The baselines use the states of the recording's own tracker, or ours without one.
    """
    own = replayed.trackers[:1]
    states = _tracked_states(own[0]) if own else _published_states(replayed)
    return (
        _ours(replayed),
        _predictor(CONSTANT_VELOCITY, states, _straight_on),
        _predictor(DECELERATION, states, _with_seed),
        *(
            _predictor(name, _tracked_states(tracker), _two_phase(replayed.parameters))
            for name, tracker in trackers.items()
        ),
    )


def _ours(replayed: ReplayedMatch) -> Predictor:
    latest = _latest(replayed)
    extrapolations = [_along(estimate.prediction.trajectory) for estimate in latest]
    return Predictor(OURS, [estimate.state.stamp_ns for estimate in latest], extrapolations)


def _latest(replayed: ReplayedMatch) -> list[PublishedBall]:
    """Return our last estimate for each time, in order."""
    latest = {estimate.state.stamp_ns: estimate for estimate in replayed.estimates}
    return [latest[stamp_ns] for stamp_ns in sorted(latest)]


def _published_states(replayed: ReplayedMatch) -> list[tuple[int, _Ball | None]]:
    """Return our state at each time [ns]."""
    states = [estimate.state for estimate in _latest(replayed)]
    return [(state.stamp_ns, _Ball(state.position, state.velocity)) for state in states]


def _tracked_states(tracker: RecordedTracker) -> list[tuple[int, _Ball | None]]:
    """Return a tracker's primary ball at each time [ns]; None where it has none."""
    return [(frame.stamp_ns, _primary_ball(frame)) for frame in tracker.frames]


def _primary_ball(frame: TrackedFrame) -> _Ball | None:
    if not frame.balls or frame.balls[0].visibility == 0.0:
        return None
    ball, kick = frame.balls[0], frame.kicked_ball
    velocity = np.array(ball.velocity or (0.0, 0.0, 0.0))
    kick_speed = None if kick is None else float(np.linalg.norm(kick.velocity))
    return _Ball(np.array(ball.position), velocity, kick_speed)


def _predictor(
    name: str,
    states: Sequence[tuple[int, _Ball | None]],
    extrapolate: Callable[[_Ball], Extrapolation],
) -> Predictor:
    """Return the predictor that extrapolates each state."""
    extrapolations = [None if ball is None else extrapolate(ball) for _, ball in states]
    return Predictor(name, [stamp_ns for stamp_ns, _ in states], extrapolations)


def _straight_on(ball: _Ball) -> Extrapolation:
    return lambda times: ball.position[:2] + times[:, None] * ball.velocity[:2]


def _with_seed(ball: _Ball) -> Extrapolation:
    return _along(predict_ball(BallMotionState(ball.position, ball.velocity), SEED))


def _two_phase(parameters: BallParameters) -> Callable[[_Ball], Extrapolation]:
    return lambda ball: _along(predict_ball(BallMotionState(*ball), parameters))


def _along(trajectory: BallTrajectory) -> Extrapolation:
    return lambda times: trajectory.at(times)[0][:, :2]

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""How far the published ball was from the true one, at its own instant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.evaluation.match.prediction_errors import Spread, spread
from world_model_core.gaussian import mahalanobis_squared
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.evaluation.match.ground_truth import TrueBall
    from world_model_core.evaluation.match.replay import History
    from world_model_core.match.ball.contact_segmentation import Sights, Stretch
    from world_model_core.match.ball.estimate import BallState

# Rows of x, y, vx and vy.
CARPET = [0, 1, 3, 4]
# What cameras are off from each other is learnt from this long after they first overlap on [ns].
LEARNING_NS = NANOSECONDS_PER_SECOND
# A launch is believed after this [ns].
BELIEVING_NS = 100_000_000
# Two sights are of one instant [ns] and of one ball [m].
SAME_TIME_NS, SAME_BALL = 20_000_000, 0.1


@dataclass(frozen=True, slots=True)
class StateErrors:
    """
    Distances of the published ball from the true one, seen from above.

    Parameters
    ----------
    first_overlap : float or None
        When two cameras saw the ball at once for the first time [s from the first frame].
    settled : Spread
        From 1 s after the first overlap and 0.1 s after each launch on.
    before_overlap, after_launch : Spread
        Before either; the first 0.1 s after a launch belong to the latter.
    nees : float or None
        Of place and velocity along the carpet once settled, mean over all, for each of the four
        degrees of freedom: 1 where the covariance is honest.

    """

    first_overlap: float | None
    settled: Spread
    before_overlap: Spread
    after_launch: Spread
    nees: float | None


def state_errors(
    history: History, stretches: Sequence[Stretch], truth: Sequence[TrueBall]
) -> StateErrors:
    """Compare each estimate with the truth, where there is one."""
    overlap_ns = first_overlap(history.sights, stretches)
    settled: list[float] = []
    early: list[float] = []
    launching: list[float] = []
    normalised: list[float] = []
    for estimate in history.estimates:
        stamp_ns = estimate.state.stamp_ns
        for ball in truth:
            if not ball.start_ns <= stamp_ns <= ball.end_ns:
                continue
            off = float(np.hypot(*(estimate.state.position[:2] - ball.at(stamp_ns))))
            if stamp_ns < ball.launch_ns + BELIEVING_NS:
                launching.append(off)
            elif overlap_ns is None or stamp_ns < overlap_ns + LEARNING_NS:
                early.append(off)
            else:
                settled.append(off)
                normalised.append(_nees(estimate.state, ball))
    start_ns = history.frames_ns[0] if len(history.frames_ns) else 0
    return StateErrors(
        first_overlap=None
        if overlap_ns is None
        else float(overlap_ns - start_ns) / NANOSECONDS_PER_SECOND,
        settled=spread(settled),
        before_overlap=spread(early),
        after_launch=spread(launching),
        nees=float(np.mean(normalised)) / len(CARPET) if normalised else None,
    )


def _nees(state: BallState, ball: TrueBall) -> float:
    """Normalise the squared error of place and velocity along the carpet."""
    position, velocity = ball.state_at(state.stamp_ns)
    error = np.concatenate((state.position - position, state.velocity - velocity))[CARPET]
    return float(mahalanobis_squared(error, state.covariance[np.ix_(CARPET, CARPET)]))


def first_overlap(sights: Sights, stretches: Sequence[Stretch]) -> int | None:
    """Find when two cameras saw the ball at once for the first time [ns]."""
    for stretch in stretches:
        own = stretch.indices
        dt = np.diff(sights.stamps_ns[own])
        apart = np.hypot(*np.diff(sights.places[own], axis=0).T)
        both = np.diff(sights.cameras[own]) != 0
        (found,) = np.nonzero(both & (dt <= SAME_TIME_NS) & (apart <= SAME_BALL))
        if len(found):
            return int(sights.stamps_ns[own[found[0] + 1]])
    return None

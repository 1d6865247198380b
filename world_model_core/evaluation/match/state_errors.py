# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Error of the published ball state against the ground truth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.evaluation.match.error_summary import ErrorSummary, summarize_errors
from world_model_core.gaussian import mahalanobis_squared
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.evaluation.match.ground_truth import TrueBall
    from world_model_core.evaluation.match.replay import ReplayedMatch
    from world_model_core.match.ball.contact_segmentation import BallDetections, Stretch
    from world_model_core.match.ball.estimate import BallState

# Indices of x, y, vx and vy.
CARPET = [0, 1, 3, 4]
# Time for camera biases to converge after the first overlap [ns].
LEARNING_NS = 1_000_000_000
# Time for the estimate to settle after a kick [ns].
SETTLING_NS = 100_000_000
# Largest time [ns] and distance [m] between two detections of one ball at the same time.
SAME_TIME_NS, SAME_BALL = 20_000_000, 0.1


@dataclass(frozen=True, slots=True)
class StateErrors:
    """
    Distances of the published ball from the true one, seen from above.

    Parameters
    ----------
    first_overlap : float or None
        When two cameras first saw the ball at the same time [s from the first frame].
    settled : ErrorSummary
        From 1 s after the first overlap and 0.1 s after each kick.
    before_overlap, after_kick : ErrorSummary
        Before these times; the first 0.1 s after a kick belong to the latter.
    nees : float or None
        Mean NEES of position and velocity along the carpet once settled, for each of the four
        degrees of freedom: 1 for a consistent covariance.

    """

    first_overlap: float | None
    settled: ErrorSummary
    before_overlap: ErrorSummary
    after_kick: ErrorSummary
    nees: float | None


def state_errors(
    replayed: ReplayedMatch, stretches: Sequence[Stretch], truth: Sequence[TrueBall]
) -> StateErrors:
    """Compare each estimate with the ground truth, where it is known."""
    overlap_ns = first_overlap(replayed.detections, stretches)
    settled: list[float] = []
    early: list[float] = []
    kicked: list[float] = []
    normalized: list[float] = []
    for estimate in replayed.estimates:
        stamp_ns = estimate.state.stamp_ns
        for ball in truth:
            if not ball.start_ns <= stamp_ns <= ball.end_ns:
                continue
            off = float(np.hypot(*(estimate.state.position[:2] - ball.at(stamp_ns))))
            if stamp_ns < ball.kick_ns + SETTLING_NS:
                kicked.append(off)
            elif overlap_ns is None or stamp_ns < overlap_ns + LEARNING_NS:
                early.append(off)
            else:
                settled.append(off)
                normalized.append(_nees(estimate.state, ball))
    start_ns = replayed.frames_ns[0] if len(replayed.frames_ns) else 0
    return StateErrors(
        first_overlap=None
        if overlap_ns is None
        else float(overlap_ns - start_ns) / NANOSECONDS_PER_SECOND,
        settled=summarize_errors(settled),
        before_overlap=summarize_errors(early),
        after_kick=summarize_errors(kicked),
        nees=float(np.mean(normalized)) / len(CARPET) if normalized else None,
    )


def _nees(state: BallState, ball: TrueBall) -> float:
    """Return the NEES of position and velocity along the carpet."""
    position, velocity = ball.state_at(state.stamp_ns)
    error = np.concatenate((state.position - position, state.velocity - velocity))[CARPET]
    return float(mahalanobis_squared(error, state.covariance[np.ix_(CARPET, CARPET)]))


def first_overlap(detections: BallDetections, stretches: Sequence[Stretch]) -> int | None:
    """Return when two cameras first saw the ball at the same time [ns]."""
    for stretch in stretches:
        own = stretch.indices
        dt = np.diff(detections.stamps_ns[own])
        apart = np.hypot(*np.diff(detections.places[own], axis=0).T)
        both = np.diff(detections.cameras[own]) != 0
        (found,) = np.nonzero(both & (dt <= SAME_TIME_NS) & (apart <= SAME_BALL))
        if len(found):
            return int(detections.stamps_ns[own[found[0] + 1]])
    return None

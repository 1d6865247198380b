# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Prediction windows, and prediction errors in them."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from world_model_core.evaluation.match.error_summary import ErrorSummary, summarize_errors
from world_model_core.match.ball.motion_segment import BallMotion
from world_model_core.time import to_nanoseconds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.evaluation.match.predictors import Predictor
    from world_model_core.gaussian import Array

# Slower balls are not evaluated [m/s].
SLOWEST = 0.1
# The first detections after a hit may still be affected by it, for at most this long [ns]. With
# this value the errors measured by hand on the match of 2022 are reproduced to 0.1 mm.
TOUCH_NS = 10_000_000


class ReferenceBall(Protocol):
    """Reference positions of a ball that nothing hits for a while."""

    @property
    def start_ns(self) -> int:
        """First detection after a hit [ns]."""

    @property
    def end_ns(self) -> int:
        """Last detection before the next hit [ns]."""

    def at(self, stamp_ns: int) -> Array | None:
        """Return the position, (2,) [m]; None where it is unknown."""

    def speed_at(self, stamp_ns: int) -> float:
        """Return the speed [m/s]."""

    def motion_at(self, stamp_ns: int) -> BallMotion:
        """Return the motion of the ball."""


class PredictionWindow(NamedTuple):
    """Start and end [ns], position at the end, (2,) [m], and motion at the start."""

    start_ns: int
    end_ns: int
    place: Array
    motion: BallMotion


@dataclass(frozen=True, slots=True)
class PredictorErrors:
    """
    Errors of one predictor at one horizon.

    Parameters
    ----------
    predictor : str
    horizon : float
        [s].
    windows : int
        Number of windows, the same for all predictors.
    coverage : float or None
        Fraction of the windows at whose start the predictor had a ball; None without windows.
    ours : ErrorSummary
        Our errors in the windows that it covers.
    all, sliding, rolling, flying : ErrorSummary
        By the motion at the start.

    """

    predictor: str
    horizon: float
    windows: int
    coverage: float | None
    ours: ErrorSummary
    all: ErrorSummary
    sliding: ErrorSummary
    rolling: ErrorSummary
    flying: ErrorSummary


def windows(
    references: Sequence[ReferenceBall], instants_ns: Sequence[int], horizon: float
) -> list[PredictionWindow]:
    """
    Return the evaluated windows that start at given times.

    Parameters
    ----------
    references : sequence of ReferenceBall
    instants_ns : sequence of int
        Start times, increasing [ns].
    horizon : float
        Length of a window [s].

    """
    found, length_ns = [], to_nanoseconds(horizon)
    for reference in references:
        first = bisect_right(instants_ns, reference.start_ns + TOUCH_NS)
        last = bisect_right(instants_ns, reference.end_ns - length_ns)
        for start_ns in instants_ns[first:last]:
            end_ns = start_ns + length_ns
            if reference.speed_at(start_ns) < SLOWEST:
                continue
            place = reference.at(end_ns)
            if place is not None:
                found.append(
                    PredictionWindow(start_ns, end_ns, place, reference.motion_at(start_ns))
                )
    return found


def prediction_errors(
    predictors: Sequence[Predictor], windows_: Sequence[PredictionWindow], horizon: float
) -> list[PredictorErrors]:
    """Compare the predictions of all predictors, ours first, with the reference."""
    errors = [_errors(predictor, windows_) for predictor in predictors]
    return [
        _summarize(predictor.name, horizon, windows_, own, errors[0])
        for predictor, own in zip(predictors, errors, strict=True)
    ]


def _errors(predictor: Predictor, windows_: Sequence[PredictionWindow]) -> Array:
    """Return the error in each window [m], NaN without a ball."""
    places = (predictor.predict(window.start_ns, window.end_ns) for window in windows_)
    offs = (
        np.nan if place is None else np.hypot(*(place - window.place))
        for place, window in zip(places, windows_, strict=True)
    )
    return np.fromiter(offs, dtype=float, count=len(windows_))


def _summarize(
    name: str, horizon: float, windows_: Sequence[PredictionWindow], own: Array, ours: Array
) -> PredictorErrors:
    motions = np.array([window.motion for window in windows_], dtype=object)
    covered = np.isfinite(own)
    return PredictorErrors(
        predictor=name,
        horizon=horizon,
        windows=len(windows_),
        coverage=float(np.mean(covered)) if len(own) else None,
        ours=summarize_errors(ours[covered & np.isfinite(ours)]),
        all=summarize_errors(own[covered]),
        sliding=summarize_errors(own[covered & (motions == BallMotion.SLIDING)]),
        rolling=summarize_errors(own[covered & (motions == BallMotion.ROLLING)]),
        flying=summarize_errors(own[covered & (motions == BallMotion.FLYING)]),
    )

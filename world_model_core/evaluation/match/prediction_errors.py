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
    all, sliding, rolling, flying : ErrorSummary
        By the motion at the start.

    """

    predictor: str
    horizon: float
    windows: int
    coverage: float | None
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
    predictor: Predictor, windows_: Sequence[PredictionWindow], horizon: float
) -> PredictorErrors:
    """Compare predictions with the reference."""
    errors: dict[BallMotion, list[float]] = {motion: [] for motion in BallMotion}
    for window in windows_:
        place = predictor.predict(window.start_ns, window.end_ns)
        if place is not None:
            errors[window.motion].append(float(np.hypot(*(place - window.place))))
    together = [error for some in errors.values() for error in some]
    return PredictorErrors(
        predictor=predictor.name,
        horizon=horizon,
        windows=len(windows_),
        coverage=len(together) / len(windows_) if windows_ else None,
        all=summarize_errors(together),
        sliding=summarize_errors(errors[BallMotion.SLIDING]),
        rolling=summarize_errors(errors[BallMotion.ROLLING]),
        flying=summarize_errors(errors[BallMotion.FLYING]),
    )

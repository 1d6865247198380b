# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""From where to where predictions are compared, and how far off they were."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from world_model_core.match.ball.motion_segment import Motion
from world_model_core.time import to_nanoseconds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.evaluation.match.predictors import Predictor
    from world_model_core.gaussian import Array

# A slower ball is not predicted [m/s].
SLOWEST = 0.1
# What is seen first after a hit may still be of it, for so long at most [ns]. With this the errors
# measured by hand on the match of 2022 come out to 0.1 mm.
TOUCH_NS = 10_000_000


class Reference(Protocol):
    """A ball that nothing hits for a while, as it really was."""

    @property
    def start_ns(self) -> int:
        """Its first sight after a hit [ns]."""

    @property
    def end_ns(self) -> int:
        """Its last sight before the next [ns]."""

    def at(self, stamp_ns: int) -> Array | None:
        """Find the place, (2,) [m]; None where it is not known."""

    def speed_at(self, stamp_ns: int) -> float:
        """Find the speed [m/s]."""

    def motion_at(self, stamp_ns: int) -> Motion:
        """Tell what the ball does."""


class Window(NamedTuple):
    """From an instant to another [ns], where the ball was then, (2,) [m], and what it did."""

    start_ns: int
    end_ns: int
    place: Array
    motion: Motion


@dataclass(frozen=True, slots=True)
class Spread:
    """How many errors there are, their median and 95th percentile [m]; None without any."""

    n: int
    median: float | None
    p95: float | None


def spread(errors: Sequence[float]) -> Spread:
    """Summarise errors."""
    if not len(errors):
        return Spread(0, None, None)
    return Spread(len(errors), float(np.median(errors)), float(np.percentile(errors, 95)))


@dataclass(frozen=True, slots=True)
class PredictionErrors:
    """
    One predictor at one horizon.

    Parameters
    ----------
    predictor : str
    horizon : float
        [s].
    windows : int
        How many there were; a predictor without an idea of the ball misses some.
    all, sliding, rolling, flying : Spread
        By what the ball did at the beginning.

    """

    predictor: str
    horizon: float
    windows: int
    all: Spread
    sliding: Spread
    rolling: Spread
    flying: Spread


def windows(
    references: Sequence[Reference], instants_ns: Sequence[int], horizon: float
) -> list[Window]:
    """
    List the windows that begin at one of the instants and count.

    Parameters
    ----------
    references : sequence of Reference
    instants_ns : sequence of int
        Rising [ns].
    horizon : float
        From the beginning to the end of a window [s].

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
                found.append(Window(start_ns, end_ns, place, reference.motion_at(start_ns)))
    return found


def prediction_errors(
    predictor: Predictor, windows_: Sequence[Window], horizon: float
) -> PredictionErrors:
    """Compare a predictor with what became of the ball."""
    errors: dict[Motion, list[float]] = {motion: [] for motion in Motion}
    for window in windows_:
        place = predictor.predict(window.start_ns, window.end_ns)
        if place is not None:
            errors[window.motion].append(float(np.hypot(*(place - window.place))))
    return PredictionErrors(
        predictor=predictor.name,
        horizon=horizon,
        windows=len(windows_),
        all=spread([error for some in errors.values() for error in some]),
        sliding=spread(errors[Motion.SLIDING]),
        rolling=spread(errors[Motion.ROLLING]),
        flying=spread(errors[Motion.FLYING]),
    )

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Simulated time: steps of one length from a start, in nanoseconds and without drift."""

from __future__ import annotations

import math
from dataclasses import dataclass

from world_model_core.time import NANOSECONDS_PER_SECOND, to_nanoseconds

# Periods are found again from times that were rounded to nanoseconds [periods].
ROUNDING = 1e-6


@dataclass(frozen=True, slots=True)
class Timeline:
    """
    When each step is.

    Attributes
    ----------
    start : float
        [s]
    dt : float
        Length of a step [s].

    """

    start: float
    dt: float

    def at(self, step: int) -> int:
        """Tell when a step is [ns]."""
        return to_nanoseconds(self.start) + round(step * self.dt * NANOSECONDS_PER_SECOND)

    def stride(self, speed: float, rate: float) -> int:
        """
        Count the steps from one telling of the time to the next.

        Parameters
        ----------
        speed : float
            Simulated seconds in a real one.
        rate : float
            How often the time may be told [Hz, real time].

        """
        return max(1, math.ceil(speed / (self.dt * rate) * (1.0 - ROUNDING)))


@dataclass(slots=True)
class PeriodicEvent:
    """
    Finds when something that happens at a rate has happened last.

    Attributes
    ----------
    start_ns : int
        When it happens first [ns].
    rate : float
        [Hz]
    count : int
        How often it was told that it has happened.

    """

    start_ns: int
    rate: float
    count: int = 0

    def last(self, stamp_ns: int) -> int | None:
        """Tell when it happened last, up to an instant [ns]; None if that was told before."""
        beats = math.floor(
            (stamp_ns - self.start_ns) * self.rate / NANOSECONDS_PER_SECOND + ROUNDING
        )
        if beats < self.count:
            return None
        self.count = beats + 1
        return min(stamp_ns, self.start_ns + round(beats / self.rate * NANOSECONDS_PER_SECOND))

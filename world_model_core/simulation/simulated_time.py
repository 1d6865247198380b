# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Simulated time in equal steps, periodic events, and the position in a playback."""

from __future__ import annotations

import math
from dataclasses import dataclass

from world_model_core.time import NANOSECONDS_PER_SECOND, to_nanoseconds

# Tolerance for times that were rounded to nanoseconds [periods].
ROUNDING = 1e-6


@dataclass(frozen=True, slots=True)
class Timeline:
    """
    Times of equal steps.

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
        """Return the time of a step [ns]."""
        return to_nanoseconds(self.start) + round(step * self.dt * NANOSECONDS_PER_SECOND)

    def stride(self, speed: float, rate: float) -> int:
        """
        Return the number of steps between two publications of the time.

        Parameters
        ----------
        speed : float
            Simulated seconds per real second.
        rate : float
            Maximum rate of publications of the time [Hz, real time].

        """
        return max(1, math.ceil(speed / (self.dt * rate) * (1.0 - ROUNDING)))


@dataclass(slots=True)
class PeriodicEvent:
    """
    Finds the last occurrence of a periodic event.

    Attributes
    ----------
    start_ns : int
        Time of the first occurrence [ns].
    rate : float
        [Hz]
    count : int
        Number of reported occurrences.

    """

    start_ns: int
    rate: float
    count: int = 0

    def last(self, stamp_ns: int) -> int | None:
        """Return the last occurrence up to a time [ns]; None if it was returned before."""
        beats = math.floor(
            (stamp_ns - self.start_ns) * self.rate / NANOSECONDS_PER_SECOND + ROUNDING
        )
        if beats < self.count:
            return None
        self.count = beats + 1
        return min(stamp_ns, self.start_ns + round(beats / self.rate * NANOSECONDS_PER_SECOND))


class PlaybackClock:
    """
    Maps a steady clock to the position in a recording, without drift; it starts stopped.

    Parameters
    ----------
    position_ns : int
        First position [ns, clock of the recording].
    speed : float
        Recorded seconds per second, above 0.

    """

    def __init__(self, position_ns: int, speed: float = 1.0) -> None:
        self._position_ns = position_ns
        self._speed = speed
        self._since_ns: int | None = None

    @property
    def runs(self) -> bool:
        """Whether the position advances."""
        return self._since_ns is not None

    def position(self, now_ns: int) -> int:
        """Return the position at a time of the steady clock [ns]."""
        if self._since_ns is None:
            return self._position_ns
        return self._position_ns + round((now_ns - self._since_ns) * self._speed)

    def delay(self, position_ns: int, now_ns: int) -> int:
        """Return the time until a position is reached [ns]; 0 if it has been reached."""
        return max(0, round((position_ns - self.position(now_ns)) / self._speed))

    def run(self, now_ns: int) -> None:
        """Continue from the present position."""
        if self._since_ns is None:
            self._since_ns = now_ns

    def halt(self, now_ns: int) -> None:
        """Stop at the present position."""
        self._position_ns = self.position(now_ns)
        self._since_ns = None

    def jump(self, position_ns: int, now_ns: int) -> None:
        """Move to another position, running or not."""
        self._anchor(position_ns, now_ns)

    def change_speed(self, speed: float, now_ns: int) -> None:
        """Continue from the present position at another speed."""
        self._anchor(self.position(now_ns), now_ns)
        self._speed = speed

    def _anchor(self, position_ns: int, now_ns: int) -> None:
        """Set the position from which time is counted."""
        self._position_ns = position_ns
        if self._since_ns is not None:
            self._since_ns = now_ns

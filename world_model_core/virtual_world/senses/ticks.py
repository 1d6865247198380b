# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Instants at which something is measured again and again."""

from __future__ import annotations

from world_model_core.time import NANOSECONDS_PER_SECOND

__all__ = ['Ticks']


class Ticks:
    """
    The multiples of a period since time 0, however often the world is looked at.

    Parameters
    ----------
    rate : float
        [Hz]

    Attributes
    ----------
    next_ns : int
        Time of the next one [ns].

    """

    def __init__(self, rate: float) -> None:
        self._period_ns = round(NANOSECONDS_PER_SECOND / rate)
        self.next_ns = 0

    def take(self, time_ns: int) -> int | None:
        """
        Return the number of the last instant until `time_ns`, and go on to the next one.

        None if it was taken before.
        """
        if time_ns < self.next_ns:
            return None
        number = time_ns // self._period_ns
        self.next_ns = (number + 1) * self._period_ns
        return number

    def reset(self) -> None:
        """Take the present instant again."""
        self.next_ns = 0

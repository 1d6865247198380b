# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The rate at which messages arrive."""

from __future__ import annotations

from collections import deque

# Rates are averaged over this time [s].
RATE_WINDOW = 1.0


class RateCounter:
    """
    Counts messages and their rate over the last second; the caller passes the time.

    Attributes
    ----------
    count : int
        All messages so far.

    """

    def __init__(self) -> None:
        self.count = 0
        self._arrivals: deque[float] = deque()

    def add(self, now: float) -> None:
        """Count one message received at `now` [s]."""
        self.count += 1
        self._arrivals.append(now)
        self._remove_old(now)

    def rate(self, now: float) -> float:
        """Return the messages per second in the last second before `now` [s]."""
        self._remove_old(now)
        return len(self._arrivals) / RATE_WINDOW

    def _remove_old(self, now: float) -> None:
        while self._arrivals and self._arrivals[0] <= now - RATE_WINDOW:
            self._arrivals.popleft()

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Age of what is published: from the reception of a datagram to the end of its publication."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from world_model_core.time import NANOSECONDS_PER_SECOND, to_seconds

__all__ = ['LARGEST_AGE', 'AgeSummary', 'OutputAges']

# Ages are summarized over this time [ns].
WINDOW_NS = NANOSECONDS_PER_SECOND
# Published states that are older than this [s] mislead a robot, and the node warns: at 6 m/s the
# ball moves 0.6 m.
LARGEST_AGE = 0.1


class AgeSummary(NamedTuple):
    """Median, 99th percentile and maximum of the ages of one second [s]."""

    median: float
    p99: float
    maximum: float

    @property
    def is_too_old(self) -> bool:
        """Whether more than one state in a hundred is older than LARGEST_AGE."""
        return self.p99 > LARGEST_AGE


class OutputAges:
    """The ages of the states that were published within the last second."""

    def __init__(self) -> None:
        self._ages: deque[tuple[int, int]] = deque()

    def add(self, received_ns: int, published_ns: int) -> None:
        """Add the times of reception and of the end of publication of a state [ns]."""
        self._forget(published_ns)
        self._ages.append((published_ns, published_ns - received_ns))

    def summary(self, now_ns: int) -> AgeSummary | None:
        """Return the summary of the last second before `now_ns`; None if nothing was published."""
        self._forget(now_ns)
        ages = sorted(age_ns for _, age_ns in self._ages)
        if not ages:
            return None
        last = len(ages) - 1
        ranks = (last // 2, -(-last * 99 // 100), last)
        return AgeSummary(*(to_seconds(ages[rank]) for rank in ranks))

    def _forget(self, now_ns: int) -> None:
        """Remove what is older than a second, or in the future after time was set back."""
        while self._ages and not 0 <= now_ns - self._ages[0][0] <= WINDOW_NS:
            self._ages.popleft()

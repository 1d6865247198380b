# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""How long two sources have agreed or disagreed, from single comparisons."""

from __future__ import annotations

from world_model_core.time import NANOSECONDS_PER_SECOND

__all__ = ['AgreementTime']

# A longer time between two comparisons counts as this much [ns]: what happened in it is unknown.
LONGEST_GAP_NS = NANOSECONDS_PER_SECOND // 20


class AgreementTime:
    """
    Accumulates the time of agreement and of disagreement.

    Attributes
    ----------
    agreed_ns : int
        Time of agreement since the last `restart` [ns].
    disagreed_ns : int
        Time of disagreement minus time of agreement, not below 0 [ns]: agreement for a moment does
        not hide a disagreement.

    """

    def __init__(self) -> None:
        self.agreed_ns = self.disagreed_ns = 0
        self._compared_ns: int | None = None

    def restart(self) -> None:
        """Begin to count the time of agreement again."""
        self.agreed_ns = 0

    def observe(self, agrees: bool | None, now_ns: int) -> None:
        """Add the result of a comparison; None if there was nothing to compare."""
        before, self._compared_ns = self._compared_ns, None if agrees is None else now_ns
        if agrees is None or before is None:
            return
        gap_ns = min(max(now_ns - before, 0), LONGEST_GAP_NS)
        if agrees:
            self.agreed_ns += gap_ns
            self.disagreed_ns = max(self.disagreed_ns - gap_ns, 0)
        else:
            self.disagreed_ns += gap_ns

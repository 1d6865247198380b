# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""How many steps of a simulation a callback may take, by what those before took."""

from __future__ import annotations

# A node that steps for longer than this at once is deaf to services and signals [s].
LIMIT = 0.05
# How much a step that was quicker than usual counts; one that was slower counts in full.
QUICKER = 0.2


class StepBudget:
    """
    Learns how long a step takes.

    Parameters
    ----------
    limit : float
        What steps may take together [s, real time].

    """

    def __init__(self, limit: float = LIMIT) -> None:
        self._limit = limit
        self._cost = 0.0

    @property
    def known(self) -> bool:
        """Whether any step was measured."""
        return self._cost > 0.0

    @property
    def steps(self) -> int:
        """How many steps fit; one at least, and one where nothing is known yet."""
        return max(1, int(self._limit / self._cost)) if self.known else 1

    def measure(self, steps: int, seconds: float) -> None:
        """Learn from steps that took so long together [s]."""
        cost = seconds / steps
        if cost < self._cost:
            cost = self._cost + QUICKER * (cost - self._cost)
        self._cost = cost

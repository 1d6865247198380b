# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Number of simulation steps that fit into one callback, from the durations of earlier steps."""

from __future__ import annotations

# Longest time of the steps in one callback; services and signals wait meanwhile [s].
LIMIT = 0.05
# Weight of a step that was faster than the estimate; a slower step replaces the estimate.
FASTER_WEIGHT = 0.2


class StepBudget:
    """
    Estimates the duration of a step.

    Parameters
    ----------
    limit : float
        Maximum duration of all steps in one callback [s, real time].

    """

    def __init__(self, limit: float = LIMIT) -> None:
        self._limit = limit
        self._cost = 0.0

    @property
    def known(self) -> bool:
        """Whether any step has been measured."""
        return self._cost > 0.0

    @property
    def steps(self) -> int:
        """Number of steps that fit; at least 1, and 1 before the first measurement."""
        return max(1, int(self._limit / self._cost)) if self.known else 1

    def measure(self, steps: int, seconds: float) -> None:
        """Update the estimate with the total duration of some steps [s]."""
        cost = seconds / steps
        if cost < self._cost:
            cost = self._cost + FASTER_WEIGHT * (cost - self._cost)
        self._cost = cost

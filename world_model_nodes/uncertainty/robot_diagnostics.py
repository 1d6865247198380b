# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Diagnostics of the robot simulator: stuck and kidnapped robots, counts of error causes."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from world_model_core.uncertainty.error_causes import ERROR_NATURES
from world_model_nodes.runtime.diagnostics import Report
from world_model_nodes.uncertainty.robot_publishers import robot_name

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.simulation.robots.robot_fleet import FleetStep, RobotFleet

# Minimum time that a kidnapping is reported [simulated s]; maximum number of names.
REPORT_TIME, MAX_NAMES = 5.0, 20


class FleetReport:
    """Counts the error causes of all steps between two reports."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Reset all counts."""
        self._since = 0.0
        self._labels: dict[str, Counter[int]] = {'robots': Counter(), 'readings': Counter()}
        self._echoless = 0

    def add(self, sensed: FleetStep) -> None:
        """Count the causes of a step."""
        for kind, labels in (('robots', sensed.motion.causes), ('readings', sensed.labels)):
            counts = np.bincount(labels.ravel())
            for label in np.flatnonzero(counts).tolist():
                self._labels[kind][label] += int(counts[label])
        self._echoless += int(np.count_nonzero(sensed.readings[:, :, 0] <= 0.0))

    def make(
        self,
        fleet: RobotFleet,
        malformed: int,
        errors: tuple[str, ...],
        warnings: tuple[str, ...],
    ) -> Report:
        """
        Return the names of stuck and kidnapped robots, and the count of each error cause.

        Parameters
        ----------
        fleet : RobotFleet
        malformed : int
            Number of invalid commands.
        errors, warnings : tuple of str
            Reported first.

        """
        since = min(self._since, fleet.time - REPORT_TIME)
        troubles = {'stuck': fleet.truth.stuck, 'kidnapped': fleet.kidnapped_at >= since}
        named = {trouble: _names(robots) for trouble, robots in troubles.items()}
        values: dict[str, Any] = {'robots': len(fleet), 'time [s]': round(fleet.time, 3), **named}
        values |= self._causes()
        counts = {'readings.echoless': self._echoless, 'cmd_vel.malformed': malformed}
        values |= {name: count for name, count in counts.items() if count}
        lines = tuple(f'{trouble}: {names}' for trouble, names in named.items() if names)
        self.begin()
        self._since = fleet.time
        return Report(errors, (*warnings, *lines), values)

    def _causes(self) -> dict[str, int]:
        """Count the robot steps and the readings with each cause."""
        counts = {
            f'{kind}.{str(cause.name).lower()}': sum(
                count for label, count in labels.items() if label & int(cause)
            )
            for kind, labels in self._labels.items()
            for cause in ERROR_NATURES
        }
        return {name: count for name, count in counts.items() if count}


def _names(robots: NDArray[np.bool_]) -> str:
    """Return the names of the marked robots, at most `MAX_NAMES`."""
    numbers = np.flatnonzero(robots).tolist()
    names = ', '.join(robot_name(number) for number in numbers[:MAX_NAMES])
    more = len(numbers) - MAX_NAMES
    return f'{names} and {more} more' if more > 0 else names

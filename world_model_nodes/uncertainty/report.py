# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Which simulated robots are in trouble, and what goes wrong, for /diagnostics."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from world_model_core.uncertainty.labels import NATURES
from world_model_nodes.runtime.diagnostics import Report
from world_model_nodes.uncertainty.publishers import robot_name

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.simulation.robots.fleet import RobotFleet, Sensed

# So long a kidnapping is told at least [simulated s], and so many names.
NEWS, MOST_NAMES = 5.0, 20


class FleetReport:
    """What befalls robots from one report to the next, however many steps lie between."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Forget what was, as the robots do when they begin anew."""
        self._since = 0.0
        self._labels: dict[str, Counter[int]] = {'robots': Counter(), 'readings': Counter()}
        self._echoless = 0

    def add(self, sensed: Sensed) -> None:
        """Take note of a step."""
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
        Report robots that are stuck or were kidnapped by name, and how often causes were at work.

        Parameters
        ----------
        fleet : RobotFleet
        malformed : int
            Commands that were none.
        errors, warnings : tuple of str
            That come first.

        """
        since = min(self._since, fleet.time - NEWS)
        troubles = {'stuck': fleet.state.stuck, 'kidnapped': fleet.kidnapped_at >= since}
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
        """Count the steps of robots, and the readings, that each cause was at work on."""
        counts = {
            f'{kind}.{str(cause.name).lower()}': sum(
                count for label, count in labels.items() if label & int(cause)
            )
            for kind, labels in self._labels.items()
            for cause in NATURES
        }
        return {name: count for name, count in counts.items() if count}


def _names(robots: NDArray[np.bool_]) -> str:
    """Name robots for which something holds, the first ones if they are many."""
    numbers = np.flatnonzero(robots).tolist()
    names = ', '.join(robot_name(number) for number in numbers[:MOST_NAMES])
    more = len(numbers) - MOST_NAMES
    return f'{names} and {more} more' if more > 0 else names

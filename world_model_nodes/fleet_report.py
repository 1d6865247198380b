# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Which simulated robots are in trouble, and what goes wrong, for /diagnostics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from world_model_core.uncertainty.labels import NATURES
from world_model_nodes.diagnostics import Report
from world_model_nodes.robot_publishers import robot_name

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.simulation.robot_fleet import RobotFleet, Sensed

# So long a kidnapping is told [simulated s], and so many names.
NEWS, MOST_NAMES = 5.0, 20


def report_fleet(
    fleet: RobotFleet | None,
    malformed: int,
    errors: tuple[str, ...],
    warnings: tuple[str, ...],
) -> Report:
    """
    Report robots that are stuck or were kidnapped by name, and how often each cause was at work.

    Parameters
    ----------
    fleet : RobotFleet or None
    malformed : int
        Commands that were none.
    errors, warnings : tuple of str
        That come first.

    """
    if fleet is None:
        return Report(warnings=warnings)
    troubles = {
        'stuck': fleet.state.stuck,
        'kidnapped': fleet.time - fleet.kidnapped_at <= NEWS,
    }
    named = {trouble: _names(robots) for trouble, robots in troubles.items()}
    values: dict[str, Any] = {'robots': len(fleet), 'time [s]': round(fleet.time, 3), **named}
    if fleet.sensed is not None:
        values |= _causes(fleet.sensed)
    if malformed:
        values['cmd_vel.malformed'] = malformed
    lines = tuple(f'{trouble}: {names}' for trouble, names in named.items() if names)
    return Report(errors, (*warnings, *lines), values)


def _names(robots: NDArray[np.bool_]) -> str:
    """Name robots for which something holds, the first ones if they are many."""
    numbers = np.flatnonzero(robots).tolist()
    names = ', '.join(robot_name(number) for number in numbers[:MOST_NAMES])
    more = len(numbers) - MOST_NAMES
    return f'{names} and {more} more' if more > 0 else names


def _causes(sensed: Sensed) -> dict[str, int]:
    """Count the robots, and the readings, that each cause was at work on in the last step."""
    counts = {}
    for kind, labels in (('robots', sensed.motion.causes), ('readings', sensed.labels)):
        for cause in NATURES:
            count = int(np.count_nonzero(labels & int(cause)))
            if count:
                counts[f'{kind}.{str(cause.name).lower()}'] = count
    return counts

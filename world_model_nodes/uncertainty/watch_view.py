# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The part of `world_model watch` that shows simulated robots and how well they are localized."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from rich.console import Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import RenderableType

    from world_model_core.gaussian import Array

# Robots listed one by one in the table.
MOST_LISTED = 12


@dataclass(frozen=True, slots=True, eq=False)
class LocalizedPose:
    """An estimated `pose` (x, y [m], heading [rad]) and its standard deviations, shape (3,)."""

    pose: Array
    deviations: Array


@dataclass(frozen=True, slots=True, eq=False)
class FleetView:
    """
    The robots of a simulation at one moment.

    Parameters
    ----------
    poses : Mapping of str to array, shape (3,)
        True pose (x, y [m], heading [rad]) by robot name, map frame.
    odometry : Mapping of str to array, shape (3,)
        Pose by odometry, where it is expressed in the map frame.
    estimates : Mapping of str to LocalizedPose
        Pose published by a localizer, map frame.
    rate : float
        Of the true poses [Hz].

    """

    poses: Mapping[str, Array] = field(default_factory=dict)
    odometry: Mapping[str, Array] = field(default_factory=dict)
    estimates: Mapping[str, LocalizedPose] = field(default_factory=dict)
    rate: float = 0.0

    def __bool__(self) -> bool:
        """Return whether any robot is known."""
        return bool(self.poses or self.odometry or self.estimates)

    @property
    def names(self) -> list[str]:
        """The robots' names: those with an estimate first, then in the order of the simulator."""
        return list(dict.fromkeys([*sorted(self.estimates), *self.poses, *self.odometry]))

    def distance(self, name: str, pose: Array | None) -> float | None:
        """Return how far a pose is from a robot's true place [m]; None if either is unknown."""
        if pose is None or name not in self.poses:
            return None
        return math.dist(self.poses[name][:2], pose[:2])


def draw_fleet(view: FleetView) -> RenderableType:
    """Draw a table with a row for each robot."""
    table = Table(box=None, padding=(0, 2), pad_edge=False)
    for title in ('robot', 'x [m]', 'y [m]', 'head.', 'odometry error', 'estimate error', '± [m]'):
        table.add_column(Text(title), justify='right', header_style='dim')
    for name in view.names[:MOST_LISTED]:
        table.add_row(*_cells(view, name))
    hidden = len(view.names) - MOST_LISTED
    more = [Text(f'and {hidden} more', style='dim')] if hidden > 0 else []
    return Panel(Group(table, *more, Text(_summary(view))), title='robots', title_align='left')


def fleet_line(view: FleetView) -> str:
    """Return the robots and the errors of odometry and localizers on one line."""
    return f'{_summary(view)} | ground_truth {view.rate:.0f} Hz'


def _cells(view: FleetView, name: str) -> list[Text]:
    pose, estimate = view.poses.get(name), view.estimates.get(name)
    place = ['', '', '']
    if pose is not None:
        x, y, heading = pose.tolist()
        place = [f'{x:.2f}', f'{y:.2f}', f'{math.degrees(heading):.0f}°']
    errors = (
        view.distance(name, view.odometry.get(name)),
        view.distance(name, None if estimate is None else estimate.pose),
    )
    spread = '' if estimate is None else f'{float(np.hypot(*estimate.deviations[:2])):.2f}'
    return [Text(cell) for cell in (name, *place, *map(_meters, errors), spread)]


def _meters(length: float | None) -> str:
    return '' if length is None else f'{length:.2f} m'


def _summary(view: FleetView) -> str:
    """Count the robots and name the mean error of odometry and that of each localizer."""
    parts = [f'{len(view.names)} robot{"" if len(view.names) == 1 else "s"}']
    drifts = [view.distance(name, pose) for name, pose in view.odometry.items()]
    known = [drift for drift in drifts if drift is not None]
    if known:
        parts.append(f'odometry error {sum(known) / len(known):.2f} m (mean)')
    for name, estimate in sorted(view.estimates.items()):
        error = _meters(view.distance(name, estimate.pose)) or 'unknown'
        spread = float(np.hypot(*estimate.deviations[:2]))
        parts.append(f'{name} localized, error {error}, ± {spread:.2f} m')
    return ', '.join(parts)

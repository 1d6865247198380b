# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A route past, between and to objects, built goal by goal as way points."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.objects.answer import WayPoint
from world_model_core.objects.navigation.approach_poses import (
    MOST_STANDOFF,
    find_approach_poses,
    gap_crossing,
)
from world_model_core.objects.navigation.convex_outlines import distances, find_gap
from world_model_core.objects.navigation.costmap import OBSTACLE, ROBOT_RADIUS
from world_model_core.objects.navigation.route_search import find_route

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.objects.navigation.costmap import Costmap

__all__ = ['RoutePlanner']

# A gap narrower than a robot [m].
NARROW = 0.5


class RoutePlanner:
    """
    Plans a route over a costmap, one goal after another.

    Parameters
    ----------
    costmap : Costmap
        Costs of keepout zones included.
    start : array, shape (2,), optional
        Position of the robot [m]; without it the route starts at the first goal.

    Attributes
    ----------
    position : array, shape (2,), or None
        End of the route so far [m].
    way_points : list of WayPoint
    notes : list of str
        Problems for the user: narrow or blocked gaps, goals that cannot be reached.

    """

    def __init__(self, costmap: Costmap, start: Array | None) -> None:
        self._costmap, self._start = costmap, start
        self.position = start
        self.way_points: list[WayPoint] = []
        self.notes: list[str] = []

    @property
    def route(self) -> Array:
        """Positions along the route [m], shape (m, 2), the start included."""
        points = [(point.x, point.y) for point in self.way_points]
        if self._start is not None:
            points.insert(0, (float(self._start[0]), float(self._start[1])))
        return np.array(points).reshape(-1, 2)

    def go_to(self, outline: Array, center: Array, name: str, reason: str) -> None:
        """
        Add an approach pose at an object, facing its center.

        Parameters
        ----------
        outline : array, shape (m, 2)
            Footprint of the object [m].
        center : array, shape (2,)
            [m].
        name : str
            Name of the object for notes.
        reason : str
            Reason of the way point.

        """
        poses = find_approach_poses(self._costmap, outline)
        self._drive(poses.positions, poses.penalties, reason, center)
        apart = float(distances(self._here(), outline))
        if apart > MOST_STANDOFF + self._costmap.cell:
            self.notes.append(f'no route leads closer than {apart:.1f} m to {name}')

    def pass_between(
        self, outlines: tuple[Array, Array], centers: tuple[Array, Array], names: str, reason: str
    ) -> None:
        """
        Add way points through the gap between two objects, before, inside and behind it.

        Parameters
        ----------
        outlines : tuple of two arrays, shapes (m, 2) and (n, 2)
            Footprints of the objects [m].
        centers : tuple of two arrays, shape (2,)
            [m].
        names : str
            Names of both objects for notes.
        reason : str
            Reason of the way point inside the gap.

        """
        gap = find_gap(*outlines)
        if gap.width < NARROW:
            self.notes.append(f'the gap between {names} is only {gap.width:.1f} m wide')
        elif gap.width > 2.0 * ROBOT_RADIUS and self._costmap.costs_at(gap.middle) >= OBSTACLE:
            self.notes.append(f'an obstacle blocks the gap between {names}')
        places = gap_crossing(self._costmap, gap, centers[1] - centers[0], self.position)
        for place in places:
            inside = place is gap.middle
            words = reason if inside else f'to pass between {names}'
            self._drive(place[None], np.zeros(1), words, None, is_goal=inside)

    def _drive(
        self,
        places: Array,
        penalties: Array,
        reason: str,
        facing: Array | None,
        *,
        is_goal: bool = True,
    ) -> None:
        """Add the cheapest route to one of some places; bends become way points."""
        if self.position is None:
            end = places[None, int(penalties.argmin())]
        else:
            found = find_route(self._costmap, self.position, places, penalties)
            if found is None:
                self.notes.append(f'no route found: {reason}')
            end = places[None, int(penalties.argmin())] if found is None else found
        for point in end[:-1]:
            self._add(point, f'on the way: {reason}', is_goal=False)
        self._add(end[-1], reason, is_goal=is_goal, facing=facing)

    def _add(
        self, point: Array, reason: str, *, is_goal: bool, facing: Array | None = None
    ) -> None:
        """Add a way point; its heading is towards `facing`, or else the direction of travel."""
        x, y = point.tolist()
        ahead = self._travel_to(point) if facing is None else facing - point
        theta = float(np.arctan2(ahead[1], ahead[0]))
        self.way_points.append(WayPoint(x, y, theta, reason, is_goal))
        self.position = point

    def _travel_to(self, point: Array) -> Array:
        return np.zeros(2) if self.position is None else point - self.position

    def _here(self) -> Array:
        return np.zeros(2) if self.position is None else self.position

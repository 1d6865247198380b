# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Grid of a floor with obstacles: where a robot can drive, and paths between places."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.ndimage import label
from scipy.sparse import coo_array
from scipy.sparse.csgraph import dijkstra

from world_model_core.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.simulation.house.values import AxisAlignedBox, SimulatedHouse

__all__ = ['FloorGrid', 'house_floor']

CELL = 0.1
# Clearance of a robot that passes doors, and height below which objects are obstacles [m].
RADIUS, ROBOT_HEIGHT = 0.25, 1.2
# Height of obstacles that the robot drives over [m].
STEP = 0.03
NEIGHBORS = ((1, 0), (0, 1), (1, 1), (1, -1))
EVERYWHERE = np.ones((3, 3))


class FloorGrid:
    """
    Grid of the places that a robot can reach from its start.

    Parameters
    ----------
    low, high : array, shape (2,)
        Corners of the floor [m].
    obstacles : iterable of AxisAlignedBox
    start : array, shape (2,)
        If it is not free, the largest connected part of the floor is reachable.
    clearance : float
        Least distance from the center of the robot to an obstacle [m].

    Raises
    ------
    ConfigurationError
        No place is free.

    Attributes
    ----------
    points : array, shape (n, 2)
        Centers of all free cells [m].

    """

    def __init__(
        self,
        low: Array,
        high: Array,
        obstacles: Iterable[AxisAlignedBox],
        start: Array,
        clearance: float = RADIUS,
    ) -> None:
        self._low, self._clearance = low, clearance
        counts = np.ceil((high - low) / CELL).astype(np.intp)
        self._free = np.ones(tuple(counts), dtype=np.bool_)
        for box in obstacles:
            self._block(box)
        self._keep_reachable(start)
        self._cells = np.argwhere(self._free)
        self.points: Array = self._low + (self._cells + 0.5) * CELL
        # int32, as the graph algorithms of SciPy 1.11 accept no longer indices.
        self._numbers = np.full(self._free.shape, -1, dtype=np.int32)
        self._numbers[self._free] = np.arange(len(self._cells))
        self._graph = self._link()

    @property
    def area(self) -> float:
        """Area of all free cells [m^2]."""
        return len(self.points) * CELL**2

    def path(self, start: Array, end: Array) -> Array:
        """
        Find a short path between two places (x, y), as corners (n, 2) [m] without the start.

        It begins and ends at the nearest free cells.
        """
        first, last = self.nearest(start), self.nearest(end)
        _, before = dijkstra(self._graph, directed=False, indices=last, return_predecessors=True)
        route = [first]
        while route[-1] != last:
            route.append(int(before[route[-1]]))
        return self._shorten(self.points[route])

    def nearest(self, place: Array) -> int:
        """Return the index in `points` of the free cell nearest to a place (x, y)."""
        return int(np.linalg.norm(self.points - place, axis=1).argmin())

    def spread(self, low: Array, high: Array, count: int) -> Array:
        """
        Return places in a rectangle: the free one nearest to its center, then the farthest ones.

        Parameters
        ----------
        low, high : array, shape (2,)
            Corners of the rectangle [m].
        count : int

        Returns
        -------
        array, shape (count, 2)
            Each of the others is as far from all before as possible [m].

        """
        inside = ((self.points >= low) & (self.points <= high)).all(axis=1)
        points = self.points[inside]
        places = [self.points[self.nearest((low + high) / 2.0)]]
        distances = np.full(len(points), np.inf)
        for _ in range(count - 1):
            distances = np.minimum(distances, np.linalg.norm(points - places[-1], axis=1))
            places.append(points[distances.argmax()])
        return np.array(places)

    def _block(self, box: AxisAlignedBox) -> None:
        """Remove the cells whose centers are too close to a box."""
        reach = self._clearance
        low = np.floor((box.low[:2] - reach - self._low) / CELL + 0.5).astype(np.intp)
        high = np.ceil((box.high[:2] + reach - self._low) / CELL - 0.5).astype(np.intp)
        low, high = np.maximum(low, 0), np.maximum(high, 0)
        self._free[low[0] : high[0], low[1] : high[1]] = False

    def _keep_reachable(self, start: Array) -> None:
        """Remove the free cells that are not connected with the start."""
        patches, count = label(self._free, EVERYWHERE)
        if not count:
            raise ConfigurationError('obstacles cover the whole floor: no place is free')
        cell = np.clip(self._cell(start), 0, np.array(self._free.shape) - 1)
        own = patches[tuple(cell)] or np.bincount(patches.ravel())[1:].argmax() + 1
        self._free &= patches == own

    def _cell(self, place: Array) -> NDArray[np.intp]:
        return np.floor((place - self._low) / CELL).astype(np.intp)

    def _link(self) -> coo_array:
        """Connect neighboring free cells, weighted by their distance."""
        rows, columns, lengths = [], [], []
        padded = np.pad(self._numbers, 1, constant_values=-1)
        x, y = self._cells.T + 1
        for dx, dy in NEIGHBORS:
            other = padded[x + dx, y + dy]
            joined = np.flatnonzero(other >= 0).astype(np.int32)
            rows.append(joined)
            columns.append(other[joined])
            lengths.append(np.full(len(joined), np.hypot(dx, dy)))
        indices = (np.concatenate(rows), np.concatenate(columns))
        return coo_array((np.concatenate(lengths), indices), shape=(len(x), len(x))).tocsr()

    def _shorten(self, route: Array) -> Array:
        """Remove corners that a straight line can skip."""
        corners, here = [], 0
        while here < len(route) - 1:
            ahead = len(route) - 1
            while ahead > here + 1 and not self._is_straight(route[here], route[ahead]):
                ahead = (here + ahead) // 2
            corners.append(route[ahead])
            here = ahead
        return np.array(corners).reshape(-1, 2)

    def _is_straight(self, start: Array, end: Array) -> bool:
        count = int(np.linalg.norm(end - start) / CELL * 2.0) + 2
        x, y = self._cell(np.linspace(start, end, count)).T
        return bool(self._free[x, y].all())


def house_floor(house: SimulatedHouse, clearance: float = RADIUS) -> FloorGrid:
    """Return the grid of the places that a robot can reach from the center of the first room."""
    low, high = house.bounds.low[:2], house.bounds.high[:2]
    return FloorGrid(low, high, _obstacles(house), house.rooms[0].middle, clearance)


def _obstacles(house: SimulatedHouse) -> Iterator[AxisAlignedBox]:
    """Return the boxes of all obstacles."""
    yield from (wall for wall in house.walls if wall.low[2] < ROBOT_HEIGHT)
    for item in house.items:
        box = item.bounds
        if item.label != 'door' and box.low[2] < ROBOT_HEIGHT and box.high[2] > STEP:
            yield box

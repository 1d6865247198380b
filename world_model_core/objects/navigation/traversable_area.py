# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Traversable floor, received in pieces, and the share of it that the robot has seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.spatial import cKDTree

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array

__all__ = ['CELL', 'MOST_CELLS', 'SEEN', 'TraversableArea']

# Width of the squares in which points are stored [m].
CELL = 0.1
# 10,000 m^2; further points are dropped.
MOST_CELLS = 1_000_000
# Largest index of a square in each direction.
REACH = 1 << 24
# Distance from the robot's path within which the floor counts as seen [m]: half the range of
# detectors.
SEEN = 2.5
# Spacing of the stored positions of the robot [m].
SPACING = 0.25


class TraversableArea:
    """Squares of the floor where a robot can drive; empty at first."""

    def __init__(self) -> None:
        self._cells: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self._visited = np.empty((0, 2))

    def __len__(self) -> int:
        """Count the squares."""
        return len(self._cells)

    def add(self, points: Array) -> None:
        """Add points, shape (n, 2 or 3) [m]; points farther away than 1,600 km are dropped."""
        grid = np.floor(points[:, :2] / CELL)
        near = (np.abs(grid) < REACH).all(axis=1)
        x, y = (grid[near].astype(np.int64) + REACH).T
        joined: NDArray[np.int64] = np.union1d(self._cells, x * (2 * REACH) + y)
        if len(joined) <= MOST_CELLS:
            self._cells = joined

    @property
    def points(self) -> Array | None:
        """Centers of the squares, shape (n, 2) [m]; None if there are none."""
        if not len(self._cells):
            return None
        grid = np.column_stack(np.divmod(self._cells, 2 * REACH)) - REACH
        middles: Array = (grid + 0.5) * CELL
        return middles

    def visit(self, x: float, y: float) -> None:
        """Add a position of the robot [m]."""
        place = np.array(((x, y),))
        apart = np.linalg.norm(self._visited - place, axis=1)
        if not (apart < SPACING).any() and len(self._visited) < MOST_CELLS:
            self._visited = np.concatenate((self._visited, place))

    @property
    def coverage(self) -> float | None:
        """Share of the floor that the robot has seen, within [0, 1]; None if unknown."""
        points = self.points
        if points is None or not len(self._visited):
            return None
        apart, _ = cKDTree(self._visited).query(points, distance_upper_bound=SEEN)
        return float(np.isfinite(apart).mean())

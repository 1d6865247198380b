# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The floor on which a robot can drive, told piece by piece, and how much of it it has seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.spatial import cKDTree

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array

# A place stands for the square around it [m].
CELL = 0.1
# A house of 10,000 m^2; what is told beyond is not kept.
MOST_CELLS = 1_000_000
# Squares are counted from so far left of and below the origin, up to as far beyond it [cells].
REACH = 1 << 24
# What a robot has been so near to it has seen from all sides [m]: half of how far detectors see.
SEEN = 2.5
# Places where it has been are so far apart [m].
SPACING = 0.25


class TraversableArea:
    """What was told piece by piece, as squares; empty at first."""

    def __init__(self) -> None:
        self._cells: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self._visited = np.empty((0, 2))

    def __len__(self) -> int:
        """Count the squares."""
        return len(self._cells)

    def add(self, points: Array) -> None:
        """Add places, shape (n, 2 or 3) [m]; those farther than 1,600 km away are none."""
        grid = np.floor(points[:, :2] / CELL)
        near = (np.abs(grid) < REACH).all(axis=1)
        x, y = (grid[near].astype(np.int64) + REACH).T
        joined: NDArray[np.int64] = np.union1d(self._cells, x * (2 * REACH) + y)
        if len(joined) <= MOST_CELLS:
            self._cells = joined

    @property
    def points(self) -> Array | None:
        """The middles of the squares, shape (n, 2) [m]; None where nothing was told."""
        if not len(self._cells):
            return None
        grid = np.column_stack(np.divmod(self._cells, 2 * REACH)) - REACH
        middles: Array = (grid + 0.5) * CELL
        return middles

    def visit(self, x: float, y: float) -> None:
        """Tell where the robot is [m]."""
        place = np.array(((x, y),))
        apart = np.linalg.norm(self._visited - place, axis=1)
        if not (apart < SPACING).any() and len(self._visited) < MOST_CELLS:
            self._visited = np.concatenate((self._visited, place))

    @property
    def coverage(self) -> float | None:
        """Part of the floor that the robot has seen, within [0, 1]; None where nobody knows."""
        points = self.points
        if points is None or not len(self._visited):
            return None
        apart, _ = cKDTree(self._visited).query(points, distance_upper_bound=SEEN)
        return float(np.isfinite(apart).mean())

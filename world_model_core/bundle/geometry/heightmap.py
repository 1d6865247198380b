# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Heights of the ground at the nodes of a grid.

Node (0, 0) is AT the origin: node (row, column) is at origin + (column, row) * resolution, so that
a grid of w by h nodes covers (w - 1) by (h - 1) steps. Heights are absolute in the map.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.spatial import cKDTree

from world_model_core.bundle.equality import Comparable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray

    from world_model_core.gaussian import Array

# Coordinates of the last nodes are rounded: points may be off the grid by this part of a step.
ROUNDING = 1e-6
# Number of points in a block, so that intermediate results stay in the processor's cache.
BLOCK = 16384
# Maximum number of nodes of a sample.
SAMPLES = 250_000


@dataclass(frozen=True, slots=True, eq=False)
class Heightmap(Comparable):
    """
    Heights of the ground, in the map's frame.

    Attributes
    ----------
    version : str
        Of the file's format.
    heights : array of float32, shape (h, w)
        Row by row, x along columns [m]; NaN is unknown. Read-only and memory-mapped if read from
        a file.
    resolution : float
        Between two nodes [m].
    origin : tuple of float
        x, y of node (0, 0) [m].
    height_range : tuple of float
        Least and largest height, as the file declares them [m].
    reference_height : float
        origin.z of the file [m]; not added to the heights.
    extra : mapping
        Keys that are not in the contract.

    """

    version: str
    heights: NDArray[np.float32]
    resolution: float
    origin: tuple[float, float]
    height_range: tuple[float, float]
    reference_height: float = 0.0
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def first_node(self) -> Array:
        """x, y of the node with the least coordinates, shape (2,) [m]."""
        return np.array(self.origin)

    @property
    def last_node(self) -> Array:
        """x, y of the node with the largest coordinates, shape (2,) [m]."""
        rows, columns = self.heights.shape
        return self.first_node + self.resolution * np.array((columns - 1.0, rows - 1.0))

    def heights_at(self, points: ArrayLike) -> Array:
        """
        Interpolate between the four nodes around each point.

        Parameters
        ----------
        points : array, shape (..., 2)
            x, y in the map [m].

        Returns
        -------
        array, shape (...)
            Heights [m]; NaN off the grid, and where one of the four nodes is NaN, even where
            that node has no weight. For a point on a line of nodes the four are those towards
            larger x and y, but on the last row and column.

        """
        given = np.asarray(points, dtype=np.float64)
        if given.shape[-1:] != (2,):
            raise ValueError(f'points have shape {given.shape}; the last axis must be x, y')
        flat = given.reshape(-1, 2)
        heights, nodes = np.empty(len(flat)), self.heights.ravel()
        for start in range(0, len(flat), BLOCK):
            block = slice(start, start + BLOCK)
            heights[block] = self._interpolate(nodes, flat[block])
        return heights.reshape(given.shape[:-1])

    def nearest_heights_at(self, points: Array) -> Array:
        """
        Return heights also where the ground is unknown: there those of the nearest known node.

        Parameters
        ----------
        points : array, shape (n, 2)
            x, y in the map [m].

        """
        heights = self.heights_at(points)
        unknown = np.isnan(heights)
        if unknown.any():
            nodes = self.known_nodes()
            _, nearest = cKDTree(nodes[:, :2]).query(points[unknown])
            heights[unknown] = nodes[nearest, 2]
        return heights

    def known_nodes(self) -> Array:
        """Return at most `SAMPLES` nodes of known height, evenly spaced, shape (n, 3) [m]."""
        step = max(1, math.ceil(math.sqrt(self.heights.size / SAMPLES)))
        if not np.isfinite(self.heights[::step, ::step]).any():
            step = 1
        row, column = (
            step * each for each in np.nonzero(np.isfinite(self.heights[::step, ::step]))
        )
        some = slice(None, None, max(1, math.ceil(len(row) / SAMPLES)))
        row, column = row[some], column[some]
        places = self.first_node + self.resolution * np.column_stack((column, row))
        return np.column_stack((places, self.heights[row, column].astype(np.float64)))

    def _interpolate(self, nodes: NDArray[np.float32], points: Array) -> Array:
        rows, columns = self.heights.shape
        with np.errstate(over='ignore'):
            x = (points[:, 0] - self.origin[0]) / self.resolution
            y = (points[:, 1] - self.origin[1]) / self.resolution
        inside = (x >= -ROUNDING) & (x <= columns - 1 + ROUNDING)
        inside &= (y >= -ROUNDING) & (y <= rows - 1 + ROUNDING)
        column, right = _split(np.where(inside, x, 0.0), columns)
        row, up = _split(np.where(inside, y, 0.0), rows)
        # A grid may be a single row or column: it then has no other side.
        beside, above = min(1, columns - 1), min(1, rows - 1) * columns
        first = row * columns + column
        lower = _between(nodes[first], nodes[first + beside], right)
        upper = _between(nodes[first + above], nodes[first + (above + beside)], right)
        heights = _between(lower, upper, up)
        heights[~inside] = np.nan
        return heights


def _split(steps: Array, count: int) -> tuple[NDArray[np.intp], Array]:
    """Split places along an axis of `count` nodes into the node before each, and the rest."""
    nodes = np.clip(steps.astype(np.intp), 0, max(count - 2, 0))
    return nodes, np.clip(steps - nodes, 0.0, 1.0)


def _between(first: NDArray[Any], second: NDArray[Any], part: Array) -> Array:
    """Interpolate; NaN on either side gives NaN, also without weight."""
    between: Array = first + (second - first) * part
    return between

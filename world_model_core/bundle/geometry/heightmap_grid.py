# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Heightmap as an occupancy grid, and as points for display."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.bundle.geometry.drivable_area import DrivableArea
    from world_model_core.bundle.geometry.heightmap import Heightmap

# Values of nav_msgs/OccupancyGrid.
FREE, OCCUPIED, UNKNOWN = 0, 100, -1
# Maximum number of nodes of one lookup, to limit memory.
BLOCK = 1 << 18


def occupancy(drivable: DrivableArea, heightmap: Heightmap) -> NDArray[np.int8]:
    """
    Return the occupancy of each node of a heightmap.

    Returns
    -------
    array of int8, shape (h, w)
        FREE in the drivable area; outside OCCUPIED, or UNKNOWN if the height is unknown.

    """
    rows, columns = heightmap.heights.shape
    cells = np.where(np.isnan(heightmap.heights), UNKNOWN, OCCUPIED).astype(np.int8)
    x = heightmap.origin[0] + heightmap.resolution * np.arange(columns)
    step = max(1, BLOCK // columns)
    for first in range(0, rows, step):
        row = np.arange(first, min(first + step, rows))
        y = heightmap.origin[1] + heightmap.resolution * row
        nodes = np.stack(np.broadcast_arrays(x, y[:, None]), axis=-1)
        cells[row[0] : row[-1] + 1][drivable.contains(nodes)] = FREE
    return cells


def ground_points(heightmap: Heightmap, most: int) -> NDArray[np.float32]:
    """
    Return the nodes of a heightmap as points: every n-th node of every n-th row.

    Parameters
    ----------
    heightmap : Heightmap
    most : int
        Maximum number of points.

    Returns
    -------
    array of float32, shape (rows, columns, 3)
        x, y, z in the map [m]; z is NaN if the height is unknown.

    """
    stride = _stride(heightmap.heights.shape, most)
    heights = heightmap.heights[::stride, ::stride]
    rows, columns = heights.shape
    step = stride * heightmap.resolution
    points = np.empty((rows, columns, 3), dtype=np.float32)
    points[..., 0] = heightmap.origin[0] + step * np.arange(columns)
    points[..., 1] = heightmap.origin[1] + step * np.arange(rows)[:, None]
    points[..., 2] = heights
    return points


def _stride(shape: tuple[int, ...], most: int) -> int:
    """Return the smallest stride that leaves at most `most` nodes, at least 1."""
    rows, columns = shape
    stride = max(1, math.isqrt(rows * columns // most))
    while math.ceil(rows / stride) * math.ceil(columns / stride) > most:
        stride += 1
    return stride

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Mesh of the ground from a heightmap, for bundles without a mesh."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.bundle.geometry.mesh import Mesh

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.bundle.geometry.heightmap import Heightmap


def mesh_from_heightmap(heightmap: Heightmap, most_triangles: int | None = None) -> Mesh:
    """
    Create two triangles for each cell with four known heights; front faces are above.

    Parameters
    ----------
    heightmap : Heightmap
    most_triangles : int, optional
        Maximum number of triangles. Nodes of a larger mesh are skipped evenly, in both
        directions alike; the last row and column may be skipped.

    """
    step = 1 if most_triangles is None else _step(heightmap.heights.shape, most_triangles)
    heights = heightmap.heights[::step, ::step]
    known = np.isfinite(heights)
    cells = known[:-1, :-1] & known[:-1, 1:] & known[1:, :-1] & known[1:, 1:]
    corners = _corners(cells)
    used = np.zeros(heights.size, dtype=np.bool_)
    used[corners] = True
    faces = (np.cumsum(used) - 1).astype(np.int32)[corners]
    rows, columns = np.divmod(np.flatnonzero(used), heights.shape[1])
    spacing = step * heightmap.resolution
    x, y = heightmap.origin[0] + spacing * columns, heightmap.origin[1] + spacing * rows
    vertices = np.column_stack((x, y, heights[rows, columns])).astype(np.float32)
    return Mesh(vertices, faces)


def _step(shape: tuple[int, ...], most: int) -> int:
    """Return the step between nodes for at most `most` triangles."""
    rows, columns = shape
    step = max(1, int(np.sqrt(2.0 * (rows - 1) * (columns - 1) / max(most, 1))))
    while 2 * ((rows - 1) // step) * ((columns - 1) // step) > most:
        step += 1
    return step


def _corners(cells: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return the nodes of two triangles per cell, shape (2 n, 3), counter-clockwise from above."""
    rows, columns = np.nonzero(cells)
    width = cells.shape[1] + 1
    first = rows * width + columns
    right, above, across = first + 1, first + width, first + width + 1
    lower = np.stack((first, right, across), axis=1)
    upper = np.stack((first, across, above), axis=1)
    return np.concatenate((lower, upper))

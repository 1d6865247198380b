# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The ground as a mesh in bands of height, as on a map."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.bundle.geometry.terrain_mesh import mesh_from_heightmap
from world_model_core.view.batches import UPRIGHT, MarkMesh, Meshes
from world_model_core.view.colors import array_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.bundle.geometry.heightmap import Heightmap
    from world_model_core.gaussian import Array
    from world_model_core.view.colors import Color
    from world_model_core.view.scene import Marks

__all__ = ['BANDS', 'ground_marks']

# Most triangles of the ground: more take long on a software renderer.
MOST_TRIANGLES = 30_000
# The ground is drawn lower than it is, so that it does not cut the splats that lie on it [m].
LOWERED = 0.2
# Colors from low to high, the lighter part of cividis (Nunez, Anderton, Renslow, Optimizing
# colormaps with consideration for color vision deficiency, PLOS ONE 13(7), 2018).
BANDS = (
    (59, 73, 108), (87, 93, 109), (112, 113, 115), (138, 134, 121), (165, 156, 117),
    (193, 180, 104), (223, 206, 86), (254, 232, 56),
)  # fmt: skip
# Parts of the heights beyond which bands are not stretched on either side [%].
OUTLIERS = 1.0


def ground_marks(prefix: str, heightmap: Heightmap) -> Marks:
    """
    Return the ground as meshes `PREFIX/0`, `PREFIX/1` and so on, one for each band of height.

    Parameters
    ----------
    prefix : str
    heightmap : Heightmap
        Cells with an unknown height are left open.

    """
    mesh = mesh_from_heightmap(heightmap, MOST_TRIANGLES)
    if not len(mesh.faces):
        return {}
    vertices = mesh.vertices.astype(np.float64)
    bands = _bands(vertices[mesh.faces, 2].mean(axis=1))
    return {
        f'{prefix}/{band}': _band(vertices, mesh.faces[bands == band], (*BANDS[band], 255))
        for band in np.unique(bands).tolist()
    }


def _bands(heights: Array) -> NDArray[np.intp]:
    """Return the band of each height; all are in the middle one if the ground is flat."""
    low, high = np.percentile(heights, (OUTLIERS, 100.0 - OUTLIERS))
    if not high > low:
        return np.full(len(heights), len(BANDS) // 2)
    parts = (heights - low) / (high - low)
    bands: NDArray[np.intp] = np.clip((parts * len(BANDS)).astype(np.intp), 0, len(BANDS) - 1)
    return bands


def _band(vertices: Array, faces: NDArray[np.int32], color: Color) -> Meshes:
    used, triangles = np.unique(faces, return_inverse=True)
    shape = MarkMesh(vertices[used], triangles.reshape(-1, 3))
    origin, unit = np.array(((0.0, 0.0, -LOWERED),)), np.ones(3)
    return Meshes(shape, ('ground',), origin, UPRIGHT, unit, array_of(color))

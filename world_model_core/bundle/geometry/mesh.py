# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Triangles of static objects in the map frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.bundle.equality import Comparable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from world_model_core.gaussian import Array

# Color of vertices without one, the default of glTF.
WHITE = 255


@dataclass(frozen=True, slots=True, eq=False)
class Mesh(Comparable):
    """
    Triangles in the map: z is up, unlike in other glTF files.

    Attributes
    ----------
    vertices : array of float32, shape (n, 3)
        [m]
    faces : array of int32, shape (m, 3)
        Three vertices each, counter-clockwise as seen from outside.
    colors : array of uint8, shape (n, 3), optional
        r, g, b of each vertex; None where the file has none.

    """

    vertices: NDArray[np.float32]
    faces: NDArray[np.int32]
    colors: NDArray[np.uint8] | None = None

    @property
    def lowest(self) -> Array:
        """Least x, y, z, shape (3,) [m]."""
        return np.asarray(self.vertices.min(axis=0), dtype=np.float64)

    @property
    def highest(self) -> Array:
        """Largest x, y, z, shape (3,) [m]."""
        return np.asarray(self.vertices.max(axis=0), dtype=np.float64)

    def area_vectors(self, part: slice = slice(None)) -> Array:
        """Compute the normals of triangles, as long as their areas, shape (m, 3) [m^2]."""
        corners = self.vertices[self.faces[part]].astype(np.float64)
        return 0.5 * np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])


def join(meshes: Sequence[Mesh]) -> Mesh:
    """Join meshes; the result has colors if any of them has."""
    counts = [len(each.vertices) for each in meshes]
    starts = np.cumsum([0, *counts])
    faces = [each.faces + start for each, start in zip(meshes, starts.tolist(), strict=False)]
    colored = any(each.colors is not None for each in meshes)
    colors = [
        np.full((n, 3), WHITE, np.uint8) if each.colors is None else each.colors
        for each, n in zip(meshes, counts, strict=True)
    ]
    return Mesh(
        np.concatenate([np.empty((0, 3), np.float32), *(each.vertices for each in meshes)]),
        np.concatenate([np.empty((0, 3), np.int32), *faces]),
        np.concatenate(colors) if colored else None,
    )

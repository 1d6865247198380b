# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Triangles of what stands still, in the map's frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
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

    @property
    def area_vectors(self) -> Array:
        """Normal of each triangle, as long as its area, shape (m, 3) [m^2]."""
        corners = self.vertices.astype(np.float64)[self.faces]
        return 0.5 * np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])

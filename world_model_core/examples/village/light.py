# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Sun and sky of the example scene: brightness of Gaussians, and shadows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.bundle.rendering.splat_picture import SH_BAND_1
from world_model_core.examples.village.ground import heights
from world_model_core.examples.village.houses import house_tops
from world_model_core.examples.village.plan import HIGHEST, HOUSES, LOWEST

if TYPE_CHECKING:
    from world_model_core.examples.village.paint import Paint
    from world_model_core.examples.village.trees import Tree
    from world_model_core.gaussian import Array

SUN = np.array((-0.60, -0.48, 0.64)) / np.linalg.norm((-0.60, -0.48, 0.64))
EXPOSURE = 1.12
SUNLIGHT, SKYLIGHT = np.array((0.86, 0.78, 0.62)), np.array((0.42, 0.48, 0.58))
SHINE = 0.35  # brightness of a perfect reflection of the sun
# Shadows: resolution of the raster of heights, step and length of the rays to the sun [m].
RASTER, STRIDE, REACH = 0.4, 0.7, 22.0
# Minimum height above a Gaussian of an object that shades it, so that none shades itself [m].
CLEARANCE = 0.35


class Shadows:
    """
    Shadows, from a raster of the highest object at each node.

    Parameters
    ----------
    trees : sequence of Tree

    """

    def __init__(self, trees: tuple[Tree, ...]) -> None:
        axes = (np.arange(low, high, RASTER) for low, high in zip(LOWEST, HIGHEST, strict=True))
        nodes = np.stack(np.meshgrid(*axes, indexing='ij'), axis=-1)
        self._tops = heights(nodes)
        for house in HOUSES:
            self._raise(house_tops(house, nodes))
        for tree in trees:
            self._raise(tree.tops(nodes))

    def _raise(self, tops: Array) -> None:
        self._tops = np.fmax(self._tops, tops)

    def sunlit(self, points: Array) -> Array:
        """Return the fraction of sunlight at points, shape (n, 3), from 0 to 1, shape (n,)."""
        free = np.ones(len(points))
        for distance in np.arange(STRIDE, REACH, STRIDE):
            on_way = points + distance * SUN
            cells = np.round((on_way[:, :2] - LOWEST) / RASTER).astype(int)
            inside = ((cells >= 0) & (cells < self._tops.shape)).all(axis=1)
            row, column = np.where(inside[:, None], cells, 0).T
            over = self._tops[row, column] - on_way[:, 2] - CLEARANCE
            # Soft edges of shadows: a Gaussian half behind an edge is half lit.
            free = np.where(inside, np.minimum(free, np.clip(1.0 - over / 0.6, 0.0, 1.0)), free)
        return free


def shaded_colors(paint: Paint, shadows: Shadows) -> Array:
    """Return the colors of Gaussians in sun, sky and shade, shape (n, 3), 0 to 1."""
    facing = np.clip(paint.normals @ SUN, 0.0, 1.0) * shadows.sunlit(paint.positions)
    open_sky = 0.65 + 0.35 * paint.normals[:, 2]
    light = facing[:, None] * SUNLIGHT + open_sky[:, None] * SKYLIGHT
    return np.asarray(np.clip(paint.colors * light * EXPOSURE, 0.0, 1.0))


def gloss_harmonics(paint: Paint) -> Array:
    """
    Return reflections of the sun by glossy Gaussians as spherical harmonics of degree 1.

    Returns
    -------
    array, shape (n, 3, 3)
        Coefficients by function and color. For a view along d, the reflected direction is
        d - 2 (d n) n, and the reflection is its component along the sun.

    """
    normals = paint.normals
    shine = SUN - 2.0 * (normals @ SUN)[:, None] * normals
    x, y, z = (SHINE * paint.gloss[:, None] * shine).T
    bands = np.stack((-y, z, -x), axis=1)
    return np.asarray(bands[:, :, None] * SUNLIGHT / SH_BAND_1)

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Land of the example scene as Gaussians: grass, flowers, the rows of a field, and a pond."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.examples.village.ground import heights, normals
from world_model_core.examples.village.paint import Paint, discs, join_paint
from world_model_core.examples.village.plan import (
    FIELD,
    HIGHEST,
    HOUSES,
    LOWEST,
    POND,
    distance_to_road,
)

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import ArrayLike, NDArray

    from world_model_core.gaussian import Array

SPACING = 0.86  # distance of the discs [m]
GRASS, DRY_GRASS, MOSS = np.array(((0.36, 0.55, 0.20), (0.60, 0.64, 0.30), (0.24, 0.42, 0.19)))
SAND, GRAVEL, EARTH = np.array(((0.72, 0.65, 0.48), (0.60, 0.56, 0.48), (0.47, 0.34, 0.22)))
CROP = np.array((0.76, 0.68, 0.26))
SHALLOW, DEEP = np.array(((0.30, 0.52, 0.55), (0.10, 0.27, 0.40)))
ROW = 2.4  # distance between rows of the field [m]
STALKS = (0.9, 0.6)  # distance of discs along and across a row [m]
RIM = 0.25  # distance of the outermost discs from the border [m]
FLOWERS = 320
PETALS = np.array(((0.98, 0.93, 0.55), (0.95, 0.95, 0.98), (0.86, 0.45, 0.62)))


def paint_land(rng: Generator) -> Paint:
    """Return the Gaussians of the ground without roads and houses."""
    points = _grid(rng)
    points = points[~_in_field(points, 0.0)]
    covered = np.min([house.distance(points) for house in HOUSES], axis=0) <= 0.0
    points = points[(distance_to_road(points) > 0.25) & ~covered]
    in_pond = POND.distance(points) < -0.2
    land = _ground_discs(points[~in_pond], land_colors(points[~in_pond], rng))
    flowers, water = _flowers(points[~in_pond], rng), _water(points[in_pond], rng)
    return join_paint((land, _rim(rng), _crops(rng), flowers, water))


def land_colors(points: Array, rng: Generator) -> Array:
    """Return the colors of the land, shape (n, 3), at x, y, shape (n, 2)."""
    x, y = points.T
    patches = 0.5 + 0.25 * (np.sin(0.19 * x + 0.8) + np.sin(0.23 * y - 0.11 * x + 2.0))
    colors = _mix(GRASS, DRY_GRASS, patches * rng.uniform(0.5, 1.0, len(x)))
    colors = _mix(colors, MOSS, np.clip((y - 14.0) / 14.0, 0.0, 0.8))
    ripe = (0.5 + 0.5 * np.cos(2.0 * np.pi * y / ROW))[:, None]
    field = _in_field(points, 0.0)[:, None]
    colors = np.where(field, GRASS * 0.9 * (1.0 - ripe) + CROP * ripe, colors)
    colors = _mix(colors, GRAVEL, 1.0 - (distance_to_road(points) - 0.2) / 1.0)
    colors = _mix(colors, SAND, 1.0 - (POND.distance(points) - 0.1) / 1.6)
    return np.asarray(colors * rng.uniform(0.9, 1.1, (len(x), 1)))


def _ground_discs(points: Array, colors: Array, size: ArrayLike = 0.56 * SPACING) -> Paint:
    positions = np.column_stack((points, heights(points)))
    return discs(positions, normals(points), (1.0, 0.0, 0.0), size, colors)


def _crops(rng: Generator) -> Paint:
    """Return the discs of the field along its rows."""
    (low_x, low_y), (high_x, high_y) = FIELD
    x, y = np.meshgrid(np.arange(low_x, high_x, STALKS[0]), np.arange(low_y, high_y, STALKS[1]))
    points = np.column_stack((x.ravel() + rng.uniform(-0.2, 0.2, x.size), y.ravel()))
    return _ground_discs(points, land_colors(points, rng), (0.55, 0.26))


def _rim(rng: Generator) -> Paint:
    """Return small discs along the border of the scene, so that it ends in a line."""
    sides = []
    for axis, other in ((0, 1), (1, 0)):
        along = np.arange(LOWEST[axis] + 0.2, HIGHEST[axis], 0.55)
        for end in (LOWEST[other] + RIM, HIGHEST[other] - RIM):
            side = np.empty((len(along), 2))
            side[:, axis], side[:, other] = along, end
            sides.append(side)
    points = np.concatenate(sides)
    points = points[distance_to_road(points) > 0.0]
    return _ground_discs(points, land_colors(points, rng), (0.26, 0.26))


def _water(points: Array, rng: Generator) -> Paint:
    depth = np.clip(-POND.distance(points) / 3.0, 0.0, 1.0)
    colors = _mix(SHALLOW, DEEP, depth) * rng.uniform(0.96, 1.04, (len(points), 1))
    positions = np.column_stack((points, heights(points)))
    size = np.array((0.85, 0.6)) * SPACING
    return discs(positions, (0.0, 0.0, 1.0), (1.0, 0.2, 0.0), size, colors, gloss=0.8)


def _flowers(points: Array, rng: Generator) -> Paint:
    """Scatter flowers on meadows."""
    x, y = points.T
    meadow = (np.sin(0.31 * x) + np.sin(0.37 * y + 1.0) > 0.6) & (y < 14.0)
    meadow &= (distance_to_road(points) > 1.8) & (POND.distance(points) > 2.0)
    meadow &= ~_in_field(points, 1.0)
    chosen = rng.permutation(points[meadow])[:FLOWERS]
    positions = np.column_stack((chosen, heights(chosen) + 0.08))
    colors = PETALS[rng.integers(len(PETALS), size=len(chosen))]
    return discs(positions, (0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.13, 0.13), colors)


def _in_field(points: Array, margin: float) -> NDArray[np.bool_]:
    """Return which points, shape (n, 2), are in the field or within a margin [m]."""
    return np.asarray(((points > FIELD[0] - margin) & (points < FIELD[1] + margin)).all(axis=1))


def _grid(rng: Generator) -> Array:
    x = np.arange(LOWEST[0] + 0.5 * SPACING, HIGHEST[0], SPACING)
    y = np.arange(LOWEST[1] + 0.5 * SPACING, HIGHEST[1], SPACING)
    grid = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    points = grid + rng.uniform(-0.28, 0.28, grid.shape) * SPACING
    return np.clip(points, LOWEST + 3.0 * RIM, HIGHEST - 3.0 * RIM)


def _mix(first: Array, second: Array, part: Array) -> Array:
    """Interpolate from the first color, (..., 3), to the second by `part`, (n,), from 0 to 1."""
    weight = np.clip(part, 0.0, 1.0)[:, None]
    return np.asarray(first * (1.0 - weight) + second * weight)

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The ground of the example scene: hills, a valley with a road, a pond, and building land."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.examples.village.plan import HOUSES, POND, distance_to_road

if TYPE_CHECKING:
    from world_model_core.gaussian import Array

WATER_LEVEL = -1.1  # [m]
# Waves that form the hills: amplitude [m], wave numbers along x and y [rad/m], phase [rad].
HILLS = (
    (1.7, 0.052, 0.071, 0.4), (1.2, -0.083, 0.064, 2.1), (0.8, 0.121, -0.094, 4.0),
    (0.35, 0.23, 0.19, 1.3), (0.22, -0.31, 0.27, 5.2), (0.10, 0.62, -0.55, 0.9),
)  # fmt: skip
# Rise of the land from the valley to the border, north and south [m].
RISE_NORTH, RISE_SOUTH = 9.0, 3.0
# Distance from the road with its height, and width of the transition to the hills [m].
ROAD_SHOULDER, ROAD_SLOPE = 5.0, 9.0


def heights(points: Array) -> Array:
    """
    Return the height of the ground.

    Parameters
    ----------
    points : array, shape (..., 2)
        x, y in the map [m].

    Returns
    -------
    array, shape (...)
        [m]

    """
    x, y = points[..., 0], points[..., 1]
    land = _hills(points) + RISE_NORTH * _smooth((y - 8.0) / 30.0)
    land = land + RISE_SOUTH * _smooth((-y - 14.0) / 24.0)
    valley = _smooth((distance_to_road(points) - ROAD_SHOULDER) / ROAD_SLOPE)
    ground = _road_profile(x, y) * (1.0 - valley) + land * valley
    for house in HOUSES:
        pad = _smooth((house.distance(points) - 1.0) / 4.0)
        ground = house.floor * (1.0 - pad) + ground * pad
    basin = _smooth((POND.distance(points) + 0.3) / 3.5)
    return np.asarray(WATER_LEVEL * (1.0 - basin) + ground * basin)


def normals(points: Array, step: float = 0.25) -> Array:
    """Return the normals of the ground, shape (..., 3), at points (..., 2)."""
    along_x, along_y = np.array((step, 0.0)), np.array((0.0, step))
    slope_x = (heights(points + along_x) - heights(points - along_x)) / (2.0 * step)
    slope_y = (heights(points + along_y) - heights(points - along_y)) / (2.0 * step)
    raw = np.stack((-slope_x, -slope_y, np.ones_like(slope_x)), axis=-1)
    return np.asarray(raw / np.linalg.norm(raw, axis=-1, keepdims=True))


def _hills(points: Array) -> Array:
    x, y = points[..., 0], points[..., 1]
    waves = (size * np.sin(kx * x + ky * y + phase) for size, kx, ky, phase in HILLS)
    return np.asarray(sum(waves))


def _road_profile(x: Array, y: Array) -> Array:
    """Return the height of the roads; the side street climbs [m]."""
    climb = np.maximum(y - 9.0, 0.0)
    return np.asarray(0.5 * np.sin(x / 21.0) + 0.012 * climb**1.8)


def _smooth(part: Array) -> Array:
    """Interpolate smoothly from 0 to 1 (smoothstep)."""
    clipped = np.clip(part, 0.0, 1.0)
    return np.asarray(clipped * clipped * (3.0 - 2.0 * clipped))

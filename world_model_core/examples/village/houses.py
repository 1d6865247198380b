# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Houses of the example scene as Gaussians, and their heights for shadows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.examples.village.paint import Paint, discs, join_paint
from world_model_core.examples.village.plan import HOUSES

if TYPE_CHECKING:
    from numpy.random import Generator

    from world_model_core.examples.village.plan import VillageHouse
    from world_model_core.gaussian import Array

GLASS, FRAME, DOOR = np.array(((0.28, 0.38, 0.47), (0.96, 0.95, 0.92), (0.42, 0.25, 0.15)))
STEP = 0.62  # distance between the discs of a wall or roof [m]
INSET = 0.3  # shadows start this far inside the walls, so that walls do not shade themselves [m]
EAVES = 0.5  # overhang of the roof [m]
PITCH = 0.62  # slope of the roof: rise over half the width


def house_tops(house: VillageHouse, points: Array) -> Array:
    """
    Return the height of the roof at x, y, shape (..., 2); NaN outside [m].

    The eaves are excluded: in a raster of heights, they would shade the walls below.
    """
    local = np.abs(house.local(points))
    half_length, half_width = np.array(house.size) / 2.0
    top = house.floor + house.wall + PITCH * (half_width - local[..., 1])
    over = (local[..., 0] < half_length - INSET) & (local[..., 1] < half_width - INSET)
    return np.where(over, top, np.nan)


def paint_houses(rng: Generator) -> Paint:
    """Return the Gaussians of all houses."""
    return join_paint(_paint(house, rng) for house in HOUSES)


def _paint(house: VillageHouse, rng: Generator) -> Paint:
    half_length, half_width = np.array(house.size) / 2.0
    parts = []
    for side in (-1.0, 1.0):
        parts.append(_roof(house, side, rng))
        parts.append(_long_wall(house, side * half_width, half_length, rng))
        parts.append(_gable_wall(house, side * half_length, half_width, rng))
    built = join_paint(parts)
    return replace(built, positions=house.to_map(built.positions), axes=house.turn @ built.axes)


def _long_wall(house: VillageHouse, y: float, half: float, rng: Generator) -> Paint:
    x, z = _tiles((-half, half), (0.0, house.wall))
    points = np.column_stack((x, np.full(len(x), y), z))
    wall = discs(
        points, (0.0, np.sign(y), 0.0), (1.0, 0.0, 0.0), (0.36, 0.36),
        house.wall_color * _tone(len(x), rng),
    )  # fmt: skip
    windows = np.array([(at, y + 0.06 * np.sign(y), 0.55 * house.wall) for at in (-2.6, 0.0, 2.6)])
    return join_paint((wall, _openings(windows, (0.0, np.sign(y), 0.0), (1.0, 0.0, 0.0))))


def _gable_wall(house: VillageHouse, x: float, half: float, rng: Generator) -> Paint:
    y, z = _tiles((-half, half), (0.0, house.wall + PITCH * half))
    under = z < house.wall + PITCH * (half - np.abs(y)) - 0.1
    y, z = y[under], z[under]
    points = np.column_stack((np.full(len(y), x), y, z))
    outward = (np.sign(x), 0.0, 0.0)
    wall = discs(
        points, outward, (0.0, 1.0, 0.0), (0.36, 0.36), house.wall_color * _tone(len(y), rng)
    )
    before = x + 0.06 * np.sign(x)
    windows = np.array([(before, at, 0.55 * house.wall) for at in (-1.7, 1.7)])
    door = discs(
        np.array([(before, 0.0, z) for z in (0.4, 0.9, 1.4)]), outward, (0.0, 1.0, 0.0),
        (0.28, 0.3), DOOR,
    )  # fmt: skip
    return join_paint((wall, door, _openings(windows, outward, (0.0, 1.0, 0.0))))


def _openings(points: Array, outward: tuple[float, ...], along: tuple[float, ...]) -> Paint:
    """Return windows: a white frame with glass in front."""
    frame = discs(points, outward, along, (0.42, 0.50), FRAME)
    glass = discs(
        points + 0.03 * np.array(outward), outward, along, (0.27, 0.34), GLASS, gloss=0.6
    )
    return join_paint((frame, glass))


def _roof(house: VillageHouse, side: float, rng: Generator) -> Paint:
    half_length, half_width = np.array(house.size) / 2.0
    slope = np.array((0.0, side, -PITCH)) / np.hypot(1.0, PITCH)
    down = (half_width + EAVES) * np.hypot(1.0, PITCH)
    x, along_slope = _tiles((-half_length - EAVES, half_length + EAVES), (0.0, down))
    ridge = np.column_stack(
        (x, np.zeros(len(x)), np.full(len(x), house.wall + PITCH * half_width + 0.08))
    )
    courses = 1.0 + 0.06 * np.cos(2.0 * np.pi * along_slope[:, None] / (2.0 * STEP))
    colors = np.clip(house.roof_color * _tone(len(x), rng, 0.1) * courses, 0.0, 1.0)
    outward = np.array((0.0, side * PITCH, 1.0))
    return discs(
        ridge + along_slope[:, None] * slope, outward, (1.0, 0.0, 0.0), (0.40, 0.34), colors
    )


def _tiles(first: tuple[float, float], second: tuple[float, float]) -> tuple[Array, Array]:
    """Divide a rectangle evenly, including its borders; return the centers, shape (n,) each."""
    inset = 0.3
    ranges = []
    for low, high in (first, second):
        count = max(2, round((high - low) / STEP))
        ranges.append(np.linspace(low + inset, high - inset, count))
    one, two = np.meshgrid(*ranges)
    return one.ravel(), two.ravel()


def _tone(count: int, rng: Generator, spread: float = 0.03) -> Array:
    return rng.uniform(1.0 - spread, 1.0 + spread, (count, 1))

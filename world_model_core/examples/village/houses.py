# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The houses of the example scene: as Gaussians, and as what casts shadows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.examples.village.paint import Paint, discs, together
from world_model_core.examples.village.plan import HOUSES

if TYPE_CHECKING:
    from numpy.random import Generator

    from world_model_core.examples.village.plan import VillageHouse
    from world_model_core.gaussian import Array

GLASS, FRAME, DOOR = np.array(((0.28, 0.38, 0.47), (0.96, 0.95, 0.92), (0.42, 0.25, 0.15)))
STEP = 0.62  # between the discs of a wall or roof [m]
INSET = 0.3  # of what casts shadows from the walls, which are not to be in their own [m]
EAVES = 0.5  # how far the roof reaches over the walls [m]
PITCH = 0.62  # of the roof: its rise over half the width


def house_tops(house: VillageHouse, points: Array) -> Array:
    """
    Tell how high its roof is over x, y, shape (..., 2); NaN beside it [m].

    Without the eaves: they would shade the walls, which a raster cannot tell from what is below.
    """
    local = np.abs(house.local(points))
    half_length, half_width = np.array(house.size) / 2.0
    top = house.floor + house.wall + PITCH * (half_width - local[..., 1])
    over = (local[..., 0] < half_length - INSET) & (local[..., 1] < half_width - INSET)
    return np.where(over, top, np.nan)


def paint_houses(chance: Generator) -> Paint:
    """Build all of them."""
    return together(_paint(house, chance) for house in HOUSES)


def _paint(house: VillageHouse, chance: Generator) -> Paint:
    half_length, half_width = np.array(house.size) / 2.0
    parts = []
    for side in (-1.0, 1.0):
        parts.append(_roof(house, side, chance))
        parts.append(_long_wall(house, side * half_width, half_length, chance))
        parts.append(_gable_wall(house, side * half_length, half_width, chance))
    built = together(parts)
    return replace(built, positions=house.placed(built.positions), axes=house.turn @ built.axes)


def _long_wall(house: VillageHouse, y: float, half: float, chance: Generator) -> Paint:
    x, z = _tiles((-half, half), (0.0, house.wall))
    places = np.column_stack((x, np.full(len(x), y), z))
    wall = discs(
        places, (0.0, np.sign(y), 0.0), (1.0, 0.0, 0.0), (0.36, 0.36),
        house.wall_color * _tone(len(x), chance),
    )  # fmt: skip
    windows = np.array([(at, y + 0.06 * np.sign(y), 0.55 * house.wall) for at in (-2.6, 0.0, 2.6)])
    return together((wall, _openings(windows, (0.0, np.sign(y), 0.0), (1.0, 0.0, 0.0))))


def _gable_wall(house: VillageHouse, x: float, half: float, chance: Generator) -> Paint:
    y, z = _tiles((-half, half), (0.0, house.wall + PITCH * half))
    under = z < house.wall + PITCH * (half - np.abs(y)) - 0.1
    y, z = y[under], z[under]
    places = np.column_stack((np.full(len(y), x), y, z))
    outward = (np.sign(x), 0.0, 0.0)
    wall = discs(
        places, outward, (0.0, 1.0, 0.0), (0.36, 0.36), house.wall_color * _tone(len(y), chance)
    )
    before = x + 0.06 * np.sign(x)
    windows = np.array([(before, at, 0.55 * house.wall) for at in (-1.7, 1.7)])
    door = discs(
        np.array([(before, 0.0, z) for z in (0.4, 0.9, 1.4)]), outward, (0.0, 1.0, 0.0),
        (0.28, 0.3), DOOR,
    )  # fmt: skip
    return together((wall, door, _openings(windows, outward, (0.0, 1.0, 0.0))))


def _openings(places: Array, outward: tuple[float, ...], along: tuple[float, ...]) -> Paint:
    """Set windows: a white frame, and glass before it."""
    frame = discs(places, outward, along, (0.42, 0.50), FRAME)
    glass = discs(
        places + 0.03 * np.array(outward), outward, along, (0.27, 0.34), GLASS, gloss=0.6
    )
    return together((frame, glass))


def _roof(house: VillageHouse, side: float, chance: Generator) -> Paint:
    half_length, half_width = np.array(house.size) / 2.0
    slope = np.array((0.0, side, -PITCH)) / np.hypot(1.0, PITCH)
    down = (half_width + EAVES) * np.hypot(1.0, PITCH)
    x, way = _tiles((-half_length - EAVES, half_length + EAVES), (0.0, down))
    ridge = np.column_stack(
        (x, np.zeros(len(x)), np.full(len(x), house.wall + PITCH * half_width + 0.08))
    )
    courses = 1.0 + 0.06 * np.cos(2.0 * np.pi * way[:, None] / (2.0 * STEP))
    colors = np.clip(house.roof_color * _tone(len(x), chance, 0.1) * courses, 0.0, 1.0)
    outward = np.array((0.0, side * PITCH, 1.0))
    return discs(ridge + way[:, None] * slope, outward, (1.0, 0.0, 0.0), (0.40, 0.34), colors)


def _tiles(first: tuple[float, float], second: tuple[float, float]) -> tuple[Array, Array]:
    """Divide a rectangle evenly, its borders covered: the parts' middles, shape (n,) each."""
    inset = 0.3
    ranges = []
    for low, high in (first, second):
        count = max(2, round((high - low) / STEP))
        ranges.append(np.linspace(low + inset, high - inset, count))
    one, two = np.meshgrid(*ranges)
    return one.ravel(), two.ravel()


def _tone(count: int, chance: Generator, spread: float = 0.03) -> Array:
    return chance.uniform(1.0 - spread, 1.0 + spread, (count, 1))

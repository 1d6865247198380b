# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Trees of the example scene: positions and Gaussians."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.examples.village.ground import heights
from world_model_core.examples.village.paint import Paint, frames, join_paint
from world_model_core.examples.village.plan import (
    FIELD,
    HIGHEST,
    HOUSES,
    LOWEST,
    POND,
    RING_RADIUS,
    ROUNDABOUT,
    distance_to_road,
)

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array

# Grid of possible trees, maximum deviation from it, and minimum distance to the border [m].
SPACING, JITTER, MARGIN = 4.2, 1.4, 3.6
BARK = np.array((0.36, 0.27, 0.19))
PINE, OAK, CHERRY = np.array(((0.13, 0.30, 0.20), (0.30, 0.46, 0.15), (0.93, 0.62, 0.68)))
# Number of Gaussians of a crown, and their standard deviation relative to its radius.
LEAVES, LEAF = 62, 0.20


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """
    A tree.

    Attributes
    ----------
    foot : array, shape (3,)
        Position in the map [m].
    height, radius : float
        Height of the tree, and radius of its crown [m].
    conifer : bool
        The crown is a cone, else a ball.
    color : array, shape (3,)

    """

    foot: Array
    height: float
    radius: float
    conifer: bool
    color: Array

    @property
    def crown_base(self) -> float:
        """Height of the base of the crown above the foot [m]."""
        return 0.18 * self.height if self.conifer else self.height - 1.8 * self.radius

    def tops(self, points: Array) -> Array:
        """Return the height of the tree at x, y, shape (..., 2); NaN outside of its crown [m]."""
        away = np.linalg.norm(points - self.foot[:2], axis=-1) / self.radius
        crown = self.height - self.crown_base
        if self.conifer:
            top = self.height - crown * away
        else:
            top = self.crown_base + crown * (0.5 + 0.5 * np.sqrt(np.maximum(1.0 - away**2, 0.0)))
        return np.where(away < 1.0, self.foot[2] + top, np.nan)

    def paint(self, rng: Generator) -> Paint:
        """Return the Gaussians of trunk and leaves."""
        return join_paint((self._trunk(), self._crown(rng)))

    def _trunk(self) -> Paint:
        points = np.linspace(0.1, 0.75, 4)[:, None] * np.array((0.0, 0.0, self.height))
        count = len(points)
        upright = np.broadcast_to(np.eye(3), (count, 3, 3))
        sizes = np.array((0.13, 0.13, 0.12 * self.height))
        return Paint(
            self.foot + points, np.tile(sizes, (count, 1)), upright, np.full(count, 0.95),
            np.tile(BARK, (count, 1)), np.zeros(count),
        )  # fmt: skip

    def _crown(self, rng: Generator) -> Paint:
        """Distribute leaves evenly over the surface of the crown, on a Fibonacci lattice."""
        order = (np.arange(LEAVES) + 0.5) / LEAVES
        around = np.arange(LEAVES) * np.pi * (3.0 - np.sqrt(5.0)) + rng.uniform(0.0, 6.3)
        crown = self.height - self.crown_base
        if self.conifer:
            away, rise = np.sqrt(order), 1.0 - np.sqrt(order)
            tilt = np.full(LEAVES, self.radius / crown)
        else:
            rise = order
            away = np.sqrt(1.0 - (2.0 * order - 1.0) ** 2)
            tilt = (2.0 * order - 1.0) / np.maximum(away, 0.05)
        outward = np.stack((np.cos(around), np.sin(around), tilt), axis=-1)
        spread = np.stack((away * np.cos(around), away * np.sin(around)), axis=-1) * self.radius
        depth = rng.uniform(0.84, 1.06, (LEAVES, 1))
        if not self.conifer:
            depth += 0.16 * np.sin(3.0 * around + 5.0 * order)[:, None]
        points = np.hstack((spread * depth, self.crown_base + rise[:, None] * crown))
        shade = (0.72 + 0.34 * rise[:, None]) * rng.uniform(0.82, 1.18, (LEAVES, 1))
        sizes = np.array((1.0, 0.8, 0.45)) * LEAF * self.radius
        return Paint(
            self.foot + points,
            sizes * rng.uniform(0.8, 1.25, (LEAVES, 1)),
            frames(outward, np.broadcast_to((0.1, 0.2, 1.0), (LEAVES, 3))),
            np.full(LEAVES, 0.9),
            np.clip(self.color * shade, 0.0, 1.0),
            np.zeros(LEAVES),
        )


def grow_trees(rng: Generator) -> tuple[Tree, ...]:
    """Return trees on free ground: a wood in the north, few elsewhere."""
    x = np.arange(LOWEST[0] + MARGIN, HIGHEST[0] - MARGIN, SPACING)
    y = np.arange(LOWEST[1] + MARGIN, HIGHEST[1] - MARGIN, SPACING)
    grid = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    points = grid + rng.uniform(-JITTER, JITTER, grid.shape)
    wanted = rng.uniform(size=len(points)) < _density(points)
    points = points[wanted & _free(points)]
    island = ROUNDABOUT[None]
    feet = np.vstack((points, island))
    return tuple(_tree(foot, rng) for foot in feet)


def _tree(point: Array, rng: Generator) -> Tree:
    foot = np.append(point, heights(point))
    conifer = bool(rng.uniform() < np.clip((point[1] - 8.0) / 14.0, 0.08, 0.85))
    if (point == ROUNDABOUT).all():
        return Tree(foot, 5.2, 2.5, conifer=False, color=CHERRY)
    tint = rng.uniform(0.85, 1.15, 3)
    if conifer:
        size = rng.uniform(0.8, 1.2)
        return Tree(foot, 6.5 * size, 1.75 * size, conifer=True, color=PINE * tint)
    size = rng.uniform(0.75, 1.15)
    color = CHERRY if rng.uniform() < 0.12 else OAK * tint
    return Tree(foot, 5.2 * size, 2.0 * size, conifer=False, color=color)


def _density(points: Array) -> Array:
    """Return the probability of a tree, shape (n,)."""
    woods = np.clip((points[:, 1] - 13.0) / 12.0, 0.0, 0.9)
    south = np.clip((-points[:, 1] - 20.0) / 10.0, 0.0, 0.45)
    return np.asarray(np.maximum(np.maximum(woods, south), 0.16))


def _free(points: Array) -> NDArray[np.bool_]:
    """Return which points are free of roads, houses, water and the field, shape (n,)."""
    free = np.asarray(distance_to_road(points) > 2.6)
    free &= POND.distance(points) > 1.2
    free &= np.linalg.norm(points - ROUNDABOUT, axis=1) > RING_RADIUS
    for house in HOUSES:
        free &= house.distance(points) > 3.0
    field = ((points > FIELD[0] - 1.5) & (points < FIELD[1] + 1.5)).all(axis=1)
    free &= ~np.asarray(field)
    return np.asarray(free)

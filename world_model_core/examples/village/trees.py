# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Trees of the example scene: where they grow, and of which Gaussians they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.examples.village.ground import heights
from world_model_core.examples.village.paint import Paint, frames, together
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

# Of the grid on which trees may stand, how far beside, and how near to the scene's border [m].
SPACING, JITTER, MARGIN = 4.2, 1.4, 3.6
BARK = np.array((0.36, 0.27, 0.19))
PINE, OAK, CHERRY = np.array(((0.13, 0.30, 0.20), (0.30, 0.46, 0.15), (0.93, 0.62, 0.68)))
# Gaussians of a crown, and their standard deviation as a part of its radius.
LEAVES, LEAF = 62, 0.20


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """
    A tree.

    Attributes
    ----------
    foot : array, shape (3,)
        In the map [m].
    height, radius : float
        To its top, and of its crown [m].
    conifer : bool
        Its crown is a cone, else a ball.
    color : array, shape (3,)

    """

    foot: Array
    height: float
    radius: float
    conifer: bool
    color: Array

    @property
    def crown_base(self) -> float:
        """Where the crown begins, above the foot [m]."""
        return 0.18 * self.height if self.conifer else self.height - 1.8 * self.radius

    def tops(self, points: Array) -> Array:
        """Tell how high it is over points x, y, shape (..., 2); NaN beside it [m]."""
        away = np.linalg.norm(points - self.foot[:2], axis=-1) / self.radius
        crown = self.height - self.crown_base
        if self.conifer:
            top = self.height - crown * away
        else:
            top = self.crown_base + crown * (0.5 + 0.5 * np.sqrt(np.maximum(1.0 - away**2, 0.0)))
        return np.where(away < 1.0, self.foot[2] + top, np.nan)

    def paint(self, chance: Generator) -> Paint:
        """Paint trunk and leaves."""
        return together((self._trunk(), self._crown(chance)))

    def _trunk(self) -> Paint:
        places = np.linspace(0.1, 0.75, 4)[:, None] * np.array((0.0, 0.0, self.height))
        count = len(places)
        upright = np.broadcast_to(np.eye(3), (count, 3, 3))
        sizes = np.array((0.13, 0.13, 0.12 * self.height))
        return Paint(
            self.foot + places, np.tile(sizes, (count, 1)), upright, np.full(count, 0.95),
            np.tile(BARK, (count, 1)), np.zeros(count),
        )  # fmt: skip

    def _crown(self, chance: Generator) -> Paint:
        """Spread leaves over the crown's surface, evenly as a sunflower's seeds."""
        order = (np.arange(LEAVES) + 0.5) / LEAVES
        around = np.arange(LEAVES) * np.pi * (3.0 - np.sqrt(5.0)) + chance.uniform(0.0, 6.3)
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
        depth = chance.uniform(0.84, 1.06, (LEAVES, 1))
        if not self.conifer:
            depth += 0.16 * np.sin(3.0 * around + 5.0 * order)[:, None]
        places = np.hstack((spread * depth, self.crown_base + rise[:, None] * crown))
        shade = (0.72 + 0.34 * rise[:, None]) * chance.uniform(0.82, 1.18, (LEAVES, 1))
        sizes = np.array((1.0, 0.8, 0.45)) * LEAF * self.radius
        return Paint(
            self.foot + places,
            sizes * chance.uniform(0.8, 1.25, (LEAVES, 1)),
            frames(outward, np.broadcast_to((0.1, 0.2, 1.0), (LEAVES, 3))),
            np.full(LEAVES, 0.9),
            np.clip(self.color * shade, 0.0, 1.0),
            np.zeros(LEAVES),
        )


def grow(chance: Generator) -> tuple[Tree, ...]:
    """Plant trees where there is place for them, woods in the north and few elsewhere."""
    x = np.arange(LOWEST[0] + MARGIN, HIGHEST[0] - MARGIN, SPACING)
    y = np.arange(LOWEST[1] + MARGIN, HIGHEST[1] - MARGIN, SPACING)
    grid = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    places = grid + chance.uniform(-JITTER, JITTER, grid.shape)
    wanted = chance.uniform(size=len(places)) < _density(places)
    places = places[wanted & _free(places)]
    island = ROUNDABOUT[None]
    feet = np.vstack((places, island))
    return tuple(_tree(foot, chance) for foot in feet)


def _tree(place: Array, chance: Generator) -> Tree:
    foot = np.append(place, heights(place))
    conifer = bool(chance.uniform() < np.clip((place[1] - 8.0) / 14.0, 0.08, 0.85))
    if (place == ROUNDABOUT).all():
        return Tree(foot, 5.2, 2.5, conifer=False, color=CHERRY)
    tint = chance.uniform(0.85, 1.15, 3)
    if conifer:
        size = chance.uniform(0.8, 1.2)
        return Tree(foot, 6.5 * size, 1.75 * size, conifer=True, color=PINE * tint)
    size = chance.uniform(0.75, 1.15)
    color = CHERRY if chance.uniform() < 0.12 else OAK * tint
    return Tree(foot, 5.2 * size, 2.0 * size, conifer=False, color=color)


def _density(places: Array) -> Array:
    """Tell how likely a tree is, shape (n,)."""
    woods = np.clip((places[:, 1] - 13.0) / 12.0, 0.0, 0.9)
    south = np.clip((-places[:, 1] - 20.0) / 10.0, 0.0, 0.45)
    return np.asarray(np.maximum(np.maximum(woods, south), 0.16))


def _free(places: Array) -> NDArray[np.bool_]:
    """Tell where no road, house, water or field is, shape (n,)."""
    free = np.asarray(distance_to_road(places) > 2.6)
    free &= POND.distance(places) > 1.2
    free &= np.linalg.norm(places - ROUNDABOUT, axis=1) > RING_RADIUS
    for house in HOUSES:
        free &= house.distance(places) > 3.0
    field = ((places > FIELD[0] - 1.5) & (places < FIELD[1] + 1.5)).all(axis=1)
    free &= ~np.asarray(field)
    return np.asarray(free)

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Occlusion and ranges in a house, by ray casting against oriented boxes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.simulation.house.values import HEIGHT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.simulation.house.values import Item, SimulatedHouse

# Owner of walls.
NO_ITEM = -1
# Replaces zeros in directions, to divide by them [m].
TINY = 1e-12
# Probe points of an object: center and corners, as fractions of its size.
PROBES = 0.42 * np.array(
    [(0, 0, 0), *((x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1))], dtype=np.float64
)


class Occluders:
    """
    Oriented boxes of walls and objects that block rays.

    Parameters
    ----------
    house : SimulatedHouse

    """

    def __init__(self, house: SimulatedHouse) -> None:
        centers, halves, rotations, owners = [], [], [], []
        for wall in house.walls:
            centers.append((wall.low + wall.high) / 2.0)
            halves.append((wall.high - wall.low) / 2.0)
            rotations.append(np.eye(3))
            owners.append(NO_ITEM)
        for number, item in enumerate(house.items):
            if item.kind.solid is not None:
                low, high = np.array(item.kind.solid)
                centers.append(item.point(*(((low + high) / 2.0 - 0.5) * item.size)))
                halves.append((high - low) / 2.0 * item.size)
                rotations.append(item.rotation)
                owners.append(number)
        self._centers, self._halves = np.array(centers), np.array(halves)
        self._rotations, self._owners = np.array(rotations), np.array(owners)
        self._reaches = np.linalg.norm(self._halves, axis=1)

    def within(self, point: Array, distance: float) -> NDArray[np.intp]:
        """Return the boxes that may be within a distance of a point (x, y, z) [m]."""
        away = np.linalg.norm(self._centers - point, axis=1) - self._reaches
        return np.flatnonzero(away <= distance)

    def enter(self, origin: Array, rays: Array, boxes: NDArray[np.intp]) -> Array:
        """
        Find where rays from one point enter boxes, by the slabs between their faces.

        Parameters
        ----------
        origin : array, shape (3,)
            Start of all rays [m].
        rays : array, shape (..., 3)
            Directions of any nonzero length.
        boxes : array of int, shape (...)
            A box for each ray; both are broadcast against each other.

        Returns
        -------
        array, shape (...)
            In lengths of the ray, not below 0; infinite if the box is missed (Kay and Kajiya,
            Ray Tracing Complex Scenes, 1986).

        """
        turns, halves = self._rotations[boxes], self._halves[boxes]
        start = np.einsum('...ji,...j->...i', turns, origin - self._centers[boxes])
        steps = np.einsum('...ji,...j->...i', turns, rays)
        steps = np.where(np.abs(steps) < TINY, TINY, steps)
        first, second = (-halves - start) / steps, (halves - start) / steps
        enter = np.minimum(first, second).max(axis=-1)
        leave = np.maximum(first, second).min(axis=-1)
        hit = (leave >= enter) & (leave >= 0.0)
        return np.where(hit, np.maximum(enter, 0.0), np.inf)

    def ranges(self, origin: Array, directions: Array, farthest: float) -> Array:
        """
        Return the distances to the first surface along unit vectors (n, 3), shape (n,) [m].

        Floor and ceiling are surfaces; distances beyond `farthest` are infinite.
        """
        rays, boxes = self._facing(origin, directions, farthest)
        reached = _planes(origin, directions)
        np.minimum.at(reached, rays, self.enter(origin, directions[rays], boxes))
        return np.where(reached <= farthest, reached, np.inf)

    def _facing(
        self, origin: Array, directions: Array, farthest: float
    ) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the pairs of rays and boxes whose bounding spheres they meet: indices of both."""
        chosen = self.within(origin, farthest)
        offsets = self._centers[chosen] - origin
        distances = np.maximum(np.linalg.norm(offsets, axis=1), TINY)
        part = self._reaches[chosen] / distances
        # Cosine of the angle at which a sphere appears; from inside, it covers all directions.
        cosines = np.where(part < 1.0, np.sqrt(np.clip(1.0 - part * part, 0.0, None)), -2.0)
        towards = directions @ (offsets / distances[:, None]).T
        rays, columns = np.nonzero(towards >= cosines)
        return rays, chosen[columns]

    def visible(
        self, origin: Array, items: Sequence[Item], numbers: NDArray[np.intp], farthest: float
    ) -> Array:
        """
        Return the visible fraction of objects from a point.

        Parameters
        ----------
        origin : array, shape (3,)
            [m].
        items : sequence of Item, length n
        numbers : array of int, shape (n,)
            Their indices in the house: an object does not occlude itself.
        farthest : float
            Maximum distance of the objects [m].

        Returns
        -------
        array, shape (n,)
            Fraction of the center and the corners of a slightly smaller box, so that objects in
            contact do not occlude each other.

        """
        chosen = self.within(origin, farthest)
        points = np.array([item.position + PROBES * item.size @ item.rotation.T for item in items])
        rays = (points - origin).reshape(-1, 3)
        entered = self.enter(origin, rays[:, None], chosen)
        entered = entered.reshape(len(items), len(PROBES), len(chosen))
        own = self._owners[chosen] == numbers[:, None]
        entered[np.broadcast_to(own[:, None], entered.shape)] = np.inf
        free: Array = (entered >= 1.0).all(axis=-1).mean(axis=-1)
        return free


def _planes(origin: Array, directions: Array) -> Array:
    """Return the distances along unit vectors (n, 3) to floor or ceiling, shape (n,) [m]."""
    up = directions[:, 2]
    rise = np.where(up > 0.0, HEIGHT - origin[2], -origin[2])
    level = np.abs(up) < TINY
    distances: Array = np.where(level, np.inf, rise / np.where(level, 1.0, up))
    return distances

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Faces with any number of corners -> triangles.

A face of n corners gives n - 2 triangles. A convex face is cut from its first corner, a face with
one reflex corner from that one, which sees all others, and every other face by clipping ears (G.
Meisters, Polygons Have Ears, 1975). Faces need not be quite flat: they are looked at along their
mean normal (M. Newell's).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array

__all__ = ['MOST_CORNERS', 'Cut', 'cut_faces']

# Corners of a face whose ears are clipped, and attempts to clip one, on average: the time for a
# face grows with the third power of its corners otherwise.
MOST_CORNERS = 500
MOST_ATTEMPTS = 10
# A corner is reflex if its turn is below this share of the squared area of the face.
ROUNDING = 1e-12
_NONE = np.empty(0, np.int64)


@dataclass(frozen=True, eq=False, slots=True)
class Cut:
    """
    Triangles of faces.

    Attributes
    ----------
    corners : array of int, shape (m, 3)
        Positions in the list of indices.
    faces : array of int, shape (m,)
        Number of the face of each triangle, in the list.
    broken : int
        Faces that were left out: of fewer than 3 corners, or with an index of no point.
    long : int
        Concave faces of more than `MOST_CORNERS`, which were cut as if they were convex.

    """

    corners: NDArray[np.int64]
    faces: NDArray[np.int64]
    broken: int
    long: int


def cut_faces(points: Array, indices: NDArray[np.int64]) -> Cut:
    """
    Cut faces into triangles.

    Parameters
    ----------
    points : array, shape (n, 3)
    indices : array of int, shape (k,)
        Of the points at the corners of each face; -1 ends a face.

    """
    stops = np.flatnonzero(indices == -1)
    starts = np.concatenate(([0], stops + 1))
    lengths = np.concatenate((stops, [indices.size])) - starts
    is_corner = (indices >= 0) & (indices < len(points))
    corners, faces = [np.empty((0, 3), np.int64)], [np.empty(0, np.int64)]
    broken, long = int(np.count_nonzero((lengths == 1) | (lengths == 2))), 0
    for length in np.unique(lengths[lengths > 2]):
        numbers = np.flatnonzero(lengths == length)
        positions = starts[numbers][:, None] + np.arange(length)
        sound = is_corner[positions].all(axis=1)
        broken += int(np.count_nonzero(~sound))
        positions, numbers = positions[sound], numbers[sound]
        triangles, uncut = _cut(points[indices[positions]])
        long += uncut
        chosen = np.take_along_axis(positions[:, None, :], triangles, axis=2)
        corners.append(chosen.reshape(-1, 3))
        faces.append(np.repeat(numbers, length - 2))
    numbers = np.concatenate(faces)
    order = np.argsort(numbers, kind='stable')
    return Cut(np.concatenate(corners)[order], numbers[order], broken, long)


def _cut(faces: Array) -> tuple[NDArray[np.int64], int]:
    """
    Cut faces of equal length, shape (k, n, 3), into triangles, shape (k, n - 2, 3).

    The second result is the number of faces that are too long to be cut right.
    """
    count, length = faces.shape[:2]
    steps = np.arange(length - 2)
    fan = np.stack((np.zeros_like(steps), steps + 1, steps + 2), axis=1)
    if length == 3:
        return np.broadcast_to(fan, (count, 1, 3)), 0
    # Indices that go around are several times as fast as roll for the usual few faces.
    corners = np.arange(length)
    edges = faces[:, (corners + 1) % length] - faces
    arms = faces - faces[:, :1]
    normals = np.cross(arms[:, 1:-1], arms[:, 2:]).sum(axis=1)
    turns = np.einsum('kni,ki->kn', np.cross(edges[:, corners - 1], edges), normals)
    reflex = turns < -ROUNDING * np.einsum('ki,ki->k', normals, normals)[:, None]
    number = np.count_nonzero(reflex, axis=1)
    first = np.where(number == 1, np.argmax(reflex, axis=1), 0)
    triangles: NDArray[np.int64] = (fan + first[:, None, None]) % length
    concave = np.flatnonzero(number > 1) if length > 4 else _NONE
    if length > MOST_CORNERS:
        return triangles, concave.size
    for face in concave:
        triangles[face] = _clip_ears(_seen_along(faces[face], normals[face]))
    return triangles, 0


def _seen_along(points: Array, normal: Array) -> Array:
    """Return the points, shape (n, 2), without the axis that is nearest to the normal."""
    axis = int(np.abs(normal).argmax())
    kept = [(axis + 1) % 3, (axis + 2) % 3]
    return points[:, kept if normal[axis] > 0.0 else kept[::-1]]


def _clip_ears(points: Array) -> list[tuple[int, int, int]]:
    """Cut a counterclockwise polygon, shape (n, 2), by taking off one ear after another."""
    around = list(range(len(points)))
    triangles = []
    at, missed, left = 0, 0, MOST_ATTEMPTS * len(points)
    while len(around) > 3:
        at %= len(around)
        ear = around[at - 1], around[at], around[(at + 1) % len(around)]
        # A polygon that crosses itself may have no ear: any corner is taken then.
        if missed == len(around) or left < 0 or _is_ear(points, around, ear):
            triangles.append(ear)
            del around[at]
            missed = 0
        else:
            at, missed = at + 1, missed + 1
        left -= 1
    return [*triangles, (around[0], around[1], around[2])]


def _is_ear(points: Array, around: list[int], ear: tuple[int, int, int]) -> bool:
    """Return whether a corner is convex, and no other corner lies in its triangle."""
    a, b, c = points[list(ear)]
    if _area(b - a, c - a) < 0.0:
        return False
    others = points[around]
    inside = (
        (_area(b - a, others - a) >= 0.0)
        & (_area(c - b, others - b) >= 0.0)
        & (_area(a - c, others - c) >= 0.0)
    )
    for corner in (a, b, c):  # and those at the same place, where a cut leads to a hole
        inside &= (others != corner).any(axis=1)
    return not inside.any()


def _area(first: Array, second: Array) -> Array:
    """Return twice the signed area between vectors, shape (..., 2)."""
    area: Array = first[..., 0] * second[..., 1] - first[..., 1] * second[..., 0]
    return area

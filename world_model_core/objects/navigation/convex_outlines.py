# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Convex outlines on the floor: hulls, distances, and the gap between two outlines."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from world_model_core.gaussian import Array

__all__ = ['Gap', 'convex_hull', 'distances', 'find_gap']

# Spacing of the points of outlines that are compared to find the gap [m].
SPACING = 0.05


class Gap(NamedTuple):
    """The points (2,) of two outlines that are nearest to each other [m]; equal if they touch."""

    first: Array
    second: Array

    @property
    def middle(self) -> Array:
        """Midpoint of the gap [m], shape (2,)."""
        middle: Array = (self.first + self.second) / 2.0
        return middle

    @property
    def width(self) -> float:
        """Width of the gap [m]."""
        return float(np.linalg.norm(self.second - self.first))


def convex_hull(points: Array) -> Array:
    """
    Return the convex hull of points, counterclockwise.

    Andrew's monotone chain (Information Processing Letters 9, 1979); collinear and coincident
    points are allowed.

    Parameters
    ----------
    points : array, shape (n, 2)
        At least one.

    Returns
    -------
    array, shape (m, 2)

    """
    ordered = np.unique(points, axis=0).tolist()
    if len(ordered) < 3:
        return np.array(ordered)
    chains = [_chain(ordered), _chain(ordered[::-1])]
    return np.array(chains[0][:-1] + chains[1][:-1])


def _chain(points: list[list[float]]) -> list[list[float]]:
    """Return the points of one side of the hull: those where it turns left."""
    chain: list[list[float]] = []
    for x, y in points:
        while len(chain) > 1:
            (x0, y0), (x1, y1) = chain[-2:]
            if (x1 - x0) * (y - y0) > (y1 - y0) * (x - x0):
                break
            chain.pop()
        chain.append([x, y])
    return chain


def distances(points: Array, outline: Array) -> Array:
    """
    Return the distances of points to a convex outline, 0 inside.

    Parameters
    ----------
    points : array, shape (..., 2)
    outline : array, shape (m, 2)
        Counterclockwise; a line segment and a point are allowed.

    Returns
    -------
    array, shape (...)
        [m].

    """
    edges = np.roll(outline, -1, axis=0) - outline
    from_corner = points[..., None, :] - outline
    lengths = np.maximum((edges**2).sum(axis=-1), 1e-12)
    along = ((from_corner * edges).sum(axis=-1) / lengths).clip(0.0, 1.0)
    apart = np.linalg.norm(from_corner - along[..., None] * edges, axis=-1).min(axis=-1)
    left = edges[:, 0] * from_corner[..., 1] - edges[:, 1] * from_corner[..., 0]
    inside = (left >= 0.0).all(axis=-1) & (len(outline) > 2)
    return np.where(inside, 0.0, apart)


def find_gap(first: Array, second: Array) -> Gap:
    """Return the gap between two convex outlines, shapes (n, 2) and (m, 2)."""
    here, there = _sample(first), _sample(second)
    if distances(here, second).min() <= 0.0 or distances(there, first).min() <= 0.0:
        middle = (first.mean(axis=0) + second.mean(axis=0)) / 2.0
        return Gap(middle, middle)
    apart = np.linalg.norm(here[:, None] - there, axis=-1)
    # Between parallel sides many pairs of points are equally near: use the middle of them.
    near = np.argwhere(apart <= apart.min() + SPACING)
    return Gap(here[near[:, 0]].mean(axis=0), there[near[:, 1]].mean(axis=0))


def _sample(outline: Array) -> Array:
    """Return points along an outline, shape (k, 2)."""
    ends = np.roll(outline, -1, axis=0)
    pieces = []
    for start, end in zip(outline, ends, strict=True):
        steps = max(1, int(np.linalg.norm(end - start) / SPACING))
        pieces.append(start + (end - start) * (np.arange(steps) / steps)[:, None])
    return np.concatenate(pieces)

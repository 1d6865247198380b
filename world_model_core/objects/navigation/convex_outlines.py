# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Convex outlines on the floor: around several things, how far from them, and the gap between."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from world_model_core.gaussian import Array

# Points of outlines are tried so far apart [m] to find where two are nearest.
SPACING = 0.05


class Gap(NamedTuple):
    """Where two outlines are nearest: a point (2,) of each [m]; the same one where they touch."""

    first: Array
    second: Array

    @property
    def middle(self) -> Array:
        """The middle of it [m], shape (2,)."""
        middle: Array = (self.first + self.second) / 2.0
        return middle

    @property
    def width(self) -> float:
        """How wide it is [m]."""
        return float(np.linalg.norm(self.second - self.first))


def convex_hull(points: Array) -> Array:
    """
    Find the convex outline of points, counterclockwise.

    By Andrew's monotone chain (Information Processing Letters 9, 1979), which takes points in one
    line and points that coincide as they are.

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
    """Keep the points of one side that turn left."""
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
    Measure how far points are from a convex outline; 0 inside.

    Parameters
    ----------
    points : array, shape (..., 2)
    outline : array, shape (m, 2)
        Counterclockwise; a line and a point are lawful.

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
    """Find where two convex outlines, shapes (n, 2) and (m, 2), are nearest."""
    here, there = _sample(first), _sample(second)
    if distances(here, second).min() <= 0.0 or distances(there, first).min() <= 0.0:
        middle = (first.mean(axis=0) + second.mean(axis=0)) / 2.0
        return Gap(middle, middle)
    apart = np.linalg.norm(here[:, None] - there, axis=-1)
    # Where sides are parallel many points are as near: the gap is in their middle.
    near = np.argwhere(apart <= apart.min() + SPACING)
    return Gap(here[near[:, 0]].mean(axis=0), there[near[:, 1]].mean(axis=0))


def _sample(outline: Array) -> Array:
    """Walk along an outline, shape (k, 2)."""
    ends = np.roll(outline, -1, axis=0)
    pieces = []
    for start, end in zip(outline, ends, strict=True):
        steps = max(1, int(np.linalg.norm(end - start) / SPACING))
        pieces.append(start + (end - start) * (np.arange(steps) / steps)[:, None])
    return np.concatenate(pieces)

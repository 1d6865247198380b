# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Gaussians of the example scene in plain units."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike, NDArray

    from world_model_core.gaussian import Array

# Standard deviation of a disc along its normal [m]: thin, but visible from the side.
THICKNESS = 0.02


@dataclass(frozen=True, slots=True, eq=False)
class Paint:
    """
    A set of Gaussians.

    Attributes
    ----------
    positions : array, shape (n, 3)
        In the map [m].
    scales : array, shape (n, 3)
        Standard deviations along the axes of each Gaussian [m].
    axes : array, shape (n, 3, 3)
        Axes of each Gaussian in the map, as columns.
    opacities : array, shape (n,)
        0 to 1.
    colors : array, shape (n, 3)
        r, g, b in 0 to 1, under white light.
    gloss : array, shape (n,)
        Fraction of reflected light, 0 to 1.

    """

    positions: Array
    scales: Array
    axes: Array
    opacities: Array
    colors: Array
    gloss: Array

    @property
    def normals(self) -> Array:
        """Third axes: the thin ones of discs, shape (n, 3)."""
        return self.axes[:, :, 2]

    def select(self, which: NDArray[np.bool_]) -> Paint:
        """Return a subset of the Gaussians by a mask, shape (n,)."""
        return Paint(*(getattr(self, each.name)[which] for each in fields(Paint)))


def discs(
    positions: Array,
    normals: ArrayLike,
    along: ArrayLike,
    size: ArrayLike,
    colors: ArrayLike,
    *,
    opacity: float = 0.95,
    gloss: float = 0.0,
) -> Paint:
    """
    Return thin discs.

    Parameters
    ----------
    positions : array, shape (n, 3)
    normals, along : array, shape (n, 3) or (3,)
        The thin axis, and the approximate direction of the first axis.
    size : array, shape (n, 2) or (2,)
        Standard deviations along and across [m].
    colors : array, shape (n, 3) or (3,)
    opacity, gloss : float

    Returns
    -------
    Paint

    """
    count = len(positions)
    thin = np.full((count, 1), THICKNESS)
    return Paint(
        positions=positions,
        scales=np.hstack((np.broadcast_to(size, (count, 2)), thin)),
        axes=frames(np.broadcast_to(normals, (count, 3)), np.broadcast_to(along, (count, 3))),
        opacities=np.full(count, opacity),
        colors=np.broadcast_to(np.asarray(colors, dtype=np.float64), (count, 3)),
        gloss=np.full(count, gloss),
    )


def frames(normals: Array, along: Array) -> Array:
    """Return axes, shape (n, 3, 3), as columns: the last is `normals`, the first near `along`."""
    third = normals / np.linalg.norm(normals, axis=1, keepdims=True)
    second = np.cross(third, along)
    second /= np.linalg.norm(second, axis=1, keepdims=True)
    return np.stack((np.cross(second, third), second, third), axis=-1)


def join_paint(parts: Iterable[Paint]) -> Paint:
    """Join sets of Gaussians."""
    listed = list(parts)
    joined = (np.concatenate([getattr(each, f.name) for each in listed]) for f in fields(Paint))
    return Paint(*joined)

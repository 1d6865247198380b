# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Gaussians as the example scene is painted of: discs and blobs in plain units."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike, NDArray

    from world_model_core.gaussian import Array

# Of a disc, beside its normal [m]: thin, yet no line where it is seen from its side.
THICKNESS = 0.02


@dataclass(frozen=True, slots=True, eq=False)
class Paint:
    """
    Gaussians of one kind of thing.

    Attributes
    ----------
    positions : array, shape (n, 3)
        In the map [m].
    scales : array, shape (n, 3)
        Standard deviations along their own axes [m].
    axes : array, shape (n, 3, 3)
        Their own axes, as columns, in the map.
    opacities : array, shape (n,)
        0 to 1.
    colors : array, shape (n, 3)
        r, g, b in 0 to 1, under white light.
    gloss : array, shape (n,)
        How much of the sky they mirror, 0 to 1.

    """

    positions: Array
    scales: Array
    axes: Array
    opacities: Array
    colors: Array
    gloss: Array

    @property
    def normals(self) -> Array:
        """The axes along which they are thin, or which point up, shape (n, 3)."""
        return self.axes[:, :, 2]

    def chosen(self, which: NDArray[np.bool_]) -> Paint:
        """Keep some of them, shape (n,)."""
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
    Lay thin discs.

    Parameters
    ----------
    positions : array, shape (n, 3)
    normals, along : array, shape (n, 3) or (3,)
        The thin axis, and roughly the direction of the first one across it.
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
    """Build axes, shape (n, 3, 3) as columns: the last is `normals`, the first nearly `along`."""
    third = normals / np.linalg.norm(normals, axis=1, keepdims=True)
    second = np.cross(third, along)
    second /= np.linalg.norm(second, axis=1, keepdims=True)
    return np.stack((np.cross(second, third), second, third), axis=-1)


def together(parts: Iterable[Paint]) -> Paint:
    """Put all of them into one."""
    listed = list(parts)
    joined = (np.concatenate([getattr(each, f.name) for each in listed]) for f in fields(Paint))
    return Paint(*joined)

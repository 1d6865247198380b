# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Pixels as OpenGL gives them -> distances, and indices of what they show."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ['distances_of', 'entries_of']

_VALUES = 256  # of a channel


def distances_of(
    buffer: NDArray[np.float32], nearest: float, farthest: float
) -> NDArray[np.float32]:
    """
    Return distances along the axis of the camera.

    Parameters
    ----------
    buffer : array, shape (h, w)
        Depth buffer: 1 at the nearest and 0 at the farthest visible distance. In between it is
        linear in the inverse of the distance, as any projective depth (glFrustum).
    nearest, farthest : float
        [m]

    Returns
    -------
    array of float32, shape (h, w)
        [m]; +inf where nothing was drawn (REP 117).

    """
    inverse: NDArray[np.float32] = buffer * np.float32(1.0 / nearest - 1.0 / farthest)
    inverse += np.float32(1.0 / farthest)
    inverse[buffer == 0.0] = 0.0
    with np.errstate(divide='ignore'):
        np.reciprocal(inverse, out=inverse)
    return inverse


def entries_of(colors: NDArray[np.uint8], table: NDArray[np.int32]) -> NDArray[np.int32]:
    """
    Return the entry of a table for each pixel.

    Parameters
    ----------
    colors : array, shape (h, w, 3)
        Index of the entry: its lowest byte in red, the next one in green, the highest in blue.
    table : array, shape (n,)

    """
    indices: NDArray[np.integer] = colors[..., 0]
    for channel, weight in ((1, _VALUES), (2, _VALUES**2)):
        if len(table) > weight:
            indices = indices + weight * colors[..., channel].astype(np.int32)
    entries: NDArray[np.int32] = table[indices]
    return entries

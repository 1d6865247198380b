# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Many poses as one array, shape (n, 7): x, y, z [m] and quaternion xyzw."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from world_model_core.gaussian import Array

__all__ = ['NO_POSES', 'compose_poses', 'heading_quaternions', 'rotate']

NO_POSES = np.zeros((0, 7))


def heading_quaternions(headings: Array) -> Array:
    """Return quaternions xyzw, shape (n, 4), of rotations about z, shape (n,) [rad]."""
    quaternions = np.zeros((len(headings), 4))
    quaternions[:, 2], quaternions[:, 3] = np.sin(headings / 2.0), np.cos(headings / 2.0)
    return quaternions


def compose_poses(outer: Array, inner: Array) -> Array:
    """
    Return the poses, in the frame in which `outer` is given, of what has `inner` in `outer`.

    Parameters
    ----------
    outer, inner : array, shape (n, 7)
        Quaternions of length 1; numbers that are not finite make poses that are not finite.

    Returns
    -------
    array, shape (n, 7)

    """
    a, b = outer[:, 3:], inner[:, 3:]
    composed = np.empty(inner.shape)
    composed[:, :3] = outer[:, :3] + rotate(a, inner[:, :3])
    composed[:, 3:6] = a[:, 3:] * b[:, :3] + b[:, 3:] * a[:, :3] + np.cross(a[:, :3], b[:, :3])
    composed[:, 6] = a[:, 3] * b[:, 3] - np.einsum('ij,ij->i', a[:, :3], b[:, :3])
    return composed


def rotate(quaternions: Array, vectors: Array) -> Array:
    """Rotate vectors, shape (n, 3), by quaternions xyzw of length 1, shape (n, 4)."""
    axes = quaternions[:, :3]
    # v + 2 w (q x v) + 2 q x (q x v), the rotation by a unit quaternion without its matrix.
    twice = 2.0 * np.cross(axes, vectors)
    rotated: Array = vectors + quaternions[:, 3:] * twice + np.cross(axes, twice)
    return rotated

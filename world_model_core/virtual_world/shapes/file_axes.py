# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Axes and units of SIGVerse, VRML97 and X3D: x to the left, y up, z forward, any unit of length.

SIGVerse's manual, world-def.html: an agent faces +Z, +X is to its left. The axes of this package
are x forward, y left, z up, so that (x, y, z) of a file is (z, x, y) here: a rotation, which maps
vectors and the axes of rotations alike.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.frames import FrameError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from world_model_core.gaussian import Array
    from world_model_core.virtual_world.values import Quaternion, Vector

__all__ = [
    'AXES',
    'from_file_axes',
    'orientation_along',
    'orientation_from_axis_angle',
    'orientation_from_wxyz',
    'orientation_to_wxyz',
    'point_from_file',
    'point_to_file',
]

# Rows: the axes x, y, z of this package in the axes of the file.
AXES = np.array(((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)))


def from_file_axes(vectors: Array) -> Array:
    """Convert vectors, shape (..., 3), from the axes of a file; their unit stays."""
    return np.asarray(vectors)[..., [2, 0, 1]]


def point_from_file(point: Iterable[float], unit: float) -> Vector:
    """
    Convert a point to the axes of this package.

    Parameters
    ----------
    point : iterable of float
        x, y, z in the file's axes and unit.
    unit : float
        Length of that unit [m].

    Returns
    -------
    tuple of float
        [m]

    """
    x, y, z = (float(each) * unit for each in point)
    return (z, x, y)


def point_to_file(point: Iterable[float], unit: float) -> Vector:
    """Convert a point [m] to the axes and the unit of a file; the inverse of point_from_file."""
    x, y, z = (float(each) / unit for each in point)
    return (y, z, x)


def orientation_to_wxyz(orientation: Iterable[float]) -> Quaternion:
    """Convert a quaternion xyzw to w, x, y, z in the axes of a file."""
    x, y, z, w = (float(each) for each in orientation)
    return (w, y, z, x)


def orientation_along(direction: Iterable[float]) -> Quaternion:
    """
    Return the orientation of a camera that looks along a direction, without roll.

    Parameters
    ----------
    direction : iterable of float
        In the axes of a file, of any length but zero.

    Raises
    ------
    FrameError
        It is zero or not finite.

    """
    x, y, z = point_from_file(direction, 1.0)
    if not 0.0 < math.hypot(x, y, z) < math.inf:
        raise FrameError(f'direction is {[y, z, x]}; it must be finite and not zero')
    yaw, pitch = 0.5 * math.atan2(y, x), -0.5 * math.atan2(z, math.hypot(x, y))
    # Rotation about z by the heading, after one about y by the pitch.
    return (
        -math.sin(yaw) * math.sin(pitch),
        math.cos(yaw) * math.sin(pitch),
        math.sin(yaw) * math.cos(pitch),
        math.cos(yaw) * math.cos(pitch),
    )


def orientation_from_wxyz(quaternion: Iterable[float]) -> Quaternion:
    """
    Convert a quaternion w, x, y, z in the axes of a file, of any length but zero.

    Raises
    ------
    FrameError
        It is zero or not finite.

    """
    w, x, y, z = (float(each) for each in quaternion)
    length = math.hypot(w, x, y, z)
    if not (math.isfinite(length) and length > 0.0):
        raise FrameError(f'quaternion is {[w, x, y, z]}; it must be finite and not zero')
    return (z / length, x / length, y / length, w / length)


def orientation_from_axis_angle(rotation: Iterable[float]) -> Quaternion:
    """
    Convert a rotation: its axis x, y, z in the axes of a file, of any length, and angle [rad].

    An axis of zero is no rotation, as browsers treat it.
    """
    *axis, angle = (float(each) for each in rotation)
    length = math.hypot(*axis)
    if not (math.isfinite(length) and math.isfinite(angle) and length > 0.0):
        return (0.0, 0.0, 0.0, 1.0)
    x, y, z = (math.sin(angle / 2.0) * each / length for each in axis)
    return (z, x, y, math.cos(angle / 2.0))

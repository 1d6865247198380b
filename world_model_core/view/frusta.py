# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Cameras as frusta: what they see, and the viewpoint from which a user looks through them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.frames import transform_points
from world_model_core.view.batches import Lines
from world_model_core.view.colors import array_of
from world_model_core.view.scene import Viewpoint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.bundle.sensors.camera_projection import CalibratedCamera
    from world_model_core.frames import Transform
    from world_model_core.gaussian import Array
    from world_model_core.view.colors import Color

__all__ = [
    'CameraFrustum',
    'calibrated_corners',
    'camera_viewpoint',
    'frustum_lines',
    'pinhole_corners',
]

# Corners of an image as fractions of its width and height, in order around it.
_CORNERS = np.array(((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)))
# Parts of the way from the center of an image to a corner at which a lens may still see.
_PARTS = np.linspace(1.0, 0.3, 15)
# Directions farther from the axis are drawn at this angle to it: cos 80 degrees.
_WIDEST = 0.17


@dataclass(frozen=True, slots=True, eq=False)
class CameraFrustum:
    """
    A camera and what it sees.

    Attributes
    ----------
    name : str
    pose : Transform
        Of its optical frame (x right, y down, z forward) in the frame of the scene.
    corners : array, shape (4, 3)
        Directions of the corners of its image, in the optical frame; z is 1.

    """

    name: str
    pose: Transform
    corners: Array


def pinhole_corners(width: int, height: int, matrix: Sequence[float]) -> Array | None:
    """
    Return the directions of the corners of an image, shape (4, 3) with z = 1.

    Parameters
    ----------
    width, height : int
        [px].
    matrix : sequence of 9 floats
        Camera matrix, row by row: fx, 0, cx, 0, fy, cy, 0, 0, 1 [px].

    Returns
    -------
    array or None
        None if the camera is not calibrated.

    """
    fx, cx, fy, cy = (float(matrix[index]) for index in (0, 2, 4, 5))
    if not (fx > 0.0 and fy > 0.0 and width > 0 and height > 0):
        return None
    pixels = _CORNERS * (width, height)
    with np.errstate(over='ignore'):
        corners = np.column_stack(((pixels - (cx, cy)) / (fx, fy), np.ones(4)))
    return corners if np.isfinite(corners).all() else None


def calibrated_corners(camera: CalibratedCamera) -> Array:
    """
    Return the directions of the corners of an image, shape (4, 3) with z = 1.

    A corner that the lens does not see is replaced by the outermost point towards it that is seen.
    """
    spec = camera.spec
    center = np.array(spec.center)
    pixels = center + _PARTS[:, None, None] * (_CORNERS * (spec.width, spec.height) - center)
    # To the axes of the optical frame from those of the camera's convention.
    directions = camera.unproject(pixels) @ (spec.pose.rotation.T @ camera.optical_pose.rotation)
    seen = np.isfinite(directions).all(axis=2) & (directions[..., 2] > _WIDEST)
    first = seen.argmax(axis=0)
    corners = directions[first, np.arange(4)]
    corners[~seen.any(axis=0)] = (0.0, 0.0, 1.0)
    return np.asarray(corners / corners[:, 2:])


def frustum_lines(cameras: Sequence[CameraFrustum], depth: float, color: Color) -> Lines:
    """Return the edges of frusta: eight lines for each camera, four as long as `depth` [m]."""
    lines = np.empty((len(cameras), 8, 2, 3))
    for each, camera in zip(lines, cameras, strict=True):
        lengths = np.linalg.norm(camera.corners, axis=1, keepdims=True)
        corners = transform_points(camera.pose, depth * camera.corners / lengths)
        each[:4, 0], each[:4, 1] = camera.pose.translation, corners
        each[4:, 0], each[4:, 1] = corners, np.roll(corners, -1, axis=0)
    return Lines(lines.reshape(-1, 2, 3), array_of(color))


def camera_viewpoint(camera: CameraFrustum) -> Viewpoint:
    """Return the viewpoint of a camera: it looks along its axis, its image upright."""
    position, rotation = camera.pose.translation, camera.pose.rotation
    return Viewpoint(
        tuple(position.tolist()),
        tuple((position + rotation[:, 2]).tolist()),
        tuple((-rotation[:, 1]).tolist()),
    )

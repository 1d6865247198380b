# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The pose and the field of view of a camera."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.match.ssl.geometry_values import CameraCalibration


class CameraPose:
    """
    Pose and field of view of a camera, in ssl-vision's model without distortion.

    Parameters
    ----------
    position : array, shape (3,)
        Center of the camera [m], field frame.
    calibration : CameraCalibration

    Attributes
    ----------
    position : array, shape (3,)

    """

    def __init__(self, position: Array, calibration: CameraCalibration) -> None:
        self.position = position
        # An uncalibrated camera has a rotation of zeros.
        self._turn = _rotation(calibration.rotation) if any(calibration.rotation) else None
        self._shift = np.array(calibration.translation)
        self._focal_length = calibration.focal_length
        self._middle = np.array(calibration.principal_point)
        self._size = calibration.image_size

    def covers(self, point: Array) -> bool:
        """Return whether a point (x, y, z) [m] is in the image; True without a calibration."""
        if self._turn is None or self._size is None or not all(self._size):
            return True
        x, y, depth = (self._turn @ point + self._shift).tolist()
        if depth <= 0.0:
            return False
        column, row = self._middle + self._focal_length / depth * np.array((x, y))
        return bool(0.0 <= column < self._size[0] and 0.0 <= row < self._size[1])


def _rotation(quaternion: tuple[float, float, float, float]) -> Array:
    """Return the rotation matrix of a quaternion (x, y, z, w), shape (3, 3)."""
    x, y, z, w = (np.array(quaternion) / np.linalg.norm(quaternion)).tolist()
    return np.array(
        (
            (1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)),
            (2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)),
            (2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)),
        )
    )

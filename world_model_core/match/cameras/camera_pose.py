# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What part of the carpet a camera looks at."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.match.ssl.values import CameraCalibration


class CameraPose:
    """
    Where a camera is and what it sees, in ssl-vision's model, without its distortion.

    Parameters
    ----------
    position : array, shape (3,)
        Its centre [m], field frame.
    calibration : CameraCalibration

    Attributes
    ----------
    position : array, shape (3,)

    """

    def __init__(self, position: Array, calibration: CameraCalibration) -> None:
        self.position = position
        # One that was not calibrated has zeros there.
        self._turn = _rotation(calibration.rotation) if any(calibration.rotation) else None
        self._shift = np.array(calibration.translation)
        self._focal_length = calibration.focal_length
        self._middle = np.array(calibration.principal_point)
        self._size = calibration.image_size

    def sees(self, point: Array) -> bool:
        """Tell whether a point (x, y, z) [m] is in the image; yes if nobody told that."""
        if self._turn is None or self._size is None or not all(self._size):
            return True
        x, y, depth = (self._turn @ point + self._shift).tolist()
        if depth <= 0.0:
            return False
        column, row = self._middle + self._focal_length / depth * np.array((x, y))
        return bool(0.0 <= column < self._size[0] and 0.0 <= row < self._size[1])


def _rotation(quaternion: tuple[float, float, float, float]) -> Array:
    """Write a quaternion (x, y, z, w) as a matrix, shape (3, 3)."""
    x, y, z, w = (np.array(quaternion) / np.linalg.norm(quaternion)).tolist()
    return np.array(
        (
            (1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)),
            (2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)),
            (2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)),
        )
    )

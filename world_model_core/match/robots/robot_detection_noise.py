# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Estimates the detection noise of each camera from successive frames of robots."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.angles import wrap_angles
from world_model_core.match.cameras.bias import MOST_CAMERAS
from world_model_core.match.cameras.detection_noise import FRAMES, DetectionNoise, FrameTimes
from world_model_core.match.robots.robot_table import ROWS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array

# Least standard deviations, used for a simulator without noise [m], [rad].
PLACE_FLOOR, HEADING_FLOOR = 0.0003, 0.001


class _CameraFrames:
    """The last frames of one camera: poses (4, 3, 32), NaN where no robot was detected."""

    def __init__(self) -> None:
        self.times = FrameTimes()
        self.poses = np.full((FRAMES, 3, ROWS), np.nan)
        self.next = 0


class RobotDetectionNoise:
    """
    Estimates the noise of each camera from robots that it detects in successive frames.

    Parameters
    ----------
    position_std, heading_std : float
        Initial standard deviations of each camera [m], [rad].

    """

    def __init__(self, position_std: float, heading_std: float) -> None:
        self.places = DetectionNoise(position_std, PLACE_FLOOR)
        self.headings = DetectionNoise(heading_std, HEADING_FLOOR)
        self._cameras: dict[int, _CameraFrames] = {}

    def of(self, camera_id: int) -> Array:
        """Return the variances of x, y and heading, shape (3, 1)."""
        place = self.places.variance(camera_id)
        return np.array(((place,), (place,), (self.headings.variance(camera_id),)))

    def add(self, camera_id: int, capture_ns: int, rows: NDArray[np.intp], poses: Array) -> None:
        """Add the robots of one frame, `poses` (3, n); four frames make one sample."""
        camera = self._cameras.get(camera_id)
        if camera is None:
            if len(self._cameras) >= MOST_CAMERAS:
                self._cameras.clear()  # estimated again within four frames
            camera = self._cameras[camera_id] = _CameraFrames()
        camera.times.add(capture_ns)
        camera.poses[camera.next] = np.nan
        camera.poses[camera.next, :, rows] = poses.T
        camera.next = (camera.next + 1) % FRAMES
        if camera.next == 0:
            self._observe(camera_id, camera)

    def _observe(self, camera_id: int, camera: _CameraFrames) -> None:
        weights = camera.times.weights()
        if weights is None:
            return
        poses = camera.poses
        poses[1:, 2] = poses[0, 2] + wrap_angles(poses[1:, 2] - poses[0, 2])
        squares = (np.array(weights) @ poses.reshape(FRAMES, -1)).reshape(3, ROWS) ** 2
        for estimate, squared in (
            (self.places, squares[:2].ravel()),
            (self.headings, squares[2]),
        ):
            samples = squared[~np.isnan(squared)].tolist()
            if samples:
                estimate.observe(camera_id, samples)

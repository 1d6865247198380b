# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The last pictures of each camera, and how noisy the robots in them are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.angles import wrap_angles
from world_model_core.match.cameras.bias import MOST_CAMERAS
from world_model_core.match.cameras.detection_noise import PICTURES, DetectionNoise, FrameTimes
from world_model_core.match.robots.robot_table import ROWS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array

# What a simulator without noise counts as [m], [rad].
PLACE_FLOOR, HEADING_FLOOR = 0.0003, 0.001


class _Camera:
    """The last pictures of one camera: poses (4, 3, 32), NaN where no robot was seen."""

    def __init__(self) -> None:
        self.times = FrameTimes()
        self.poses = np.full((PICTURES, 3, ROWS), np.nan)
        self.next = 0


class RobotDetectionNoise:
    """
    Learns how noisy each camera is from robots that it sees picture after picture.

    Parameters
    ----------
    position_std, heading_std : float
        What a camera is taken for at first [m], [rad].

    """

    def __init__(self, position_std: float, heading_std: float) -> None:
        self.places = DetectionNoise(position_std, PLACE_FLOOR)
        self.headings = DetectionNoise(heading_std, HEADING_FLOOR)
        self._cameras: dict[int, _Camera] = {}

    def of(self, camera_id: int) -> Array:
        """Return the variances of x, y and heading, shape (3, 1)."""
        place = self.places.variance(camera_id)
        return np.array(((place,), (place,), (self.headings.variance(camera_id),)))

    def add(self, camera_id: int, capture_ns: int, rows: NDArray[np.intp], poses: Array) -> None:
        """Take in the robots of one picture, `poses` (3, n); four make a sample each."""
        camera = self._cameras.get(camera_id)
        if camera is None:
            if len(self._cameras) >= MOST_CAMERAS:
                self._cameras.clear()  # learnt again in four pictures
            camera = self._cameras[camera_id] = _Camera()
        camera.times.add(capture_ns)
        camera.poses[camera.next] = np.nan
        camera.poses[camera.next, :, rows] = poses.T
        camera.next = (camera.next + 1) % PICTURES
        if camera.next == 0:
            self._observe(camera_id, camera)

    def _observe(self, camera_id: int, camera: _Camera) -> None:
        weights = camera.times.weights()
        if weights is None:
            return
        poses = camera.poses
        poses[1:, 2] = poses[0, 2] + wrap_angles(poses[1:, 2] - poses[0, 2])
        squares = (np.array(weights) @ poses.reshape(PICTURES, -1)).reshape(3, ROWS) ** 2
        for estimate, told in (
            (self.places, squares[:2].ravel()),
            (self.headings, squares[2]),
        ):
            samples = told[~np.isnan(told)].tolist()
            if samples:
                estimate.observe(camera_id, samples)

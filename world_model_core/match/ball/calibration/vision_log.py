# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Ball detections of a recording, without the ball constants it may contain."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.match.ball.contact_segmentation import BallDetections

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.match.ball.calibration.values import Array
    from world_model_core.match.ssl.vision_values import (
        BallDetection,
        RobotDetection,
        VisionPacket,
    )

# A ball above this part of the camera height is not projected.
HIGHEST = 0.9


class RecordedDetections(NamedTuple):
    """
    All ball detections of a recording, in order of time.

    `detections`; `origins` (n, 3), position of the camera of each, field frame [m], NaN if
    unknown; `clearances` (n,), distance to the nearest robot's center in the frame [m], inf
    without robots.
    """

    detections: BallDetections
    origins: Array
    clearances: Array


class VisionLog:
    """
    Collect the ball detections of a recording, packet by packet.

    Attributes
    ----------
    models_set_aside : bool
        Whether a packet had SSL_GeometryModels, which contain the constants and are ignored.

    """

    def __init__(self) -> None:
        self.models_set_aside = False
        self._frames: set[tuple[int, int]] = set()
        self._rows: list[tuple[int, int, BallDetection, float]] = []
        self._origins: dict[int, tuple[float, float, float]] = {}

    def add(self, packet: VisionPacket) -> None:
        """Add a packet; duplicate frames are ignored."""
        frame, geometry = packet.detection, packet.geometry
        if frame is not None and (key := (frame.capture_ns, frame.camera_id)) not in self._frames:
            self._frames.add(key)
            self._rows += [(*key, ball, _clearance(ball, frame.robots)) for ball in frame.balls]
        if geometry is not None:
            self.models_set_aside |= (geometry.straight or geometry.chip) is not None
            # Each camera's computer may send the calibration of that camera alone.
            self._origins.update(
                (camera.camera_id, camera.position)
                for camera in geometry.cameras
                if camera.position is not None
            )

    def record(self) -> RecordedDetections:
        """Return all detections; balls with a measured height are projected to the carpet."""
        rows = sorted(self._rows, key=lambda row: row[:2])
        nowhere = (np.nan, np.nan, np.nan)
        origins = np.array([self._origins.get(camera, nowhere) for _, camera, _, _ in rows])
        origins = origins.reshape(-1, 3)
        places = np.array([(ball.x, ball.y) for _, _, ball, _ in rows]).reshape(-1, 2)
        heights = np.array([ball.z or 0.0 for _, _, ball, _ in rows])
        detections = BallDetections(
            np.array([stamp for stamp, _, _, _ in rows], dtype=np.int64),
            _projected(places, heights, origins),
            np.array([camera for _, camera, _, _ in rows], dtype=np.intp),
        )
        return RecordedDetections(
            detections, origins, np.array([distance for *_, distance in rows])
        )


def _clearance(ball: BallDetection, robots: Sequence[RobotDetection]) -> float:
    """Return the distance to the nearest robot's center [m]."""
    distances = (math.hypot(robot.x - ball.x, robot.y - ball.y) for robot in robots)
    return min(distances, default=math.inf)


def _projected(places: Array, heights: Array, origins: Array) -> Array:
    """Project balls in the air along the camera rays to the carpet, (n, 2) [m]."""
    below = (heights > 0.0) & (heights < HIGHEST * origins[:, 2])
    height, above = heights[below], origins[below]
    scale = above[:, 2] / (above[:, 2] - height)
    projected = places.copy()
    projected[below] = above[:, :2] + (places[below] - above[:, :2]) * scale[:, None]
    return projected

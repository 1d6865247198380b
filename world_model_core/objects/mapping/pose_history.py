# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""History of the robot's pose with its covariance, for the uncertainty of detections."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque

from world_model_core.frames import Transform, compose, inverse

# Maximum time between a frame and the pose estimate used for it [ns]: estimates come at 10 Hz or
# faster.
NEAR_NS = 200_000_000
# At 200 Hz these are the last ten seconds, the length of tf's buffer.
MOST = 2000


class PoseHistory:
    """Keeps estimates of a sensor's pose in the map, with their covariances."""

    def __init__(self) -> None:
        self._stamps: deque[int] = deque(maxlen=MOST)
        self._poses: deque[Transform] = deque(maxlen=MOST)

    def add(self, stamp_ns: int, sensor2map: Transform) -> None:
        """Add an estimate; a stamp that goes back in time starts a new history."""
        if self._stamps and stamp_ns < self._stamps[-1]:
            self._stamps.clear()
            self._poses.clear()
        self._stamps.append(stamp_ns)
        self._poses.append(sensor2map)

    def with_covariance(self, stamp_ns: int, camera2map: Transform) -> Transform:
        """
        Add the uncertainty of the robot's pose to the pose of a camera.

        The camera is assumed to be fixed to the sensor whose pose is estimated, so that a rotation
        of
        the sensor also moves the camera. Without an estimate near the stamp nothing is added.
        """
        sensor2map = self._nearest(stamp_ns)
        if sensor2map is None:
            return camera2map
        exact = Transform(sensor2map.rotation, sensor2map.translation)
        camera2sensor = compose(camera2map, inverse(exact))
        return compose(camera2sensor, sensor2map)

    def _nearest(self, stamp_ns: int) -> Transform | None:
        after = bisect_left(self._stamps, stamp_ns)
        neighbors = [index for index in (after - 1, after) if 0 <= index < len(self._stamps)]
        ages = {abs(self._stamps[index] - stamp_ns): index for index in neighbors}
        if not ages or min(ages) > NEAR_NS:
            return None
        return self._poses[ages[min(ages)]]

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""How unsure the robot was of its pose, at the instants of the last seconds."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque

from world_model_core.frames import Transform, compose, inverse

# A frame's pose is taken from the estimate nearest to it in time, if that is no farther [ns]:
# estimates come at 10 Hz at least, where they come at all.
NEAR_NS = 200_000_000
# At 200 Hz these are the last ten seconds, as long as tf remembers.
MOST = 2000


class PoseHistory:
    """Keeps estimates of a sensor's pose in the map, with their covariances."""

    def __init__(self) -> None:
        self._stamp_filter: deque[int] = deque(maxlen=MOST)
        self._poses: deque[Transform] = deque(maxlen=MOST)

    def add(self, stamp_ns: int, sensor2map: Transform) -> None:
        """Remember an estimate; one that goes back in time begins a new history."""
        if self._stamp_filter and stamp_ns < self._stamp_filter[-1]:
            self._stamp_filter.clear()
            self._poses.clear()
        self._stamp_filter.append(stamp_ns)
        self._poses.append(sensor2map)

    def with_covariance(self, stamp_ns: int, camera2map: Transform) -> Transform:
        """
        Add what the robot was unsure of to the pose of a camera that it carries.

        The camera is taken to be fixed to the sensor whose pose is estimated, so that a turn of
        the sensor moves it as well. Without an estimate near the instant nothing is added.
        """
        sensor2map = self._nearest(stamp_ns)
        if sensor2map is None:
            return camera2map
        exact = Transform(sensor2map.rotation, sensor2map.translation)
        camera2sensor = compose(camera2map, inverse(exact))
        return compose(camera2sensor, sensor2map)

    def _nearest(self, stamp_ns: int) -> Transform | None:
        after = bisect_left(self._stamp_filter, stamp_ns)
        beside = [index for index in (after - 1, after) if 0 <= index < len(self._stamp_filter)]
        ages = {abs(self._stamp_filter[index] - stamp_ns): index for index in beside}
        if not ages or min(ages) > NEAR_NS:
            return None
        return self._poses[ages[min(ages)]]

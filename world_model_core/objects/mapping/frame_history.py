# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Poses and stamps of the last frames."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque

from world_model_core.frames import Transform, compose, inverse
from world_model_core.time import to_nanoseconds

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


# Number of stamps kept to detect repeated frames.
REMEMBERED = 256


class StampFilter:
    """
    Decides by its stamp whether a frame is used.

    Objects are static, so that a frame may be a little late. A repeated stamp is a duplicate of a
    frame and carries no evidence. A stamp far in the future or in the past is dropped; if the
    next frame agrees with it, the clock was changed or a recording restarted, and it is accepted.

    Parameters
    ----------
    lateness : float
        Maximum age relative to the newest frame [s].
    leap : float
        Maximum step into the future [s].

    """

    def __init__(self, lateness: float, leap: float) -> None:
        self._lateness, self._leap = (
            to_nanoseconds(lateness),
            to_nanoseconds(leap),
        )
        self._recent: deque[int] = deque(maxlen=REMEMBERED)
        self._newest: int | None = None
        self._aside: int | None = None

    def check(self, stamp_ns: int) -> str | None:
        """Return the reason for which a frame is dropped, or None and record its stamp."""
        if stamp_ns in self._recent:
            return 'frame repeated'
        if self._newest is not None and not self._fits(stamp_ns, self._newest):
            if self._aside is None or not self._fits(stamp_ns, self._aside):
                ahead = stamp_ns > self._newest
                self._aside = stamp_ns
                return 'frame from the future' if ahead else 'frame out of order'
            self._recent.clear()
            self._newest = None
        self._aside = None
        self._recent.append(stamp_ns)
        self._newest = max(stamp_ns, self._newest) if self._newest is not None else stamp_ns
        return None

    def _fits(self, stamp_ns: int, newest: int) -> bool:
        """Return whether a frame may follow another."""
        return -self._lateness <= stamp_ns - newest <= self._leap

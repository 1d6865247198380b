# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Baseline ball tracker: a constant-velocity Kalman filter of the nearest detection."""

from __future__ import annotations

import numpy as np

from world_model_core.time import NANOSECONDS_PER_SECOND, to_seconds

# Power spectral density of the acceleration [m^2/s^3]: of 0.3, 1, 3, 10, 30 and 100 the value with
# the best velocities of rolling balls (95 %) and positions within 2 % of the best.
DENSITY = 1.0
# Standard deviations of a detection [m] and of the initial velocity [m/s].
SIGHT_STD, SPEED_STD = 0.0014, 3.0
# Without a detection within this distance [m] for this long [ns] it restarts.
REACH, GONE_NS = 0.3, NANOSECONDS_PER_SECOND // 20


class ConstantVelocity:
    """Position and velocity (x, y) of a ball; x and y share one covariance."""

    def __init__(self) -> None:
        self._stamp_ns, self._seen_ns = 0, -NANOSECONDS_PER_SECOND
        self._place, self._velocity = np.zeros(2), np.zeros(2)
        self._covariance = np.eye(2)

    def at(self, stamp_ns: int) -> np.ndarray:
        """Return (x, y, vx, vy) [m, m/s] at a time [ns]."""
        ahead = to_seconds(stamp_ns - self._stamp_ns)
        return np.concatenate((self._place + ahead * self._velocity, self._velocity))

    def update(self, stamp_ns: int, detections: np.ndarray) -> None:
        """Update with the balls of one frame (n, 2) [m]; late frames are ignored."""
        if stamp_ns < self._stamp_ns:
            return
        self._predict(stamp_ns)
        if not len(detections):
            return
        off = detections - self._place
        nearest = off[np.hypot(*off.T).argmin()]
        if np.hypot(*nearest) < REACH:
            gain = self._covariance[0] / (self._covariance[0, 0] + SIGHT_STD**2)
            self._place += gain[0] * nearest
            self._velocity += gain[1] * nearest
            self._covariance -= np.outer(gain, self._covariance[0])
            self._seen_ns = stamp_ns
        elif stamp_ns - self._seen_ns > GONE_NS:
            self._place, self._velocity = detections[0].copy(), np.zeros(2)
            self._covariance = np.diag((SIGHT_STD**2, SPEED_STD**2))
            self._seen_ns = stamp_ns

    def _predict(self, stamp_ns: int) -> None:
        dt = to_seconds(stamp_ns - self._stamp_ns) if self._stamp_ns else 0.0
        flow = np.array(((1.0, dt), (0.0, 1.0)))
        noise = DENSITY * np.array(((dt**3 / 3.0, dt**2 / 2.0), (dt**2 / 2.0, dt)))
        self._place += dt * self._velocity
        self._covariance = flow @ self._covariance @ flow.T + noise
        self._stamp_ns = stamp_ns

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A Kalman filter on the poses of many robots at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.angles import wrap_angles
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.match.robots.robot_table import RobotTable

# Variance of a heading that the camera did not measure [rad^2].
NO_HEADING = 1e6
# Variance of the velocity of a new robot [m^2/s^2, rad^2/s^2].
FIRST_VELOCITY = np.array(((4.0,), (4.0,), (40.0,)))
# Limits of the adaptive process noise densities, x, y and heading [m^2/s^3, rad^2/s^3].
LEAST_DENSITY = np.array(((0.01,), (0.01,), (0.3,)))
MOST_DENSITY = np.array(((50.0,), (50.0,), (4000.0,)))
# Rate of adaptation per unit of NIS above or below 1, and the largest NIS that counts.
ADAPTATION, MOST_NIS = 0.2, 25.0


class PoseFilter:
    """
    Kalman filter with constant velocity and white acceleration; x, y and heading are independent.

    Robots stand still for long and then accelerate within a tenth of a second. No single process
    noise density fits both, so each robot has its own, which grows while the innovations are
    larger than expected and shrinks while they are smaller.

    Parameters
    ----------
    table : RobotTable
        The estimates, updated in place.
    densities : array, shape (3,)
        Process noise densities of a new robot.

    """

    def __init__(self, table: RobotTable, densities: Array) -> None:
        self._table = table
        self._first = densities[:, None]
        self._newest_ns = 0  # the newest of all stamps

    def begin(
        self, rows: NDArray[np.intp], measured: Array, noise: Array, capture_ns: int
    ) -> None:
        """Start tracks at the poses `measured` (3, n) with the variances `noise` (3, 1)."""
        table = self._table
        planes = np.zeros((5, *measured.shape))
        planes[0], planes[2], planes[4] = measured, noise, FIRST_VELOCITY
        planes[0, 2] = wrap_angles(measured[2])
        table.planes[:, :, rows] = planes
        table.stamp_ns[rows], table.visibility[rows] = capture_ns, 1.0
        table.densities[:, rows] = self._first
        self._newest_ns = max(self._newest_ns, capture_ns)

    def correct(
        self, rows: NDArray[np.intp], measured: Array, noise: Array, capture_ns: int
    ) -> Array:
        """
        Correct robots by the detections of a camera.

        Parameters
        ----------
        rows : array of int, shape (n,)
            At least one row, each once.
        measured : array, shape (3, n)
            x, y [m] and heading [rad]; NaN for a missing heading.
        noise : array, shape (3, 1)
            Their variances.
        capture_ns : int
            Time of the detections [ns, the table's clock]. Late detections are predicted forward
            with the estimated velocities and their variances.

        Returns
        -------
        array, shape (3, n)
            Normalized innovation squared of x, y and heading.

        """
        table = self._table
        elapsed = (capture_ns - table.stamp_ns[rows]) / NANOSECONDS_PER_SECOND
        late = capture_ns < self._newest_ns
        densities = table.densities.take(rows, axis=1)
        planes = table.ahead(rows, np.maximum(elapsed, 0.0) if late else elapsed, densities)
        innovation = measured - planes[0]
        unseen = np.isnan(innovation[2])
        if unseen.any():
            innovation[2, unseen] = 0.0
            noise = np.broadcast_to(noise, innovation.shape).copy()
            noise[2, unseen] = NO_HEADING
        if late:
            back = np.minimum(elapsed, 0.0)
            innovation -= back * planes[1]
            noise = noise + back**2 * planes[4]
        innovation[2] = wrap_angles(innovation[2])
        nis = _update(planes, innovation, noise)
        planes[0, 2] = wrap_angles(planes[0, 2])
        table.planes[:, :, rows] = planes
        table.densities[:, rows] = _adapted(densities, nis)
        table.visibility[rows] = 1.0
        self._newest_ns = max(self._newest_ns, capture_ns)
        newest = np.maximum(table.stamp_ns[rows], capture_ns) if late else capture_ns
        table.stamp_ns[rows] = newest
        return nis


def _update(planes: Array, innovation: Array, noise: Array) -> Array:
    """Correct planes (5, 3, n) in place by innovations (3, n); return their NIS."""
    pose, velocity, place, cross, speed = planes
    spread = place + noise
    scaled = innovation / spread
    kept = noise / spread
    pose += place * scaled
    velocity += cross * scaled
    speed -= cross * cross / spread
    place *= kept
    cross *= kept
    nis: Array = innovation * scaled
    return nis


def _adapted(densities: Array, nis: Array) -> Array:
    """Adapt the densities to the innovations, arrays (3, n); x and y share one NIS."""
    excess = np.minimum(nis, MOST_NIS) - 1.0
    excess[:2] = 0.5 * (excess[0] + excess[1])
    wanted = densities * np.exp(ADAPTATION * excess)
    bounded: Array = np.minimum(np.maximum(wanted, LEAST_DENSITY), MOST_DENSITY)
    return bounded

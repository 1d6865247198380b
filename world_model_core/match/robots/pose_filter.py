# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A Kalman filter on the poses of many robots at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.angles import wrap_angles
from world_model_core.match.robots.robot_table import ROWS
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.match.robots.robot_table import RobotTable

# Of a heading that the camera did not give: as good as unknown [rad^2].
NO_HEADING = 1e6
# Of the velocity of a robot seen for the first time [m^2/s^2, rad^2/s^2].
FIRST_VELOCITY = np.array(((4.0,), (4.0,), (40.0,)))
# Within these the densities follow how a robot drives, x, y and heading [m^2/s^3, rad^2/s^3].
LEAST_DENSITY = np.array(((0.01,), (0.01,), (0.3,)))
MOST_DENSITY = np.array(((50.0,), (50.0,), (4000.0,)))
# How fast they do: by this part per unit of NIS too much or too little, up to so much.
ADAPTATION, MOST_NIS = 0.2, 25.0


class PoseFilter:
    """
    Constant velocity and white acceleration on the rows of a table, x, y and heading apart.

    Robots stand for long and then start within a tenth of a second. No one density of
    acceleration fits both, so each robot has its own, which grows while its innovations are
    larger than stated and shrinks while they are smaller.

    Parameters
    ----------
    table : RobotTable
        Which is changed.
    densities : array, shape (3,)
        Those of a robot that begins.

    """

    def __init__(self, table: RobotTable, densities: Array) -> None:
        self._table = table
        self._first = densities[:, None]
        self._densities = np.empty((3, ROWS))
        self._newest_ns = 0  # of all stamps

    def begin(
        self, rows: NDArray[np.intp], measured: Array, noise: Array, capture_ns: int
    ) -> None:
        """Start robots where they are seen, `measured` (3, n), with variances `noise` (3, 1)."""
        table = self._table
        planes = np.zeros((5, *measured.shape))
        planes[0], planes[2], planes[4] = measured, noise, FIRST_VELOCITY
        planes[0, 2] = wrap_angles(measured[2])
        table.planes[:, :, rows] = planes
        table.stamp_ns[rows], table.visibility[rows] = capture_ns, 1.0
        self._densities[:, rows] = self._first
        self._newest_ns = max(self._newest_ns, capture_ns)

    def correct(
        self, rows: NDArray[np.intp], measured: Array, noise: Array, capture_ns: int
    ) -> Array:
        """
        Correct robots by what a camera saw of them.

        Parameters
        ----------
        rows : array of int, shape (n,)
            At least one, each once.
        measured : array, shape (3, n)
            x, y [m] and heading [rad], NaN where unseen.
        noise : array, shape (3, 1)
            Their variances.
        capture_ns : int
            When [ns, the table's clock]. What is late is brought forward, as surely as the speeds
            are known.

        Returns
        -------
        array, shape (3, n)
            Normalised innovation squared of each number.

        """
        table = self._table
        elapsed = (capture_ns - table.stamp_ns[rows]) / NANOSECONDS_PER_SECOND
        late = capture_ns < self._newest_ns
        densities = self._densities.take(rows, axis=1)
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
        self._densities[:, rows] = _adapted(densities, nis)
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
    """Follow how hard each robot drives, all arrays (3, n); x and y alike, for a robot turns."""
    excess = np.minimum(nis, MOST_NIS) - 1.0
    excess[:2] = 0.5 * (excess[0] + excess[1])
    wanted = densities * np.exp(ADAPTATION * excess)
    bounded: Array = np.minimum(np.maximum(wanted, LEAST_DENSITY), MOST_DENSITY)
    return bounded

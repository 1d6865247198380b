# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Estimated robots, and the table of all robots of both teams."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from world_model_core.angles import wrap_angles
from world_model_core.match.ssl.robot_id import RobotId, Team

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array

__all__ = ['RobotTable', 'Robots']


@dataclass(frozen=True, slots=True, eq=False)
class Robots:
    """
    All robots at one time, in the field frame, in order of color and number.

    Parameters
    ----------
    stamp_ns : int
        Time of the states [ns]; the owner of this object knows the clock.
    ids : tuple of RobotId
        Color and number of each of the n robots.
    poses : array, shape (n, 3)
        x, y [m] and heading [rad], counter-clockwise from +x, within (-pi, pi].
    velocities : array, shape (n, 3)
        vx, vy [m/s] in the field frame and angular velocity [rad/s].
    covariances : array, shape (n, 3, 2, 2)
        Covariance of (pose, velocity) of each of x, y, heading, which are independent.
    visibilities : array, shape (n,)
        From 0 (not seen recently) to 1.

    """

    stamp_ns: int
    ids: tuple[RobotId, ...]
    poses: Array
    velocities: Array
    covariances: Array
    visibilities: Array

    def __len__(self) -> int:
        """Return the number of robots."""
        return len(self.ids)

    def distances_to(self, place: Array) -> Array:
        """Return the distance of each robot's center to a position (x, y) [m], shape (n,)."""
        offsets = self.poses[:, :2] - place[:2]
        distances: Array = np.hypot(offsets[:, 0], offsets[:, 1])
        return distances


ROWS = 32
# The robot of each row.
IDS = tuple(RobotId(team, number) for team in (Team.BLUE, Team.YELLOW) for number in range(16))
# An undetected robot is predicted for this time, then kept in place: robots often stop [s].
COAST_LIMIT = 0.2
# For this long after a detection a robot accelerates as it did before it [s]: three frames.
STEADY = 0.05
NEVER = -(2**62)
# Planes of a covariance matrix, see RobotTable.
_SYMMETRIC = np.array(((2, 3), (3, 4)))


class RobotTable:
    """
    The last estimate of each robot; the row is `RobotId.slot`.

    Attributes
    ----------
    stamp_ns : array of int, shape (32,)
        Time of each row's estimate [ns, one clock]; NEVER for an empty row.
    planes : array, shape (5, 3, 32)
        All estimates in the layout that is fastest to compute with: pose, velocity, variance of
        the pose, covariance of both, variance of the velocity; each of x, y [m] and heading [rad],
        field frame.
    mean : array, shape (32, 3, 2)
        (pose, velocity) of x, y and heading; a view of `planes`.
    covariance : array, shape (32, 3, 2, 2)
        Covariance of `mean`, a view of `planes`; without the camera's bias, which does not average
        out.
    densities : array, shape (3, 32)
        Power spectral densities of the accelerations of x, y and heading of each robot, as far
        as they are estimated, else NaN.
    offset_variance : array, shape (32,)
        Variance of the remaining bias of the leading camera, for each of x and y [m^2].
    visibility : array, shape (32,)

    """

    def __init__(self) -> None:
        self.stamp_ns = np.full(ROWS, NEVER, dtype=np.int64)
        self.planes = np.zeros((5, 3, ROWS))
        self.mean, self.covariance = _views(self.planes)
        self.densities = np.full((3, ROWS), np.nan)
        self.offset_variance = np.zeros(ROWS)
        self.visibility = np.zeros(ROWS)

    def clear(self) -> None:
        """Empty every row."""
        self.stamp_ns[:] = NEVER

    def moved(
        self, rows: NDArray[np.intp], elapsed: Array, densities: Array
    ) -> tuple[Array, Array]:
        """
        Predict rows with a constant velocity and white acceleration.

        Parameters
        ----------
        rows : array of int, shape (n,)
        elapsed : array, shape (n,)
            Time since each row's stamp [s], not negative.
        densities : array, shape (3,)
            Power spectral densities of the accelerations of x, y and heading.

        Returns
        -------
        mean, covariance : array, shapes (n, 3, 2) and (n, 3, 2, 2)

        """
        return _matrices(self.ahead(rows, elapsed, densities[:, None]))

    def ahead(self, rows: NDArray[np.intp], elapsed: Array, densities: Array) -> Array:
        """
        Predict rows as `moved` does, but return their planes, shape (5, 3, n).

        Parameters
        ----------
        rows : array of int, shape (n,)
        elapsed : array, shape (n,)
            Time since each row's stamp [s], not negative.
        densities : array, shape (3, n) or (3, 1)

        """
        planes = self.planes.take(rows, axis=2)
        pose, velocity, place, cross, speed = planes
        step = np.empty_like(pose)
        step[:] = elapsed
        # White acceleration adds dt^3 / 3, dt^2 / 2 and dt times its density (Bar-Shalom, Li,
        # Kirubarajan, Estimation with Applications to Tracking and Navigation, 2001, eq.
        # 6.2.2-12).
        gained = densities * step
        pose += step * velocity
        place += step * (2.0 * cross + step * (speed + gained / 3.0))
        cross += step * (speed + 0.5 * gained)
        speed += gained
        return planes

    def coasted(
        self, rows: NDArray[np.intp], elapsed: Array, densities: Array
    ) -> tuple[Array, Array]:
        """
        Predict undetected robots: at constant velocity for a moment, then at rest.

        Parameters and results as for `moved`; headings are wrapped, and the covariances include
        the camera's bias. Until `STEADY` after a detection, `densities` are replaced by those of
        the robot itself, where they are estimated.
        """
        own = self.densities.take(rows, axis=1)
        used = np.where((elapsed <= STEADY) & ~np.isnan(own), own, densities[:, None])
        planes = self.ahead(rows, np.maximum(elapsed, 0.0), used)
        planes[2, :2] += self.offset_variance[rows]
        lost = elapsed > COAST_LIMIT
        if lost.any():
            pose, velocity = self.planes[:2, :, rows[lost]]
            planes[0][:, lost] = pose + COAST_LIMIT * velocity
            planes[1][:, lost] = 0.0
        planes[0, 2] = wrap_angles(planes[0, 2])
        return _matrices(planes)


def _views(planes: Array) -> tuple[Array, Array]:
    """View planes (5, 3, n) as means (n, 3, 2) and symmetric covariances (n, 3, 2, 2)."""
    # A row of the matrix is a window on the last three planes: the first two, or the last two.
    pairs = sliding_window_view(planes[2:], 2, axis=0, writeable=True)
    return planes[:2].T, pairs.transpose(2, 1, 0, 3)


def _matrices(planes: Array) -> tuple[Array, Array]:
    """Return the same as `_views`, the covariances copied, which takes a tenth of the time."""
    return planes[:2].T, planes.take(_SYMMETRIC, axis=0).transpose(3, 2, 0, 1)

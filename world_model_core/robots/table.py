# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""One row a robot: what one source knows of both teams."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.gaussian import constant_velocity, predict, white_acceleration
from world_model_core.robots.estimate import wrap_angles
from world_model_core.ssl.values import RobotId, Team

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array

SECOND = 1_000_000_000
ROWS = 32
# The robot of every row.
IDS = tuple(RobotId(team, number) for team in (Team.BLUE, Team.YELLOW) for number in range(16))
# Robots stop: after this long unseen, moving on at the last speed is worse than staying [s].
COAST_LIMIT = 0.2
NEVER = -(2**62)


class RobotTable:
    """
    The last estimate of every robot, rows by `RobotId.slot`.

    Attributes
    ----------
    stamp_ns : array of int, shape (32,)
        Instant of each row's estimate [ns, one clock]; NEVER for an empty row.
    mean : array, shape (32, 3, 2)
        (pose, velocity) of x, y [m, m/s] and heading [rad, rad/s], field frame.
    covariance : array, shape (32, 3, 2, 2)
    visibility : array, shape (32,)

    """

    def __init__(self) -> None:
        self.stamp_ns = np.full(ROWS, NEVER, dtype=np.int64)
        self.mean = np.zeros((ROWS, 3, 2))
        self.covariance = np.zeros((ROWS, 3, 2, 2))
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
            Since each row's stamp [s], not negative.
        densities : array, shape (3,)
            Power spectral densities of the accelerations of x, y and heading.

        Returns
        -------
        mean, covariance : array, shapes (n, 3, 2) and (n, 3, 2, 2)

        """
        dt = elapsed[:, None]
        noise = white_acceleration(dt, densities)
        return predict(self.mean[rows], self.covariance[rows], constant_velocity(dt), noise)

    def coasted(
        self, rows: NDArray[np.intp], elapsed: Array, densities: Array
    ) -> tuple[Array, Array]:
        """
        Move unseen robots on: at constant speed for a moment, then on the spot.

        Parameters and results as for `moved`; headings are wrapped.
        """
        if not (elapsed > 0.0).any():  # as in the very frame that saw them
            return self.mean[rows], self.covariance[rows]
        mean, covariance = self.moved(rows, np.maximum(elapsed, 0.0), densities)
        lost = elapsed > COAST_LIMIT
        if lost.any():
            old = self.mean[rows[lost]]
            mean[lost, :, 0] = old[..., 0] + COAST_LIMIT * old[..., 1]
            mean[lost, :, 1] = 0.0
        mean[:, 2, 0] = wrap_angles(mean[:, 2, 0])
        return mean, covariance

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The estimated states of all robots at one time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.match.ssl.values import RobotId

__all__ = ['Robots']


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

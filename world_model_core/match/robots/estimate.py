# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What is known of the robots at an instant."""

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
    All robots at one instant, in the field frame, in order of colour and number.

    Parameters
    ----------
    stamp_ns : int
        Instant [ns]; whose clock, the holder knows.
    ids : tuple of RobotId
        Colour and number of each of the n robots.
    poses : array, shape (n, 3)
        x, y [m] and heading [rad], counter-clockwise from +x, within (-pi, pi].
    velocities : array, shape (n, 3)
        vx, vy [m/s] in the field frame and angular velocity [rad/s].
    covariances : array, shape (n, 3, 2, 2)
        Of (pose, velocity) for each of x, y, heading, which are independent.
    visibilities : array, shape (n,)
        0, not seen of late, to 1.

    """

    stamp_ns: int
    ids: tuple[RobotId, ...]
    poses: Array
    velocities: Array
    covariances: Array
    visibilities: Array

    def __len__(self) -> int:
        """Count the robots."""
        return len(self.ids)

    def distances_to(self, place: Array) -> Array:
        """Measure from every robot's centre to a place (x, y) [m], shape (n,)."""
        offsets = self.poses[:, :2] - place[:2]
        distances: Array = np.hypot(offsets[:, 0], offsets[:, 1])
        return distances

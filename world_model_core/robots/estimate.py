# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What is known of a robot at an instant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.gaussian import constant_velocity, white_acceleration

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.ssl.values import RobotId

SECOND = 1_000_000_000
# Robots stop: after this long unseen, moving on at the last speed is worse than staying [s].
COAST_LIMIT = 0.2


@dataclass(frozen=True, slots=True, eq=False)
class RobotState:
    """
    A robot at `stamp_ns`, in the field frame.

    Parameters
    ----------
    id : RobotId
        Colour and number.
    stamp_ns : int
        Instant [ns]; whose clock, the holder knows.
    pose : array, shape (3,)
        x, y [m] and heading [rad], counter-clockwise from +x, within (-pi, pi].
    velocity : array, shape (3,)
        vx, vy [m/s] in the field frame and angular velocity [rad/s].
    covariance : array, shape (3, 2, 2)
        Of (pose, velocity) for each of x, y, heading, which are filtered independently.
    visibility : float
        0, not seen of late, to 1.

    """

    id: RobotId
    stamp_ns: int
    pose: Array
    velocity: Array
    covariance: Array
    visibility: float

    def coasted(self, stamp_ns: int, density: Array) -> RobotState:
        """
        Move on unseen: at constant speed for a moment, then on the spot, knowing less.

        Parameters
        ----------
        stamp_ns : int
            Instant to move to [ns]; earlier than our own leaves the state as it is.
        density : array, shape (3,)
            Power spectral density of the accelerations [m^2/s^3, m^2/s^3, rad^2/s^3].

        """
        dt = (stamp_ns - self.stamp_ns) / SECOND
        if dt <= 0.0:
            return self
        moving = min(dt, COAST_LIMIT)
        transition = constant_velocity(dt)
        covariance = transition @ self.covariance @ transition.T
        pose = self.pose + moving * self.velocity
        pose[2] = wrap_angle(pose[2])
        return RobotState(
            self.id,
            stamp_ns,
            pose,
            self.velocity if dt <= COAST_LIMIT else np.zeros(3),
            covariance + white_acceleration(dt, density),
            self.visibility if dt <= COAST_LIMIT else 0.0,
        )


def wrap_angle(angle: float) -> float:
    """Bring an angle [rad] into (-pi, pi]."""
    return float(np.pi - (np.pi - angle) % (2.0 * np.pi))

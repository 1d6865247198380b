# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Ball state, its source, and kicks."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.match.ssl.robot_id import RobotId

__all__ = ['BallSource', 'BallState', 'Kick']


# Transition by velocity, and the blocks of white-acceleration noise, (6, 6) each.
_STILL, _DRIFT = np.eye(6), np.eye(6, k=3)
_PLACE, _SPEED = np.diag((1.0, 1.0, 1.0, 0.0, 0.0, 0.0)), np.diag((0.0, 0.0, 0.0, 1.0, 1.0, 1.0))
_BOTH = _DRIFT + _DRIFT.T


class BallSource(Enum):
    """Source of a ball estimate, in order of preference."""

    TRACKER = 'TRACKER'
    VISION = 'VISION'
    BALL_SENSOR = 'BALL_SENSOR'
    OCCLUSION_SHADOW = 'OCCLUSION_SHADOW'
    LAST_KNOWN = 'LAST_KNOWN'
    NONE = 'NONE'


@dataclass(frozen=True, slots=True, eq=False)
class BallState:
    """
    Ball state at `stamp_ns`, in the field frame.

    Parameters
    ----------
    stamp_ns : int
        Time [ns]; the owner defines the clock.
    position, velocity : array, shape (3,)
        [m], [m/s].
    covariance : array, shape (6, 6)
        Covariance of (x, y, z, vx, vy, vz) [m^2, m^2/s, m^2/s^2].

    """

    stamp_ns: int
    position: Array
    velocity: Array
    covariance: Array

    def coasted(self, stamp_ns: int, acceleration_density: float) -> BallState:
        """
        Predict with constant velocity and process noise.

        Parameters
        ----------
        stamp_ns : int
            Time to predict to [ns]; an earlier time leaves the state unchanged.
        acceleration_density : float
            Power spectral density of the unknown acceleration [m^2/s^3].

        """
        dt = (stamp_ns - self.stamp_ns) / NANOSECONDS_PER_SECOND
        if dt <= 0.0:
            return BallState(stamp_ns, self.position, self.velocity, self.covariance)
        flow = _STILL + dt * _DRIFT
        noise = acceleration_density * dt * (dt**2 / 3.0 * _PLACE + dt / 2.0 * _BOTH + _SPEED)
        covariance = flow @ self.covariance @ flow.T + noise
        return BallState(stamp_ns, self.position + dt * self.velocity, self.velocity, covariance)

    def at_rest(self) -> BallState:
        """Set the velocity to zero, with a standard deviation of the former speed."""
        covariance = self.covariance.copy()
        spread = np.diag(np.maximum(np.diag(covariance)[3:], self.velocity**2))
        covariance[3:, :3] = covariance[:3, 3:] = 0.0
        covariance[3:, 3:] = spread
        return BallState(self.stamp_ns, self.position, np.zeros(3), covariance)


@dataclass(frozen=True, slots=True, eq=False)
class Kick:
    """
    A kick: time, place, velocity and kicker.

    Parameters
    ----------
    stamp_ns : int
        Time of the kick [ns]; the owner defines the clock.
    position : array, shape (2,)
        [m], field frame.
    velocity : array, shape (3,)
        Velocity right after the kick [m/s].
    covariance : array, shape (6, 6), or None
        Covariance of (x, y, z, vx, vy, vz) at the kick; None where the source has none.
    chip_probability : float
        0 for a straight kick, 1 for a chip.
    kicker : RobotId or None
        None if no robot was near.
    number : int
        Kicks of a match are numbered from 1; a new estimate of a kick keeps its number.

    """

    stamp_ns: int
    position: Array
    velocity: Array
    covariance: Array | None
    chip_probability: float
    kicker: RobotId | None
    number: int = 0

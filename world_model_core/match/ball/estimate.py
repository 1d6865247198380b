# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What is known of the ball at an instant, and what that rests on."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.match.ssl.values import RobotId

__all__ = ['BallSource', 'BallState', 'Kick']


# Velocity moves the place; and where white acceleration adds to a covariance, (6, 6) each.
_STILL, _DRIFT = np.eye(6), np.eye(6, k=3)
_PLACE, _SPEED = np.diag((1.0, 1.0, 1.0, 0.0, 0.0, 0.0)), np.diag((0.0, 0.0, 0.0, 1.0, 1.0, 1.0))
_BOTH = _DRIFT + _DRIFT.T


class BallSource(Enum):
    """What the ball's estimate rests on, from the best to nothing at all."""

    TRACKER = 'TRACKER'
    VISION = 'VISION'
    BALL_SENSOR = 'BALL_SENSOR'
    OCCLUSION_SHADOW = 'OCCLUSION_SHADOW'
    LAST_KNOWN = 'LAST_KNOWN'
    NONE = 'NONE'


@dataclass(frozen=True, slots=True, eq=False)
class BallState:
    """
    The ball at `stamp_ns`, in the field frame.

    Parameters
    ----------
    stamp_ns : int
        Instant [ns]; whose clock, the holder knows.
    position, velocity : array, shape (3,)
        [m], [m/s].
    covariance : array, shape (6, 6)
        Of (x, y, z, vx, vy, vz) [m^2, m^2/s, m^2/s^2].

    """

    stamp_ns: int
    position: Array
    velocity: Array
    covariance: Array

    def coasted(self, stamp_ns: int, acceleration_density: float) -> BallState:
        """
        Move on in a straight line at constant speed, and know less.

        Parameters
        ----------
        stamp_ns : int
            Instant to move to [ns]; to an earlier one than our own the ball is not moved back.
        acceleration_density : float
            Power spectral density of what is not known of the acceleration [m^2/s^3].

        """
        dt = (stamp_ns - self.stamp_ns) / NANOSECONDS_PER_SECOND
        if dt <= 0.0:
            return BallState(stamp_ns, self.position, self.velocity, self.covariance)
        flow = _STILL + dt * _DRIFT
        noise = acceleration_density * dt * (dt**2 / 3.0 * _PLACE + dt / 2.0 * _BOTH + _SPEED)
        covariance = flow @ self.covariance @ flow.T + noise
        return BallState(stamp_ns, self.position + dt * self.velocity, self.velocity, covariance)

    def at_rest(self) -> BallState:
        """Take the velocity as zero, as uncertain as it was fast."""
        covariance = self.covariance.copy()
        spread = np.diag(np.maximum(np.diag(covariance)[3:], self.velocity**2))
        covariance[3:, :3] = covariance[:3, 3:] = 0.0
        covariance[3:, 3:] = spread
        return BallState(self.stamp_ns, self.position, np.zeros(3), covariance)


@dataclass(frozen=True, slots=True, eq=False)
class Kick:
    """
    A kick: when, where, how hard, by whom.

    Parameters
    ----------
    stamp_ns : int
        Instant of the kick [ns]; whose clock, the holder knows.
    position : array, shape (2,)
        [m], field frame.
    velocity : array, shape (3,)
        Right after the kick [m/s].
    covariance : array, shape (6, 6), or None
        Of (x, y, z, vx, vy, vz) at the kick; None where the source gives none.
    chip_probability : float
        0 for a straight kick, 1 for a chip.
    kicker : RobotId or None
        None where nobody was near.
    number : int
        Counts the kicks of a match from 1; a better estimate of the same kick keeps its number.

    """

    stamp_ns: int
    position: Array
    velocity: Array
    covariance: Array | None
    chip_probability: float
    kicker: RobotId | None
    number: int = 0

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Travel times of robots to positions on the field."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.errors import ConfigurationError
from world_model_core.match.ball.occlusion import BALL_RADIUS, ROBOT_RADIUS

if TYPE_CHECKING:
    from world_model_core.gaussian import Array


@dataclass(frozen=True, slots=True)
class TravelLimits:
    """
    Limits of the motion of robots, with the defaults of ibis.

    Parameters
    ----------
    acceleration : float
        Largest acceleration and deceleration [m/s^2].
    speed : float
        Largest speed [m/s].

    Raises
    ------
    ConfigurationError
        A limit is not positive and finite.

    """

    acceleration: float = 2.5
    speed: float = 5.0

    def __post_init__(self) -> None:
        """Reject limits that are not positive and finite."""
        for name, value in (('acceleration', self.acceleration), ('speed', self.speed)):
            if not 0.0 < value < math.inf:
                raise ConfigurationError(f'{name}: {value} is not positive and finite')


USUAL_LIMITS = TravelLimits()
# Distance of the centers of a robot and a ball that touch [m].
TOUCH = ROBOT_RADIUS + BALL_RADIUS
# The direction to a position nearer than this to a robot's center [m] is only rounding error.
HERE = 1e-9


def travel_times(
    positions: Array,
    velocities: Array,
    places: Array,
    limits: TravelLimits = USUAL_LIMITS,
    reach: float = 0.0,
) -> Array:
    """
    Return the time that each robot needs to stop at each position, or within its reach.

    The speed along the straight line has a trapezoidal profile: full acceleration, top speed, full
    deceleration. A robot that moves away brakes first; one that is too fast to stop overshoots and
    returns. Only the component of the velocity along the line counts, up to the top speed.

    Parameters
    ----------
    positions, velocities : array, shape (n, 2)
        Centers of the robots, field frame [m, m/s].
    places : array, shape (m, 2)
        Field frame [m].
    limits : TravelLimits
        Limits of all robots.
    reach : float
        Distance from the position at which a robot's center may stop [m]; a nearer one needs
        no time.

    Returns
    -------
    array, shape (n, m)
        [s].

    """
    lines = places[None, :, :] - positions[:, None, :]
    distances = np.hypot(lines[..., 0], lines[..., 1])
    speeds = np.clip(_along(lines, distances, velocities), -limits.speed, limits.speed)
    stopping = 0.5 * speeds * speeds / limits.acceleration
    lengths = np.maximum(distances - reach, 0.0)
    overshoots = (speeds > 0.0) & (stopping > lengths)
    # Acceleration from rest to the current speed needs the stopping distance and time too. So the
    # profile is that from a rest before the robot or, if it must stop first, behind it.
    from_rest = _from_rest(stopping + np.where(overshoots, -lengths, lengths), limits)
    times = from_rest + np.where(overshoots, speeds, -speeds) / limits.acceleration
    return np.where(distances < reach, 0.0, times)


def _along(lines: Array, distances: Array, velocities: Array) -> Array:
    """Return the speed of each robot along each line, (n, m); its norm if the length is 0."""
    everything = np.hypot(velocities[:, 0], velocities[:, 1])
    speeds = np.repeat(everything[:, None], distances.shape[1], axis=1)
    dots = np.einsum('nmk,nk->nm', lines, velocities)
    np.divide(dots, distances, out=speeds, where=distances > HERE)
    return speeds


def _from_rest(distances: Array, limits: TravelLimits) -> Array:
    """Return the times [s] from rest to rest over distances [m]."""
    acceleration, speed = limits.acceleration, limits.speed
    triangle = 2.0 * np.sqrt(distances / acceleration)
    trapezoid = distances / speed + speed / acceleration
    times: Array = np.where(distances * acceleration < speed * speed, triangle, trapezoid)
    return times

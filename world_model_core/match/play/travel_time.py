# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""How long robots take to be somewhere."""

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
    What robots are able to do; ibis's figures.

    Parameters
    ----------
    acceleration : float
        Of speeding up and of braking [m/s^2].
    speed : float
        The highest [m/s].

    Raises
    ------
    ConfigurationError
        A limit is not positive and finite.

    """

    acceleration: float = 2.5
    speed: float = 5.0

    def __post_init__(self) -> None:
        """Refuse limits with which no robot gets anywhere."""
        for name, value in (('acceleration', self.acceleration), ('speed', self.speed)):
            if not 0.0 < value < math.inf:
                raise ConfigurationError(f'{name} is {value}; it must be positive and finite')


USUAL_LIMITS = TravelLimits()
# Of a robot's centre from that of a ball that it touches [m].
TOUCH = ROBOT_RADIUS + BALL_RADIUS
# A place nearer than this to a robot's centre [m] lies in no direction that is more than rounding.
HERE = 1e-9


def travel_times(
    positions: Array,
    velocities: Array,
    places: Array,
    limits: TravelLimits = USUAL_LIMITS,
    reach: float = 0.0,
) -> Array:
    """
    Find how long each robot takes to come to a stop at each place, or within reach of it.

    Its speed along the straight way there is a trapezoid: up at full acceleration, on at top
    speed, down to nothing. A robot that moves the other way brakes first, and one too fast to
    stop in time comes back. Of its velocity only the part along the way counts, up to the top
    speed.

    Parameters
    ----------
    positions, velocities : array, shape (n, 2)
        Of the robots' centres, field frame [m, m/s].
    places : array, shape (m, 2)
        Field frame [m].
    limits : TravelLimits
        The same for all.
    reach : float
        How far from the place a robot's centre may stop [m]; who is nearer takes no time.

    Returns
    -------
    array, shape (n, m)
        [s].

    """
    ways = places[None, :, :] - positions[:, None, :]
    distances = np.hypot(ways[..., 0], ways[..., 1])
    speeds = np.clip(_along(ways, distances, velocities), -limits.speed, limits.speed)
    stopping = 0.5 * speeds * speeds / limits.acceleration
    lengths = np.maximum(distances - reach, 0.0)
    overshoots = (speeds > 0.0) & (stopping > lengths)
    # To speed up from rest to the speed there is takes the stopping distance and time too: so
    # the profile is that from a rest before, or, when the robot must stop first, behind it.
    from_rest = _from_rest(stopping + np.where(overshoots, -lengths, lengths), limits)
    times = from_rest + np.where(overshoots, speeds, -speeds) / limits.acceleration
    return np.where(distances < reach, 0.0, times)


def _along(ways: Array, distances: Array, velocities: Array) -> Array:
    """Find each robot's speed along each of its ways, (n, m); along none it is all of it."""
    everything = np.hypot(velocities[:, 0], velocities[:, 1])
    speeds = np.repeat(everything[:, None], distances.shape[1], axis=1)
    dots = np.einsum('nmk,nk->nm', ways, velocities)
    np.divide(dots, distances, out=speeds, where=distances > HERE)
    return speeds


def _from_rest(distances: Array, limits: TravelLimits) -> Array:
    """Find how long distances [m] take from rest to rest [s]."""
    acceleration, speed = limits.acceleration, limits.speed
    triangle = 2.0 * np.sqrt(distances / acceleration)
    trapezoid = distances / speed + speed / acceleration
    times: Array = np.where(distances * acceleration < speed * speed, triangle, trapezoid)
    return times

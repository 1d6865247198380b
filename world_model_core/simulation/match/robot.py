# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Robots with bounded acceleration that avoid each other.

Horizontal positions and velocities are complex numbers, x + iy [m, m/s], field frame.
"""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from world_model_core.angles import wrap_angle
from world_model_core.simulation.match.field import ROBOT_RADIUS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.match.ssl.robot_id import RobotId

# Limits of robots in the league: acceleration [m/s^2], turning [rad/s, rad/s^2].
ACCELERATION = 3.0
TURN_RATE = 8.0
TURN_ACCELERATION = 60.0
# Gains of position and heading control [1/s].
DRIVE_GAIN = 5.0
TURN_GAIN = 10.0
# Robots closer than NEIGHBORHOOD [m] approach each other with at most CLOSING_GAIN [1/s] times the
# distance left to GAP [m].
NEIGHBORHOOD = 0.8
GAP = 2.0 * ROBOT_RADIUS + 0.02
CLOSING_GAIN = 4.0


@dataclass(slots=True)
class Robot:
    """A robot: `place`, `velocity` (x + iy) [m, m/s], `heading`, `turn_rate` [rad, rad/s]."""

    id: RobotId
    place: complex
    heading: float
    velocity: complex = 0j
    turn_rate: float = 0.0

    def steer(self, target: complex, facing: float, top_speed: float, dt: float) -> None:
        """Set the velocities for the next `dt` [s] towards a position [m] and a heading [rad]."""
        gap = target - self.place
        distance = abs(gap)
        speed = min(top_speed, DRIVE_GAIN * distance, math.sqrt(2.0 * ACCELERATION * distance))
        wanted = cmath.rect(speed, cmath.phase(gap))
        self.velocity += shorten(wanted - self.velocity, ACCELERATION * dt)
        turn = clip(TURN_GAIN * wrap_angle(facing - self.heading), TURN_RATE)
        self.turn_rate += clip(turn - self.turn_rate, TURN_ACCELERATION * dt)

    def move(self, dt: float) -> None:
        """Move for `dt` [s]."""
        self.place, self.heading = self.ahead(dt)

    def ahead(self, dt: float) -> tuple[complex, float]:
        """Return position [m] and heading [rad] after `dt` [s] with constant velocities."""
        return self.place + self.velocity * dt, wrap_angle(self.heading + self.turn_rate * dt)


def keep_apart(robots: Sequence[Robot]) -> None:
    """Slow down neighboring robots that would collide; they pass each other on the right."""
    for one, other in combinations(robots, 2):
        gap = other.place - one.place
        if abs(gap) < NEIGHBORHOOD:
            step = avoidance_velocity(gap, one.velocity - other.velocity, GAP) / 2.0
            one.velocity += step
            other.velocity -= step


def keep_inside(robot: Robot, corner: complex) -> None:
    """Slow a robot down before it leaves the rectangle with the corner `corner` (x + iy) [m]."""
    robot.velocity = complex(
        _braked(robot.velocity.real, robot.place.real, corner.real),
        _braked(robot.velocity.imag, robot.place.imag, corner.imag),
    )


def _braked(velocity: float, place: float, limit: float) -> float:
    """Limit a velocity [m/s] by the distances left to -limit and limit."""
    low, high = DRIVE_GAIN * (-limit - place), DRIVE_GAIN * (limit - place)
    return max(low, min(high, velocity))


def avoidance_velocity(gap: complex, closing: complex, radius: float) -> complex:
    """
    Return the change of velocity that avoids an obstacle (x + iy) [m/s].

    Parameters
    ----------
    gap, closing : complex
        Vector to the obstacle [m], and own velocity relative to the obstacle [m/s].
    radius : float
        Smallest allowed distance [m].

    """
    towards = gap / max(abs(gap), 1e-6)
    excess = (closing * towards.conjugate()).real - CLOSING_GAIN * (abs(gap) - radius)
    return max(excess, 0.0) * towards * (-1.0 - 0.5j)


def shorten(vector: complex, limit: float) -> complex:
    """Limit the length of a vector."""
    length = abs(vector)
    return vector if length <= limit else vector * (limit / length)


def clip(value: float, limit: float) -> float:
    """Limit a number to the range -limit to limit."""
    return max(-limit, min(limit, value))

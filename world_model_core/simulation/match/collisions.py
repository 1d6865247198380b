# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Collisions of a free ball with robots and the walls of the goals.

Horizontal positions and velocities are complex numbers, x + iy [m, m/s], field frame.
"""

from __future__ import annotations

import cmath
from typing import TYPE_CHECKING, NamedTuple

from world_model_core.angles import wrap_angle
from world_model_core.match.ball.walls import find_bounce, goal_walls
from world_model_core.simulation.match.field import BALL_RADIUS, ROBOT_RADIUS, make_geometry
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.simulation.match.robot import Robot

TOUCH_DISTANCE = ROBOT_RADIUS + BALL_RADIUS
ROBOT_HEIGHT = 0.15
WALLS = goal_walls(make_geometry(None).field)
# Time between two checks of contacts, in which all motion is uniform [ns], [s].
STEP_NS = 5_000_000
STEP = STEP_NS / NANOSECONDS_PER_SECOND
# A robot catches a ball at the flat part of its front, up to this angle from its heading [rad], if
# the ball is not faster than this [m/s]. A robot that waits for a pass catches any ball.
DRIBBLER_ANGLE, CATCH_SPEED = 0.45, 1.0


class Contact(NamedTuple):
    """
    A contact of the ball.

    The `place` of the ball (x + iy) [m], the unit `normal` and the `velocity` of the obstacle, and
    the robot, if it is one.
    """

    place: complex
    normal: complex
    velocity: complex = 0j
    robot: Robot | None = None

    def approach(self, velocity: complex) -> float:
        """Return the speed at which a ball with this velocity approaches the obstacle [m/s]."""
        return -((velocity - self.velocity) * self.normal.conjugate()).real

    def reflect(self, velocity: complex, restitution: float) -> complex:
        """Return the velocity after the bounce; the tangential component is kept."""
        return velocity + (1.0 + restitution) * self.approach(velocity) * self.normal


def find_contact(
    place: complex, height: float, velocity: complex, robots: Sequence[Robot]
) -> Contact | None:
    """Return the contact of a ball at a position (x + iy) and height [m], or None."""
    contacts = _robot_contacts(place, robots) if height <= ROBOT_HEIGHT else []
    contacts += _wall_contacts(place, height, velocity)
    approaching = (each for each in contacts if each.approach(velocity) > 0.0)
    return next(approaching, None)


def _robot_contacts(place: complex, robots: Sequence[Robot]) -> list[Contact]:
    """Return the contacts of a ball with robots."""
    return [
        Contact(place, _unit(place - robot.place), robot.velocity, robot)
        for robot in robots
        if abs(place - robot.place) < TOUCH_DISTANCE
    ]


def _wall_contacts(place: complex, height: float, velocity: complex) -> list[Contact]:
    """Return the contact of a ball with the walls of the goals within the last step."""
    before = place - STEP * velocity
    low = [wall for wall in WALLS if height < wall.height]
    bounce = find_bounce(low, (before.real, before.imag), (place.real, place.imag))
    if bounce is None:
        return []
    return [Contact(before + bounce.share * (place - before), complex(*bounce.normal))]


def _unit(vector: complex) -> complex:
    """Return the unit vector of a vector; any direction for a zero vector."""
    return cmath.rect(1.0, cmath.phase(vector))


def catches(contact: Contact, velocity: complex, *, waits: bool) -> bool:
    """Return whether the robot in contact catches the ball; `waits`: it waits for a pass."""
    if contact.robot is None:
        return False
    angle = wrap_angle(cmath.phase(contact.normal) - contact.robot.heading)
    return abs(angle) < DRIBBLER_ANGLE and (waits or contact.approach(velocity) < CATCH_SPEED)

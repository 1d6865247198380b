# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Collisions of a free ball with robots and the walls of the goals.

Horizontal positions and velocities are complex numbers, x + iy [m, m/s], field frame.
"""

from __future__ import annotations

import cmath
import math
from typing import TYPE_CHECKING, NamedTuple

from world_model_core.angles import wrap_angle
from world_model_core.simulation.match.field import (
    BALL_RADIUS,
    GOAL_DEPTH,
    GOAL_HEIGHT,
    GOAL_WIDTH,
    LENGTH,
    ROBOT_RADIUS,
)
from world_model_core.simulation.match.robot import clip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.simulation.match.robot import Robot

TOUCH_DISTANCE = ROBOT_RADIUS + BALL_RADIUS
ROBOT_HEIGHT = 0.15
# SSL rules: the walls of a goal are 0.02 m thick; they are outside its width.
WALL_THICKNESS = 0.02
# A robot catches a ball at the flat part of its front, up to this angle from its heading [rad], if
# the ball is not faster than this [m/s]. A robot that waits for a pass catches any ball.
DRIBBLER_ANGLE, CATCH_SPEED = 0.45, 1.0


class Contact(NamedTuple):
    """A contact of the ball: unit `normal` of the obstacle, its `velocity`, the robot if any."""

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
    if height < GOAL_HEIGHT and abs(place.real) > LENGTH / 2 - TOUCH_DISTANCE:
        contacts += _wall_contacts(place)
    approaching = (each for each in contacts if each.approach(velocity) > 0.0)
    return next(approaching, None)


def _robot_contacts(place: complex, robots: Sequence[Robot]) -> list[Contact]:
    """Return the contacts of a ball with robots."""
    return [
        Contact(_unit(place - robot.place), robot.velocity, robot)
        for robot in robots
        if abs(place - robot.place) < TOUCH_DISTANCE
    ]


def _wall_contacts(place: complex) -> list[Contact]:
    """Return the contacts of a ball with the side walls of the goals, posts included."""
    depth, wall = LENGTH / 2 + GOAL_DEPTH / 2, GOAL_WIDTH / 2 + WALL_THICKNESS / 2
    middle = complex(math.copysign(depth, place.real), math.copysign(wall, place.imag))
    gap = place - middle
    gap -= clip(gap.real, GOAL_DEPTH / 2)
    return [Contact(_unit(gap))] if abs(gap) < WALL_THICKNESS / 2 + BALL_RADIUS else []


def _unit(vector: complex) -> complex:
    """Return the unit vector of a vector; any direction for a zero vector."""
    return cmath.rect(1.0, cmath.phase(vector))


def catches(contact: Contact, velocity: complex, *, waits: bool) -> bool:
    """Return whether the robot in contact catches the ball; `waits`: it waits for a pass."""
    if contact.robot is None:
        return False
    angle = wrap_angle(cmath.phase(contact.normal) - contact.robot.heading)
    return abs(angle) < DRIBBLER_ANGLE and (waits or contact.approach(velocity) < CATCH_SPEED)

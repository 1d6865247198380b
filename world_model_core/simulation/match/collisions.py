# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
What a free ball runs into, and how it leaves: robots and the walls of the goals.

Places and velocities on the carpet are complex numbers, x + iy [m, m/s], field frame.
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
# SSL rules: the walls of a goal are 0.02 m thick; they stand outside its width.
WALL_THICKNESS = 0.02
# A robot catches with the flat part of its front, to this angle off its heading [rad], what is not
# faster than this [m/s]; who waits for a pass catches any.
MOUTH, CATCH_SPEED = 0.45, 1.0


class Contact(NamedTuple):
    """Where a ball is touched: unit `normal` out of the obstacle, its `velocity`, the robot."""

    normal: complex
    velocity: complex = 0j
    robot: Robot | None = None

    def approach(self, velocity: complex) -> float:
        """Find how fast a ball with a velocity comes nearer [m/s]."""
        return -((velocity - self.velocity) * self.normal.conjugate()).real

    def reflect(self, velocity: complex, restitution: float) -> complex:
        """Give the velocity after the bounce; what is along the surface is kept."""
        return velocity + (1.0 + restitution) * self.approach(velocity) * self.normal


def find_contact(
    place: complex, height: float, velocity: complex, robots: Sequence[Robot]
) -> Contact | None:
    """Find what a ball runs into at a place and height [m]; None: nothing."""
    contacts = _robot_contacts(place, robots) if height <= ROBOT_HEIGHT else []
    if height < GOAL_HEIGHT and abs(place.real) > LENGTH / 2 - TOUCH_DISTANCE:
        contacts += _wall_contacts(place)
    nearing = (each for each in contacts if each.approach(velocity) > 0.0)
    return next(nearing, None)


def _robot_contacts(place: complex, robots: Sequence[Robot]) -> list[Contact]:
    """List the robots that touch a ball."""
    return [
        Contact(_unit(place - robot.place), robot.velocity, robot)
        for robot in robots
        if abs(place - robot.place) < TOUCH_DISTANCE
    ]


def _wall_contacts(place: complex) -> list[Contact]:
    """List the side walls of goals, posts included, that touch a ball."""
    depth, wall = LENGTH / 2 + GOAL_DEPTH / 2, GOAL_WIDTH / 2 + WALL_THICKNESS / 2
    middle = complex(math.copysign(depth, place.real), math.copysign(wall, place.imag))
    gap = place - middle
    gap -= clip(gap.real, GOAL_DEPTH / 2)
    return [Contact(_unit(gap))] if abs(gap) < WALL_THICKNESS / 2 + BALL_RADIUS else []


def _unit(vector: complex) -> complex:
    """Give the direction of a vector; of none, any."""
    return cmath.rect(1.0, cmath.phase(vector))


def catches(contact: Contact, velocity: complex, *, waits: bool) -> bool:
    """Tell whether the robot that a ball runs into, and perhaps waits for it, gets hold of it."""
    if contact.robot is None:
        return False
    angle = wrap_angle(cmath.phase(contact.normal) - contact.robot.heading)
    return abs(angle) < MOUTH and (waits or contact.approach(velocity) < CATCH_SPEED)

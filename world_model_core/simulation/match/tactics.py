# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Target positions of the robots, and the choice between shot, pass and chip."""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from world_model_core.match.ssl.robot_id import RobotId, Team
from world_model_core.simulation.match.ball import HELD_DISTANCE
from world_model_core.simulation.match.field import GOAL_WIDTH, LENGTH, WIDTH
from world_model_core.simulation.match.robot import clip

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from world_model_core.simulation.match.ground_truth import Vector
    from world_model_core.simulation.match.robot import Robot

# Positions of the outfield robots of a team that attacks +x, with the ball at (0, 0)
# (x + iy) [m].
FORMATION = (
    complex(-1.4, 1.1),
    complex(1.3, -1.5),
    complex(1.6, 1.4),
    complex(-1.3, -1.2),
    complex(-0.6, 0.1),
    complex(0.5, 2.2),
    complex(0.4, -2.3),
    complex(-2.6, 1.0),
    complex(-2.6, -1.0),
    complex(2.6, 0.2),
    complex(-3.3, 2.1),
    complex(-3.3, -2.1),
    complex(-1.9, 2.3),
    complex(-1.9, -2.4),
    complex(-3.4, 0.3),
)
# The formation moves with the ball by this fraction of the ball's offset from the center.
FOLLOWING = 0.35
# Each robot circles around its position with this radius [m] and rate [rad/s].
STROLL, STROLL_RATE = 0.35, 0.7
# Distance of the goalkeeper from its goal line [m].
KEEPER_DISTANCE = 0.25
# Corner of the rectangle for robots without a task; outside it a robot fetches a ball at the
# boards (x + iy) [m].
STROLL_LIMIT = complex(LENGTH / 2 - 0.5, WIDTH / 2 - 0.5)
# Largest distance of a shot at the goal [m], its speed [m/s] and probability. SSL rules, 8.4.1
# "Ball Speed": below 6.5 m/s.
SHOT_RANGE, SHOT_SPEED, SHOT_SHARE = 4.0, 6.0, 0.7
# Probability of a chip pass, and its minimum distance [m].
CHIP_SHARE, CHIP_RANGE = 0.5, 1.5
# A nearer robot receives a pass only if no other robot is available [m].
PASS_RANGE = 1.0
# Speed of a pass: over 0 m [m/s], increase per meter [1/s], and maximum [m/s].
PASS_SPEED, PASS_GAIN, PASS_LIMIT = 1.6, 0.8, 5.0
# Range of the vertical speed of a chip [m/s], and the fraction of the distance to its first
# bounce.
CHIP_RISE, CHIP_CARRY = (2.0, 3.5), 0.6
GRAVITY = 9.81


def side(team: Team) -> int:
    """Return the sign of the attacking direction of a team along x: 1 for yellow."""
    return 1 if team is Team.YELLOW else -1


def line_up(count: int) -> list[tuple[RobotId, complex, float]]:
    """Return the id, position (x + iy) [m] and heading [rad] of each robot at the start."""
    return [
        (RobotId(team, number), _slot(team, number, 0j), 0.0 if side(team) > 0 else math.pi)
        for team in Team
        for number in range(count)
    ]


def station(robot: Robot, ball: complex, seconds: float) -> complex:
    """
    Return the target position of a robot without a task (x + iy) [m].

    Parameters
    ----------
    robot : Robot
    ball : complex
        Position of the ball (x + iy) [m].
    seconds : float
        Time since the start of the match [s].

    """
    slot = _slot(robot.id.team, robot.id.number, ball)
    if robot.id.number == 0:
        return slot
    place = slot + cmath.rect(STROLL, STROLL_RATE * seconds + 2.0 * robot.id.number)
    return complex(clip(place.real, STROLL_LIMIT.real), clip(place.imag, STROLL_LIMIT.imag))


def _slot(team: Team, number: int, ball: complex) -> complex:
    """Return the position of a robot in the formation of its team (x + iy) [m]."""
    if number == 0:
        depth, half = LENGTH / 2 - KEEPER_DISTANCE, GOAL_WIDTH / 2
        return complex(-side(team) * depth, max(-half, min(half, 0.3 * ball.imag)))
    slot = FORMATION[number - 1]
    mirrored = slot if side(team) > 0 else -slot
    return mirrored + FOLLOWING * ball


@dataclass(frozen=True, slots=True)
class Aim:
    """
    A planned kick.

    Parameters
    ----------
    target : complex
        Position that the robot faces (x + iy) [m].
    receiver : Robot or None
        Receiver of a pass; None for a shot.
    rise : float
        Vertical speed [m/s]; 0 for a straight kick.

    """

    target: complex
    receiver: Robot | None
    rise: float = 0.0

    def velocity(self, robot: Robot) -> Vector:
        """Return the kick velocity (x, y, z) [m/s] along the heading of the robot."""
        distance = abs(self.target - robot.place)
        if self.rise:
            speed = CHIP_CARRY * distance * GRAVITY / (2.0 * self.rise)
        elif self.receiver:
            speed = PASS_SPEED + PASS_GAIN * distance
        else:
            speed = SHOT_SPEED
        limit = PASS_LIMIT if self.receiver else SHOT_SPEED
        along = cmath.rect(min(speed, limit), robot.heading)
        return along.real, along.imag, self.rise


def choose_aim(robot: Robot, robots: Sequence[Robot], random: np.random.Generator) -> Aim:
    """
    Choose a shot near the goal, else a pass to a teammate, sometimes a chip.

    Parameters
    ----------
    robot : Robot
        Robot that holds the ball.
    robots : sequence of Robot
        All robots.
    random : Generator
        Source of random decisions.

    """
    goal = complex(side(robot.id.team) * LENGTH / 2, random.uniform(-0.45, 0.45) * GOAL_WIDTH)
    shoots, chips = random.random(2) < (SHOT_SHARE, CHIP_SHARE)
    rise = random.uniform(*CHIP_RISE)
    if shoots and abs(goal - robot.place) < SHOT_RANGE:
        return Aim(goal, None)
    team = [each for each in robots if each.id.team is robot.id.team]
    mates = [each for each in team if each is not robot and each.id.number > 0]
    distant = [each for each in mates if abs(each.place - robot.place) > PASS_RANGE] or mates
    mate = distant[int(random.integers(len(distant)))]
    target = mate.place + HELD_DISTANCE * cmath.rect(1.0, mate.heading)
    far = abs(target - robot.place) > CHIP_RANGE
    return Aim(target, mate, float(rise) if chips and far else 0.0)

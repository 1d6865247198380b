# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Where each robot wants to be, and what the one with the ball does with it."""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from world_model_core.match.ssl.values import RobotId, Team
from world_model_core.simulation.match.ball import HELD_DISTANCE
from world_model_core.simulation.match.field import GOAL_WIDTH, LENGTH, WIDTH
from world_model_core.simulation.match.robot import clip

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from world_model_core.simulation.match.ground_truth import Vector
    from world_model_core.simulation.match.robot import Robot

# Where the outfield robots of a team that attacks +x stand while the ball is in the middle [m].
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
# The formation follows the ball by this part of its way, and every robot strolls about its place.
FOLLOWING = 0.35
STROLL, STROLL_RATE = 0.35, 0.7  # [m], [rad/s]
KEEPER_DISTANCE = 0.25
# Nobody strolls where the way to a ball at the boards leads (x + iy) [m].
ROOM = complex(LENGTH / 2 - 0.5, WIDTH / 2 - 0.5)
# Shots are taken from here on [m], at less than the 6.5 m/s of the SSL rules, 8.4.1 "Ball Speed".
SHOT_RANGE, SHOT_SPEED, SHOT_SHARE = 4.0, 6.0, 0.7
CHIP_SHARE, CHIP_RANGE = 0.5, 1.5
# Nearer robots are passed to only when there is nobody else [m].
PASS_RANGE = 1.0
# A pass of 0 m, what each metre adds [m/s], and the fastest.
PASS_SPEED, PASS_GAIN, PASS_LIMIT = 1.6, 0.8, 5.0
# How fast a chip rises [m/s], and the part of the way to the receiver that it flies at first.
CHIP_RISE, CHIP_CARRY = (2.0, 3.5), 0.6
GRAVITY = 9.81


def side(team: Team) -> int:
    """Tell which way a team attacks: yellow towards +x."""
    return 1 if team is Team.YELLOW else -1


def line_up(count: int) -> list[tuple[RobotId, complex, float]]:
    """Give each robot its id, place [m] and heading [rad] at the start."""
    return [
        (RobotId(team, number), _slot(team, number, 0j), 0.0 if side(team) > 0 else math.pi)
        for team in Team
        for number in range(count)
    ]


def station(robot: Robot, ball: complex, seconds: float) -> complex:
    """
    Find where a robot without a task should be [m].

    Parameters
    ----------
    robot : Robot
    ball : complex
        Its place [m].
    seconds : float
        Since the match began.

    """
    slot = _slot(robot.id.team, robot.id.number, ball)
    if robot.id.number == 0:
        return slot
    place = slot + cmath.rect(STROLL, STROLL_RATE * seconds + 2.0 * robot.id.number)
    return complex(clip(place.real, ROOM.real), clip(place.imag, ROOM.imag))


def _slot(team: Team, number: int, ball: complex) -> complex:
    """Find a robot's place in the team's formation."""
    if number == 0:
        depth, half = LENGTH / 2 - KEEPER_DISTANCE, GOAL_WIDTH / 2
        return complex(-side(team) * depth, max(-half, min(half, 0.3 * ball.imag)))
    slot = FORMATION[number - 1]
    mirrored = slot if side(team) > 0 else -slot
    return mirrored + FOLLOWING * ball


@dataclass(frozen=True, slots=True)
class Aim:
    """What to do with the ball: kick it to a `target` [m], chipped or flat, for a `receiver`."""

    target: complex
    receiver: Robot | None
    rise: float = 0.0

    def velocity(self, robot: Robot) -> Vector:
        """Choose the kick (x, y, z) [m/s] along the robot's heading."""
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
    Shoot from near the goal, else pass to someone of the team, by chip now and then.

    Parameters
    ----------
    robot : Robot
        Who has the ball.
    robots : sequence of Robot
        All there are.
    random : Generator
        Draws what is a matter of taste.

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

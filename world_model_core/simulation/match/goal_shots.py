# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Shots into and beside a goal, which bounce off its walls, for tests of trackers."""

from __future__ import annotations

import cmath
import math
from typing import TYPE_CHECKING

from world_model_core.match.ssl.robot_id import RobotId, Team
from world_model_core.simulation.match.ball import HELD_DISTANCE, Ball
from world_model_core.simulation.match.collisions import STEP_NS, find_contact
from world_model_core.simulation.match.field import BOARDS, GOAL_WIDTH, LENGTH
from world_model_core.simulation.match.ground_truth import MatchTruth, RobotTruth, TrueKick
from world_model_core.simulation.match.random_streams import RandomStream, random_stream
from world_model_core.simulation.match.robot import Robot
from world_model_core.simulation.match.vision_broadcast import Agenda, SentPacket, VisionBroadcast
from world_model_core.time import NANOSECONDS_PER_SECOND, to_seconds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from world_model_core.simulation.match.parameters import SslMatchParameters

# Time of the shot and end of the simulation [ns].
SHOT_NS, END_NS = NANOSECONDS_PER_SECOND, 3 * NANOSECONDS_PER_SECOND
# Ranges of the distance of the ball from the goal line, and of its speed [m], [m/s].
DISTANCE, SPEED = (0.3, 1.3), (2.0, 6.5)
# The targets on the goal line and the places of the ball extend this far beyond the posts [m].
BESIDE, ASIDE = 0.25, 1.0
# Distance of the goalkeeper from the goal line, and the range of that from the path of the ball,
# which it nearly or just touches [m].
KEEPER_DISTANCE, KEEPER_GAP = 0.12, (0.09, 0.2)


class GoalShot:
    """
    One straight shot of a robot past a goalkeeper, both standing; an `ObservedWorld` for cameras.

    Parameters
    ----------
    parameters : SslMatchParameters
        The seed determines the shot.

    """

    def __init__(self, parameters: SslMatchParameters) -> None:
        random = random_stream(parameters.seed, RandomStream.GOAL_SHOTS)
        side = 1.0 if random.random() < 0.5 else -1.0
        half = GOAL_WIDTH / 2
        away = random.uniform(*DISTANCE)
        place = complex(side * (LENGTH / 2 - away), random.uniform(-half - ASIDE, half + ASIDE))
        target = complex(side * LENGTH / 2, random.uniform(-half - BESIDE, half + BESIDE))
        heading = cmath.phase(target - place)
        self._velocity = cmath.rect(random.uniform(*SPEED), heading)
        kicker = Robot(
            RobotId(Team.YELLOW, 1), place - cmath.rect(HELD_DISTANCE, heading), heading
        )
        gap = random.uniform(*KEEPER_GAP) * (1.0 if random.random() < 0.5 else -1.0)
        keeper = complex(side * (LENGTH / 2 - KEEPER_DISTANCE), target.imag + gap)
        facing = 0.0 if side < 0.0 else math.pi
        self._robots = [kicker, Robot(RobotId(Team.BLUE, 0), keeper, facing)]
        self._restitution = parameters.restitution
        self._stamp_ns = 0
        self.ball = Ball(parameters.ball, place)
        self._agenda = Agenda()
        self._parameters = parameters

    def packets(self, epoch_ns: int) -> Iterator[SentPacket]:
        """Yield all packets of vision in the order of their arrival; can be used once."""
        VisionBroadcast(self._parameters, self, self._agenda, epoch_ns, END_NS)
        return self._agenda.packets()

    def advance(self, stamp_ns: int) -> MatchTruth:
        """Advance to a time not before the last one [ns]; return the true state."""
        while self._stamp_ns + STEP_NS <= stamp_ns:
            self._stamp_ns += STEP_NS
            self._step()
        position, velocity = self.ball.state(stamp_ns, to_seconds(stamp_ns - self._stamp_ns))
        robots = tuple(
            RobotTruth(each.id, (each.place.real, each.place.imag), each.heading, (0.0, 0.0), 0.0)
            for each in self._robots
        )
        return MatchTruth(
            stamp_ns, position, velocity, self.ball.kick, None, robots, self.ball.since_ns
        )

    def _step(self) -> None:
        """Shoot, or let the ball bounce off walls and robots, or stop it at a board."""
        position, velocity = self.ball.state(self._stamp_ns)
        place, moving = complex(*position[:2]), complex(*velocity[:2])
        if self._stamp_ns == SHOT_NS:
            shot = self._velocity.real, self._velocity.imag, 0.0
            self.ball.kick = TrueKick(SHOT_NS, position, shot, self._robots[0].id)
            self.ball.launch(shot, SHOT_NS)
        elif moving and (abs(place.real) >= BOARDS.real or abs(place.imag) >= BOARDS.imag):
            self.ball.drop(self._stamp_ns)
        elif moving:
            contact = find_contact(place, position[2], moving, self._robots)
            if contact is not None:
                after = contact.reflect(moving, self._restitution)
                self.ball.deflect(contact.place, after, self._stamp_ns)

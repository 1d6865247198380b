# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Plays a simulated match step by step: robots, balls and the referee."""

from __future__ import annotations

import cmath
from typing import TYPE_CHECKING

from world_model_core.angles import wrap_angle
from world_model_core.match.ssl.robot_id import Team
from world_model_core.simulation.match.ball import HELD_DISTANCE, Ball
from world_model_core.simulation.match.collisions import STEP, STEP_NS, catches, find_contact
from world_model_core.simulation.match.field import (
    BOARDS,
    GOAL_HEIGHT,
    GOAL_WIDTH,
    LENGTH,
    WIDTH,
)
from world_model_core.simulation.match.ground_truth import MatchTruth, RobotTruth
from world_model_core.simulation.match.loose_ball import LooseBall
from world_model_core.simulation.match.robot import (
    Robot,
    avoidance_velocity,
    keep_apart,
    keep_inside,
)
from world_model_core.simulation.match.simulated_referee import Restart, SimulatedReferee
from world_model_core.simulation.match.tactics import Aim, choose_aim, line_up, station
from world_model_core.time import NANOSECONDS_PER_SECOND, to_seconds

if TYPE_CHECKING:
    import numpy as np

    from world_model_core.simulation.match.parameters import SslMatchParameters

# Speeds of robots: free, near the ball, and with the ball [m/s].
TOP_SPEED, CAREFUL_SPEED, DRIBBLING_SPEED = 2.2, 1.0, 1.5
CAREFUL_DISTANCE = 0.4
# Distance that robots keep from the boards; in a corner they can still touch the ball [m].
REACH = 0.075
# SSL rules, stop and free kicks: while the ball is out of play others keep half a meter away.
KEEP_AWAY = 0.5
# Shortest time of aiming [ns] and largest angular error of a kick [rad].
AIMING_TIME, AIMING_ERROR = NANOSECONDS_PER_SECOND // 4, 0.03
# A faster ball is on its way to the receiver [m/s].
PASS_SPEED = 0.6
# Distance of restarts from the lines, and tolerance of a placed ball [m].
INSIDE, PLACED = 0.3, 0.02


class SimulatedPlay:
    """
    A match without cameras, in steps of 5 ms, between which all motion is uniform.

    Parameters
    ----------
    parameters : SslMatchParameters
    random : Generator
        Source of the decisions of players.

    """

    def __init__(self, parameters: SslMatchParameters, random: np.random.Generator) -> None:
        self._random = random
        self._restitution = parameters.restitution
        self._stamp_ns = 0
        self._worker: Robot | None = None
        self._aim: Aim | None = None
        self._taken_ns = 0
        self.referee = SimulatedReferee(parameters)
        self.ball = Ball(parameters.ball)
        self.robots = [Robot(*each) for each in line_up(parameters.robots_per_team)]
        self._loose = [LooseBall(parameters, index) for index in range(1, parameters.balls)]

    def advance(self, stamp_ns: int) -> MatchTruth:
        """Advance to a time not before the last one [ns]; return the true state."""
        while self._stamp_ns + STEP_NS <= stamp_ns:
            self._stamp_ns += STEP_NS
            self._step()
        ahead = to_seconds(stamp_ns - self._stamp_ns)
        position, velocity = self.ball.state(stamp_ns, ahead)
        holder = self.ball.holder
        robots = tuple(_truth(robot, ahead) for robot in self.robots)
        return MatchTruth(
            stamp_ns=stamp_ns,
            position=position,
            velocity=velocity,
            kick=self.ball.kick,
            holder=holder.id if holder else None,
            robots=robots,
            touched_ns=stamp_ns if holder else self.ball.since_ns,
            others=tuple(each.truth(stamp_ns) for each in self._loose),
        )

    def _step(self) -> None:
        """Move everything, handle contacts and rules, and steer the robots."""
        for robot in self.robots:
            robot.move(STEP)
        if self.ball.holder:
            self.ball.settle(STEP)
        position, velocity = self.ball.state(self._stamp_ns)
        place = complex(*position[:2])
        self._check_lines(place, position[2])
        self._check_contacts(place, position[2], complex(*velocity[:2]))
        for loose in self._loose:
            loose.step(self._stamp_ns, self.robots)
        self.referee.update(place, free=self.ball.holder is None, stamp_ns=self._stamp_ns)
        self._worker = self._choose_worker(place, abs(complex(*velocity[:2])))
        for robot in self.robots:
            self._steer(robot, place)
            keep_inside(robot, BOARDS - complex(REACH, REACH))
        keep_apart(self.robots)
        if self._worker and self._worker is self.ball.holder:
            self._use_ball(self._worker, place)

    def _check_lines(self, place: complex, height: float) -> None:
        """Stop the ball at boards, and the game at goals, lines and fouls."""
        beyond = abs(place.real) > LENGTH / 2
        in_goal = beyond and abs(place.imag) < GOAL_WIDTH / 2 and height < GOAL_HEIGHT
        at_board = abs(place.real) >= BOARDS.real or abs(place.imag) >= BOARDS.imag
        if at_board and not self.ball.holder and self.ball.trajectory.rest_time > 0.0:
            self.ball.drop(self._stamp_ns)
        if not self.referee.in_play:
            return
        if in_goal:
            conceding = Team.BLUE if place.real > 0.0 else Team.YELLOW
            restart = Restart(conceding, 0j, kickoff=True)
            self.referee.call(restart, self._stamp_ns, goal=True)
        elif beyond or abs(place.imag) > WIDTH / 2 or self.referee.is_foul_due(self._stamp_ns):
            self.referee.call(self._free_kick(place), self._stamp_ns)

    def _free_kick(self, place: complex) -> Restart:
        """Return a free kick inside the field for the team that did not kick last."""
        kick = self.ball.kick
        assert kick is not None  # noqa: S101 (a kick opened play)
        assert kick.kicker is not None  # noqa: S101 (of a robot)
        x, y = LENGTH / 2 - INSIDE, WIDTH / 2 - INSIDE
        inside = complex(max(-x, min(x, place.real)), max(-y, min(y, place.imag)))
        return Restart(kick.kicker.team.opponent, inside)

    def _check_contacts(self, place: complex, height: float, velocity: complex) -> None:
        """Let the first robot in contact catch the ball, or let the ball bounce off."""
        if self.ball.holder:
            return
        contact = find_contact(place, height, velocity, self.robots)
        if contact is None:
            return
        robot, works = contact.robot, contact.robot is self._worker
        allowed = self.referee.in_play or works
        if robot and allowed and catches(contact, velocity, waits=works):
            self.ball.take(robot, self._stamp_ns)
            self._taken_ns = self._stamp_ns
            self._aim = choose_aim(robot, self.robots, self._random)
        else:
            after = contact.reflect(velocity, self._restitution)
            self.ball.deflect(contact.place, after, self._stamp_ns)

    def _choose_worker(self, place: complex, speed: float) -> Robot | None:
        """Return the robot that goes for the ball."""
        referee, aim = self.referee, self._aim
        if self.ball.holder:
            return self.ball.holder
        outfield = [robot for robot in self.robots if robot.id.number > 0]
        if referee.in_play:
            if aim and aim.receiver and speed > PASS_SPEED:
                return aim.receiver
        elif referee.placing or referee.kicking:
            outfield = [robot for robot in outfield if robot.id.team is referee.restart.team]
        else:
            return None
        if self._worker in outfield and speed < PASS_SPEED:
            return self._worker
        return min(outfield, key=lambda robot: abs(robot.place - place))

    def _steer(self, robot: Robot, ball: complex) -> None:
        """Steer one robot."""
        facing = cmath.phase(ball - robot.place)
        if robot is not self._worker:
            target = station(robot, ball, to_seconds(self._stamp_ns))
            robot.steer(target, facing, TOP_SPEED, STEP)
            if not self.referee.in_play:
                robot.velocity += avoidance_velocity(ball - robot.place, robot.velocity, KEEP_AWAY)
        elif robot is self.ball.holder:
            self._steer_holder(robot)
        else:
            near = abs(ball - robot.place) < CAREFUL_DISTANCE
            speed = CAREFUL_SPEED if near else TOP_SPEED
            robot.steer(self._meeting_place(robot, ball), facing, speed, STEP)

    def _meeting_place(self, robot: Robot, ball: complex) -> complex:
        """Return where to wait for the ball or to catch it [m]."""
        trajectory = self.ball.trajectory
        nearest = trajectory.closest_approach((robot.place.real, robot.place.imag))
        elapsed = to_seconds(self._stamp_ns - self.ball.since_ns)
        chase = elapsed + abs(ball - robot.place) / TOP_SPEED
        positions, _ = trajectory.at([max(nearest.time, chase)])
        return complex(*positions[0, :2])

    def _steer_holder(self, robot: Robot) -> None:
        """Carry the ball to where it is to be placed, or turn to kick."""
        if self.referee.placing:
            target = self.referee.restart.place
            place = target - HELD_DISTANCE * cmath.rect(1.0, robot.heading)
            robot.steer(place, robot.heading, DRIBBLING_SPEED, STEP)
        elif self._aim:
            facing = cmath.phase(self._aim.target - robot.place)
            robot.steer(robot.place, facing, DRIBBLING_SPEED, STEP)

    def _use_ball(self, robot: Robot, place: complex) -> None:
        """Put the ball down, or kick it once the robot faces the target."""
        referee = self.referee
        if referee.placing:
            if abs(place - referee.restart.place) < PLACED and abs(robot.velocity) < PLACED:
                self._put_down()
        elif not (referee.in_play or referee.kicking):
            self._put_down()
        elif self._aim and self._stamp_ns - self._taken_ns >= AIMING_TIME:
            error = wrap_angle(cmath.phase(self._aim.target - robot.place) - robot.heading)
            if abs(error) < AIMING_ERROR:
                self.ball.strike(self._aim.velocity(robot), self._stamp_ns)
                referee.start_play(self._stamp_ns)

    def _put_down(self) -> None:
        """Release the ball."""
        self.ball.drop(self._stamp_ns)
        self._worker = self._aim = None


def _truth(robot: Robot, ahead: float) -> RobotTruth:
    """Return the true state of a robot `ahead` seconds after the last step."""
    place, heading = robot.ahead(ahead)
    velocity = robot.velocity.real, robot.velocity.imag
    position = place.real, place.imag
    return RobotTruth(robot.id, position, heading, velocity, robot.turn_rate)

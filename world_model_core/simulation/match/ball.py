# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A simulated ball, free on its trajectory or held at a robot's dribbler."""

from __future__ import annotations

import cmath
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from world_model_core.match.ball.motion_segment import BallMotionState
from world_model_core.match.ball.trajectory import BallTrajectory, predict_ball
from world_model_core.simulation.match.field import BALL_RADIUS, BOARDS, ROBOT_RADIUS
from world_model_core.simulation.match.ground_truth import TrueKick, Vector
from world_model_core.simulation.match.robot import Robot, clip
from world_model_core.time import to_seconds

if TYPE_CHECKING:
    from world_model_core.match.ball.ball_constants import BallParameters

ZERO: Vector = (0.0, 0.0, 0.0)
# The front of a robot is flat, so a held ball is slightly within the robot's circle [m].
HELD_DISTANCE = ROBOT_RADIUS + BALL_RADIUS - 0.005
# Time constant with which a caught ball moves to the middle of the dribbler [s].
SETTLING_TIME = 0.1
# Speed at which a ball caught in the air descends [m/s].
SETTLING_SPEED = 1.0


class Ball:
    """
    The ball; z is the height of its lowest point.

    Parameters
    ----------
    parameters : BallParameters
        Constants of its motion.
    place : complex
        Initial position (x + iy) [m].

    Attributes
    ----------
    trajectory : BallTrajectory
        Of the free ball, from `since_ns` on.
    holder : Robot or None
        Robot that holds the ball.
    kick : TrueKick or None
        The last kick.

    """

    def __init__(self, parameters: BallParameters, place: complex = 0j) -> None:
        self._parameters = parameters
        self._offset, self._height = 0j, 0.0
        self.holder: Robot | None = None
        self.kick: TrueKick | None = None
        self.since_ns = 0
        start = BallMotionState((place.real, place.imag, 0.0), ZERO)
        self.trajectory: BallTrajectory = predict_ball(start, parameters)

    def state(self, stamp_ns: int, ahead: float = 0.0) -> tuple[Vector, Vector]:
        """
        Return position and velocity (x, y, z) [m, m/s].

        Parameters
        ----------
        stamp_ns : int
            Time [ns].
        ahead : float
            Time since the last update of the holder [s].

        """
        if self.holder is None:
            state = self.trajectory.state_at(to_seconds(stamp_ns - self.since_ns))
            return cast('Vector', state.position), cast('Vector', state.velocity)
        place, heading = self.holder.ahead(ahead)
        arm = self._offset * cmath.rect(1.0, heading)
        velocity = self.holder.velocity + 1j * self.holder.turn_rate * arm
        spot, sinking = place + arm, -SETTLING_SPEED if self._height > 0.0 else 0.0
        return (spot.real, spot.imag, self._height), (velocity.real, velocity.imag, sinking)

    def take(self, robot: Robot, stamp_ns: int) -> None:
        """Attach the ball to a robot where they touch."""
        position, _ = self.state(stamp_ns)
        gap = complex(*position[:2]) - robot.place
        self._offset = gap * cmath.rect(1.0, -robot.heading)
        self.holder, self._height = robot, position[2]

    def settle(self, dt: float) -> None:
        """Move the ball towards the middle of the holder's dribbler for `dt` [s]."""
        self._height = max(0.0, self._height - SETTLING_SPEED * dt)
        self._offset += (HELD_DISTANCE - self._offset) * min(1.0, dt / SETTLING_TIME)

    def strike(self, velocity: Vector, stamp_ns: int) -> None:
        """Kick the ball by its holder with a velocity (x, y, z) [m/s]."""
        assert self.holder is not None  # noqa: S101 (the kicker holds the ball)
        position, _ = self.state(stamp_ns)
        self.kick = TrueKick(stamp_ns, position, velocity, self.holder.id)
        self.launch(velocity, stamp_ns)

    def launch(self, velocity: Vector, stamp_ns: int) -> None:
        """Start a trajectory with a velocity (x, y, z) [m/s], sliding or flying."""
        position, _ = self.state(stamp_ns)
        speed = abs(complex(*velocity[:2]))
        self._free(BallMotionState(position, velocity, kick_speed=speed), stamp_ns)

    def deflect(self, place: complex, velocity: complex, stamp_ns: int) -> None:
        """Continue from a place (x + iy) [m] with a velocity [m/s], rolling or flying."""
        state = self.trajectory.state_at(to_seconds(stamp_ns - self.since_ns))
        (_, _, z), (_, _, vz) = cast('Vector', state.position), cast('Vector', state.velocity)
        there, turned = (place.real, place.imag, z), (velocity.real, velocity.imag, vz)
        self._free(replace(state, position=there, velocity=turned, kick_speed=None), stamp_ns)

    def drop(self, stamp_ns: int) -> None:
        """Stop the horizontal motion: put down, or stopped by a board."""
        (x, y, z), (_, _, vz) = self.state(stamp_ns)
        inside = clip(x, BOARDS.real), clip(y, BOARDS.imag), z
        self._free(BallMotionState(inside, (0.0, 0.0, vz)), stamp_ns)

    def _free(self, state: BallMotionState, stamp_ns: int) -> None:
        """Continue without a holder."""
        self.holder, self.since_ns = None, stamp_ns
        self.trajectory = predict_ball(state, self._parameters)

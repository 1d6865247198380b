# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A ball that is free on its trajectory, or held at a robot's dribbler."""

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
    from world_model_core.match.ball.parameters import BallParameters

ZERO: Vector = (0.0, 0.0, 0.0)
# A robot's front is flat, so that the ball lies a little within the circle around it [m].
HELD_DISTANCE = ROBOT_RADIUS + BALL_RADIUS - 0.005
# A caught ball rolls to the middle of the dribbler within about this time [s].
SETTLING_TIME = 0.1
# A ball caught in the air comes down in front of the robot [m/s].
SETTLING_SPEED = 1.0


class Ball:
    """
    The ball; z is the height of its lowest point.

    Parameters
    ----------
    parameters : BallParameters
        How it moves when free.
    place : complex
        Where it lies at first (x + iy) [m].

    Attributes
    ----------
    trajectory : BallTrajectory
        Of the free ball, from `since_ns` on.
    holder : Robot or None
        Who has it.
    kick : TrueKick or None
        The last one.

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
        Find position and velocity (x, y, z) [m, m/s].

        Parameters
        ----------
        stamp_ns : int
            When [ns].
        ahead : float
            Seconds since the holder's place was brought up to date.

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
        """Come into a robot's hold, where it touched the ball."""
        position, _ = self.state(stamp_ns)
        gap = complex(*position[:2]) - robot.place
        self._offset = gap * cmath.rect(1.0, -robot.heading)
        self.holder, self._height = robot, position[2]

    def settle(self, dt: float) -> None:
        """Come to lie in the middle of the holder's dribbler, for `dt` [s]."""
        self._height = max(0.0, self._height - SETTLING_SPEED * dt)
        self._offset += (HELD_DISTANCE - self._offset) * min(1.0, dt / SETTLING_TIME)

    def strike(self, velocity: Vector, stamp_ns: int) -> None:
        """Be kicked by the holder (x, y, z) [m/s]."""
        assert self.holder is not None  # noqa: S101 (whoever kicks holds it)
        position, _ = self.state(stamp_ns)
        self.kick = TrueKick(stamp_ns, position, velocity, self.holder.id)
        self.launch(velocity, stamp_ns)

    def launch(self, velocity: Vector, stamp_ns: int) -> None:
        """Leave with a velocity (x, y, z) [m/s], sliding or flying."""
        position, _ = self.state(stamp_ns)
        speed = abs(complex(*velocity[:2]))
        self._free(BallMotionState(position, velocity, kick_speed=speed), stamp_ns)

    def deflect(self, velocity: complex, stamp_ns: int) -> None:
        """Go on with another velocity along the carpet (x + iy) [m/s], rolling or flying."""
        state = self.trajectory.state_at(to_seconds(stamp_ns - self.since_ns))
        _, _, vz = cast('Vector', state.velocity)
        turned = velocity.real, velocity.imag, vz
        self._free(replace(state, velocity=turned, kick_speed=None), stamp_ns)

    def drop(self, stamp_ns: int) -> None:
        """Lose all speed along the carpet: put down, or caught by a board or the net."""
        (x, y, z), (_, _, vz) = self.state(stamp_ns)
        inside = clip(x, BOARDS.real), clip(y, BOARDS.imag), z
        self._free(BallMotionState(inside, (0.0, 0.0, vz)), stamp_ns)

    def _free(self, state: BallMotionState, stamp_ns: int) -> None:
        """Go on without a holder."""
        self.holder, self.since_ns = None, stamp_ns
        self.trajectory = predict_ball(state, self._parameters)

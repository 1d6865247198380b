# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A tracker's frame as our own estimates."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.ball.estimate import BallState, Kick
from world_model_core.robots.estimate import RobotState, wrap_angle

if TYPE_CHECKING:
    from collections.abc import Callable

    from world_model_core.gaussian import Array
    from world_model_core.ssl.values import TrackedFrame, TrackedRobot

# Trackers send no covariances. TIGERs' ball was within 2.9 mm (median) and 22 mm (95 %) of a
# local fit of raw vision in a match of 2022: a standard deviation of about 1 cm. Velocities and
# robots are taken at what the same filter shows of noise.
BALL_STD = (0.01, 0.01, 0.02, 0.1, 0.1, 0.3)
ROBOT_STD = ((0.005, 0.1), (0.005, 0.1), (0.02, 0.5))
# Of a velocity that a tracker leaves out: [m/s] and [rad/s].
NO_VELOCITY_STD = 3.0


def ball_state(frame: TrackedFrame, stamp_ns: int) -> BallState | None:
    """
    Read the first ball, the primary one, unless the tracker itself does not see it.

    Parameters
    ----------
    frame : TrackedFrame
    stamp_ns : int
        Its instant [ns, local clock].

    """
    if not frame.balls or frame.balls[0].visibility == 0.0:
        return None
    ball = frame.balls[0]
    spread = np.array(BALL_STD)
    if ball.velocity is None:
        spread[3:] = NO_VELOCITY_STD
    velocity = np.array(ball.velocity or (0.0, 0.0, 0.0))
    return BallState(stamp_ns, np.array(ball.position), velocity, np.diag(spread**2))


def robot_states(frame: TrackedFrame, stamp_ns: int) -> tuple[RobotState, ...]:
    """Read the robots that the tracker sees, at `stamp_ns` [ns, local clock]."""
    return tuple(
        RobotState(
            robot.id,
            stamp_ns,
            np.array((*robot.position, wrap_angle(robot.heading))),
            np.array((*(robot.velocity or (0.0, 0.0)), robot.angular_velocity or 0.0)),
            _robot_covariance(robot),
            1.0 if robot.visibility is None else robot.visibility,
        )
        for robot in frame.robots
        if robot.visibility != 0.0
    )


def kick_of(frame: TrackedFrame, to_local: Callable[[int], int]) -> Kick | None:
    """Read the kick under way, its instant through `to_local` [ns]."""
    kicked = frame.kicked_ball
    if kicked is None:
        return None
    return Kick(
        stamp_ns=to_local(kicked.start_ns),
        position=np.array(kicked.position),
        velocity=np.array(kicked.velocity),
        covariance=None,
        chip_probability=float(kicked.velocity[2] > 0.0),
        kicker=kicked.kicker,
    )


def _robot_covariance(robot: TrackedRobot) -> Array:
    spread = np.array(ROBOT_STD)
    if robot.velocity is None:
        spread[:2, 1] = NO_VELOCITY_STD
    if robot.angular_velocity is None:
        spread[2, 1] = NO_VELOCITY_STD
    return spread[:, :, None] ** 2 * np.eye(2)

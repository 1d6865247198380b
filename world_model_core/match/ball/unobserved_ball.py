# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Extrapolation of a ball that no sensor observes, behind robots too."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.match.ball.estimate import BallState
from world_model_core.match.ball.occlusion import BALL_RADIUS, ROBOT_RADIUS, hidden_by

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from world_model_core.gaussian import Array
    from world_model_core.match.cameras.camera_pose import CameraPose

# A ball within this distance of the center of the robot that hides it touches the robot [m]: both
# radii and a typical error of an unobserved ball.
CONTACT = ROBOT_RADIUS + BALL_RADIUS + 0.03


@dataclass(frozen=True, slots=True, eq=False)
class OcclusionContext:
    """
    Robots and cameras that determine whether the ball is hidden or held.

    Parameters
    ----------
    names : sequence of hashable
        Identifiers of the n robots.
    poses, velocities : array, shape (n, 3)
        Current x, y [m], heading [rad] of the robots and their rates, field frame.
    cameras : sequence of CameraPose
        Field of view of each camera.
    held : BallState or None
        Ball position from a robot's triggered ball sensor.

    """

    names: Sequence[Hashable]
    poses: Array
    velocities: Array
    cameras: Sequence[CameraPose]
    held: BallState | None


class _Carried(NamedTuple):
    """Robot that carries the hidden ball, and the ball offset (ahead, left) of its center [m]."""

    name: Hashable
    ahead: float
    left: float


class UnobservedBall:
    """
    Extrapolate a ball that rolls on, or is carried by the robot that hides it.

    Parameters
    ----------
    acceleration_density : float
        Power spectral density of the unknown acceleration [m^2/s^3].

    """

    def __init__(self, acceleration_density: float) -> None:
        self._acceleration_density = acceleration_density
        self._carried: _Carried | None = None

    @property
    def is_carried(self) -> bool:
        """Whether a robot carries the ball."""
        return self._carried is not None

    def release(self) -> None:
        """Forget the robot that carried the ball, because the ball is observed."""
        self._carried = None

    def extrapolate(self, state: BallState, stamp_ns: int, context: OcclusionContext) -> BallState:
        """Predict the ball at a time [ns], or move it with the robot that it reached."""
        moved = state.coasted(stamp_ns, self._acceleration_density)
        if self._carried is None:
            self._carried = _touching(moved, context)
        carried = self._carried
        if carried is None or carried.name not in context.names:
            self._carried = None
            return moved
        index = context.names.index(carried.name)
        x, y, heading = context.poses[index].tolist()
        vx, vy, turning = context.velocities[index].tolist()
        ahead, aside = math.cos(heading), math.sin(heading)
        dx = ahead * carried.ahead - aside * carried.left
        dy = aside * carried.ahead + ahead * carried.left
        place = np.array((x + dx, y + dy, 0.0))
        velocity = np.array((vx - turning * dy, vy + turning * dx, 0.0))
        return BallState(stamp_ns, place, velocity, moved.covariance)


def hiding_robot(ball: BallState, context: OcclusionContext) -> int | None:
    """Return the robot that hides a ball from the cameras that cover its position."""
    place = ball.position
    looking = [camera.position for camera in context.cameras if camera.covers(place)]
    return hidden_by(place, context.poses[:, :2], looking)


def _touching(ball: BallState, context: OcclusionContext) -> _Carried | None:
    """Return the robot that an unobserved ball has reached behind it."""
    index = hiding_robot(ball, context)
    if index is None:
        return None
    x, y, heading = context.poses[index].tolist()
    dx, dy = ball.position[0] - x, ball.position[1] - y
    distance = math.hypot(dx, dy)
    if distance > CONTACT:
        return None
    # Move an estimate inside the robot to its hull.
    stretch = max(1.0, ROBOT_RADIUS / max(distance, 1e-6))
    ahead, aside = stretch * math.cos(heading), stretch * math.sin(heading)
    return _Carried(context.names[index], ahead * dx + aside * dy, ahead * dy - aside * dx)

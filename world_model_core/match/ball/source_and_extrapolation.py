# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Selection of the ball source, and extrapolation of a ball that no sensor observes.

The sources are tracker, vision and ball sensor. An unobserved ball rolls on, or moves with the
robot that hides it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.match.ball.estimate import BallSource, BallState
from world_model_core.match.ball.occlusion import BALL_RADIUS, ROBOT_RADIUS, hidden_by
from world_model_core.match.ball.tracker import BALL_LIFE
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from world_model_core.gaussian import Array
    from world_model_core.match.cameras.camera_pose import CameraPose

# Default time without packets after which a tracker counts as lost [s].
TRACKER_TIMEOUT = 0.08
# A ball within this distance of the center of the robot that hides it touches the robot [m]: both
# radii and a typical error of an unobserved ball.
CONTACT = ROBOT_RADIUS + BALL_RADIUS + 0.03


@dataclass(frozen=True, slots=True)
class BallSourceParameters:
    """
    Timeouts of the ball sources.

    Parameters
    ----------
    tracker_timeout, vision_timeout : float
        Age from which an observation does not count as current [s].
    sensor_timeout : float
        The same for a robot's report of a triggered ball sensor [s].
    rest_after : float
        Time after which the velocity of a LAST_KNOWN ball is set to zero [s].
    life : float
        Time without any observation after which there is no ball [s].
    acceleration_density : float
        Power spectral density of the acceleration of an unobserved ball [m^2/s^3].

    """

    tracker_timeout: float = TRACKER_TIMEOUT
    vision_timeout: float = 0.08
    sensor_timeout: float = 0.2
    rest_after: float = 0.1
    life: float = BALL_LIFE
    acceleration_density: float = 4.0


class BallSourceSelector:
    """Combine the latest observation of each source and extrapolate it in time."""

    def __init__(self, parameters: BallSourceParameters) -> None:
        self._parameters = parameters
        self._unobserved = UnobservedBall(parameters.acceleration_density)
        self._timeouts_ns = {
            BallSource.TRACKER: int(parameters.tracker_timeout * NANOSECONDS_PER_SECOND),
            BallSource.VISION: int(parameters.vision_timeout * NANOSECONDS_PER_SECOND),
        }
        self.reset()

    def reset(self) -> None:
        """Discard all observations, as after a jump in time."""
        self._observed: dict[BallSource, tuple[int, BallState]] = {}
        self._held: BallState | None = None
        self._shadow_ns = 0  # last time at which a robot hid the ball
        self._rested = False  # whether the ball is assumed to have stopped
        self._unobserved.release()

    def forget(self, source: BallSource) -> None:
        """Discard the observation of a source that is no longer selected."""
        self._observed.pop(source, None)

    def observe(self, source: BallSource, state: BallState, received_ns: int) -> None:
        """Store an observation of the ball by TRACKER or VISION; times are local [ns]."""
        self._observed[source] = (received_ns, state)

    def at(
        self, stamp_ns: int, now_ns: int, context: OcclusionContext
    ) -> tuple[BallSource, BallState | None]:
        """
        Estimate the ball at a time.

        Parameters
        ----------
        stamp_ns, now_ns : int
            Time of the estimate, and current time for the timeouts [ns, local].
        context : OcclusionContext
            Used only when no source observes the ball.

        Returns
        -------
        source : BallSource
        state : BallState or None
            None exactly when the source is NONE.

        """
        for source in (BallSource.TRACKER, BallSource.VISION):
            if source in self._observed:
                received_ns, state = self._observed[source]
                if now_ns - received_ns <= self._timeouts_ns[source]:
                    self._held, self._rested = None, False
                    self._unobserved.release()
                    return source, self._coasted(state, stamp_ns)
        return self._unseen(stamp_ns, now_ns, context)

    def _coasted(self, state: BallState, stamp_ns: int) -> BallState:
        return state.coasted(stamp_ns, self._parameters.acceleration_density)

    def _unseen(
        self, stamp_ns: int, now_ns: int, context: OcclusionContext
    ) -> tuple[BallSource, BallState | None]:
        if context.held is not None:
            self._held, self._rested = context.held, False
            self._unobserved.release()
            return BallSource.BALL_SENSOR, self._held
        last = self._last(now_ns)
        if last is None:
            return BallSource.NONE, None
        received_ns, state = last
        moved = self._unobserved.extrapolate(state, stamp_ns, context)
        if not self._rested and hiding_robot(moved, context) is not None:
            self._shadow_ns = now_ns
            return BallSource.OCCLUSION_SHADOW, moved
        lost_ns = max(received_ns + self._timeouts_ns[BallSource.VISION], self._shadow_ns)
        rest_ns = lost_ns + int(self._parameters.rest_after * NANOSECONDS_PER_SECOND)
        self._rested = self._rested or now_ns >= rest_ns
        if not self._rested:
            return BallSource.LAST_KNOWN, moved
        place = moved.position
        if not self._unobserved.is_carried:
            place = self._coasted(state, state.stamp_ns + rest_ns - received_ns).position
        stopped = BallState(moved.stamp_ns, place, moved.velocity, moved.covariance).at_rest()
        return BallSource.LAST_KNOWN, stopped

    def _last(self, now_ns: int) -> tuple[int, BallState] | None:
        """Return the latest observation within the ball's life."""
        known = list(self._observed.values())
        if self._held is not None:
            known.append((self._held.stamp_ns, self._held))
        oldest = now_ns - self._parameters.life * NANOSECONDS_PER_SECOND
        alive = [entry for entry in known if entry[0] >= oldest]
        return max(alive, key=lambda entry: entry[0], default=None)


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

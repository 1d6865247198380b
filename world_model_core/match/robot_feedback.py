# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Merges the feedback of our own robots: odometry and ball sensors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.gaussian import update
from world_model_core.match.ball.estimate import BallState
from world_model_core.match.ball.occlusion import ROBOT_RADIUS
from world_model_core.match.robots.robot_table import NEVER, ROWS
from world_model_core.match.robots.tracker import VELOCITY_ONLY
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.match.robots.estimate import Robots
    from world_model_core.match.ssl.values import RobotId
    from world_model_core.match.tracker_frame_conversion import TrackedRobotRows

# Standard deviations of a ball in the dribbler: position [m] and velocity [m/s].
PLACE_STD = 0.03
SPEED_STD = 0.5


class RobotFeedback:
    """
    Keeps the latest ball sensor and odometry reports of our robots.

    Parameters
    ----------
    timeout : float
        Age at which a report expires [s].
    odometry_std : float
        Standard deviation of a reported velocity [m/s, rad/s].

    """

    def __init__(self, timeout: float, odometry_std: float) -> None:
        self._timeout_ns = int(timeout * NANOSECONDS_PER_SECOND)
        self._triggered: dict[RobotId, int] = {}
        self._noise = np.full((3, 1, 1), odometry_std**2)
        self._velocities = np.zeros((ROWS, 3))
        self._measured_ns = np.full(ROWS, NEVER, dtype=np.int64)

    def observe_ball_sensor(self, name: RobotId, triggered: bool, now_ns: int) -> None:
        """Store the state of a robot's ball sensor at `now_ns` [ns, local clock]."""
        if triggered:
            self._triggered[name] = now_ns
        else:
            self._triggered.pop(name, None)

    def observe_velocity(self, name: RobotId, velocity: Array, now_ns: int) -> None:
        """Store a robot's velocity (vx, vy [m/s], angular [rad/s]), shape (3,), at `now_ns`."""
        self._velocities[name.slot], self._measured_ns[name.slot] = velocity, now_ns

    def correct(self, tracked: TrackedRobotRows, now_ns: int) -> TrackedRobotRows:
        """
        Correct a tracker's robots by the velocities that they reported recently.

        Parameters
        ----------
        tracked : TrackedRobotRows
            Robots of a tracker frame.
        now_ns : int
            Current time [ns, local clock].

        """
        fresh = self._measured_ns[tracked.rows] >= now_ns - self._timeout_ns
        if not fresh.any():
            return tracked
        mean, covariance = tracked.mean.copy(), tracked.covariance.copy()
        measured = self._velocities[tracked.rows[fresh]][..., None]
        mean[fresh], covariance[fresh], _ = update(
            mean[fresh], covariance[fresh], measured, VELOCITY_ONLY, self._noise
        )
        return tracked._replace(mean=mean, covariance=covariance)

    def held_ball(self, robots: Robots, now_ns: int) -> BallState | None:
        """Return the ball in the dribbler that reported it last; None if all reports expired."""
        oldest = now_ns - self._timeout_ns
        holding = [
            (reported_ns, robots.ids.index(name))
            for name, reported_ns in self._triggered.items()
            if reported_ns >= oldest and name in robots.ids
        ]
        return ball_in_dribbler(robots, max(holding)[1]) if holding else None


def ball_in_dribbler(robots: Robots, index: int) -> BallState:
    """Return a ball at the front of a robot, with the robot's velocity."""
    heading = robots.poses[index, 2]
    ahead = ROBOT_RADIUS * np.array((np.cos(heading), np.sin(heading)))
    spread = np.array((PLACE_STD,) * 3 + (SPEED_STD,) * 3) ** 2
    spread[:2] += robots.covariances[index, :2, 0, 0]
    return BallState(
        robots.stamp_ns,
        np.append(robots.poses[index, :2] + ahead, 0.0),
        np.append(robots.velocities[index, :2], 0.0),
        np.diag(spread),
    )

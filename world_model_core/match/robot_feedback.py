# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What our own robots report of themselves and of the ball."""

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

# Of the ball's place in a dribbler that the sensor reports it in [m], and of its velocity [m/s].
PLACE_STD = 0.03
SPEED_STD = 0.5


class RobotFeedback:
    """
    The ball sensors and the odometry of our robots.

    Parameters
    ----------
    timeout : float
        A report older than this counts no more [s].
    odometry_std : float
        Of a robot's own velocity, in each of m/s and rad/s.

    """

    def __init__(self, timeout: float, odometry_std: float) -> None:
        self._timeout_ns = int(timeout * NANOSECONDS_PER_SECOND)
        self._triggered: dict[RobotId, int] = {}
        self._noise = np.full((3, 1, 1), odometry_std**2)
        self._velocities = np.zeros((ROWS, 3))
        self._measured_ns = np.full(ROWS, NEVER, dtype=np.int64)

    def report(self, name: RobotId, triggered: bool, now_ns: int) -> None:
        """Take in one robot's sensor at `now_ns` [ns, local]."""
        if triggered:
            self._triggered[name] = now_ns
        else:
            self._triggered.pop(name, None)

    def measure(self, name: RobotId, velocity: Array, now_ns: int) -> None:
        """Take in (vx, vy [m/s], turning [rad/s]) of one robot, shape (3,), at `now_ns`."""
        self._velocities[name.slot], self._measured_ns[name.slot] = velocity, now_ns

    def merged(self, seen: TrackedRobotRows, now_ns: int) -> TrackedRobotRows:
        """
        Let a tracker's robots be corrected by what they measured of late themselves.

        Parameters
        ----------
        seen : TrackedRobotRows
            As the tracker has them.
        now_ns : int
            The present [ns, local clock].

        """
        fresh = self._measured_ns[seen.rows] >= now_ns - self._timeout_ns
        if not fresh.any():
            return seen
        mean, covariance = seen.mean.copy(), seen.covariance.copy()
        measured = self._velocities[seen.rows[fresh]][..., None]
        mean[fresh], covariance[fresh], _ = update(
            mean[fresh], covariance[fresh], measured, VELOCITY_ONLY, self._noise
        )
        return seen._replace(mean=mean, covariance=covariance)

    def held_ball(self, robots: Robots, now_ns: int) -> BallState | None:
        """Place the ball before the robot that reported it last, within the timeout."""
        oldest = now_ns - self._timeout_ns
        holding = [
            (reported_ns, robots.ids.index(name))
            for name, reported_ns in self._triggered.items()
            if reported_ns >= oldest and name in robots.ids
        ]
        return ball_in_dribbler(robots, max(holding)[1]) if holding else None


def ball_in_dribbler(robots: Robots, index: int) -> BallState:
    """Place a ball at the front of one of the robots, moving with it."""
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

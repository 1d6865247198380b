# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What our own robots report of the ball."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.ball.estimate import SECOND, BallState
from world_model_core.ball.occlusion import ROBOT_RADIUS

if TYPE_CHECKING:
    from world_model_core.robots.estimate import Robots
    from world_model_core.ssl.values import RobotId

# Of the ball's place in a dribbler that the sensor reports it in [m], and of its velocity [m/s].
PLACE_STD = 0.03
SPEED_STD = 0.5


class Feedback:
    """
    The ball sensors of our robots.

    Parameters
    ----------
    timeout : float
        A report older than this counts no more [s].

    """

    def __init__(self, timeout: float) -> None:
        self._timeout_ns = int(timeout * SECOND)
        self._triggered: dict[RobotId, int] = {}

    def report(self, name: RobotId, triggered: bool, now_ns: int) -> None:
        """Take in one robot's sensor at `now_ns` [ns, local]."""
        if triggered:
            self._triggered[name] = now_ns
        else:
            self._triggered.pop(name, None)

    def held_ball(self, robots: Robots, now_ns: int) -> BallState | None:
        """Place the ball before the robot that reported it last, within the timeout."""
        oldest = now_ns - self._timeout_ns
        holding = [
            (reported_ns, robots.ids.index(name))
            for name, reported_ns in self._triggered.items()
            if reported_ns >= oldest and name in robots.ids
        ]
        return in_dribbler(robots, max(holding)[1]) if holding else None


def in_dribbler(robots: Robots, index: int) -> BallState:
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

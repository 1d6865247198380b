# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What our own robots report of the ball."""

from __future__ import annotations

from typing import TYPE_CHECKING

from world_model_core.ball.estimate import SECOND

if TYPE_CHECKING:
    from collections.abc import Iterable

    from world_model_core.robots.estimate import RobotState
    from world_model_core.ssl.values import RobotId


class Feedback:
    """
    The ball sensors of our robots.

    Parameters
    ----------
    timeout : float
        A report older than this counts no more [s].

    """

    def __init__(self, timeout: float) -> None:
        self._timeout_ns = timeout * SECOND
        self._triggered: dict[RobotId, int] = {}

    def report(self, name: RobotId, triggered: bool, now_ns: int) -> None:
        """Take in one robot's sensor at `now_ns` [ns, local]."""
        if triggered:
            self._triggered[name] = now_ns
        else:
            self._triggered.pop(name, None)

    def holder(self, robots: Iterable[RobotState], now_ns: int) -> RobotState | None:
        """Find the robot that reported the ball last, if that was within the timeout."""
        holding = [
            robot
            for robot in robots
            if now_ns - self._triggered.get(robot.id, -SECOND * 10**9) <= self._timeout_ns
        ]
        return max(holding, key=lambda robot: self._triggered[robot.id], default=None)

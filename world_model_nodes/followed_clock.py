# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Steps of simulated time by the clock of the node, where another one tells /clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from std_srvs.srv import Trigger

from world_model_core.simulation.timeline import SECOND

if TYPE_CHECKING:
    from collections.abc import Callable

    from rclpy.node import Node

# Steps that are made up for before the node's other callbacks have their turn, when the process
# was late, or the clock jumped ahead.
MOST_STEPS = 50


class FollowedClock:
    """
    Takes steps as the node's ROS clock goes on, and serves ~/reset; it stands still at first.

    Who tells /clock pauses it and says how fast it is. When that clock is set back, all begins
    anew.

    Parameters
    ----------
    node : Node
    dt : float
        Length of a step [s].
    on_time : callable
        Called with each new time [ns], after one step or several.
    on_reset : callable
        Called with the start [ns] when all begins anew.

    """

    def __init__(
        self,
        node: Node,
        dt: float,
        on_time: Callable[[int], None],
        on_reset: Callable[[int], None],
    ) -> None:
        self._node, self._dt_ns = node, round(dt * SECOND)
        self._on_time, self._on_reset = on_time, on_reset
        self._now_ns = 0
        self._timer = node.create_timer(dt, self._turn)
        self._timer.cancel()
        self._service = node.create_service(Trigger, '~/reset', self._serve_reset)

    @property
    def now_ns(self) -> int:
        """The time of the last step [ns]; 0 before the first."""
        return self._now_ns

    @property
    def paused(self) -> bool:
        """Never: that is for who tells the time."""
        return False

    def run(self) -> None:
        """Go on from now."""
        self._now_ns = 0
        self._timer.reset()

    def halt(self) -> None:
        """Stand still."""
        self._timer.cancel()

    def change_speed(self, _speed: float) -> None:
        """Leave the speed to who tells the time."""

    def close(self) -> None:
        """Take timer and service back."""
        self._node.destroy_timer(self._timer)
        self._node.destroy_service(self._service)

    def _turn(self) -> None:
        """Take the steps that are due; a time of 0 is none yet."""
        now_ns = int(self._node.get_clock().now().nanoseconds)
        if now_ns == 0:
            return
        if self._now_ns == 0 or now_ns < self._now_ns:
            self._begin(now_ns)
            return
        steps = min((now_ns - self._now_ns) // self._dt_ns, MOST_STEPS)
        if steps:
            self._now_ns += steps * self._dt_ns
            self._on_time(self._now_ns)

    def _begin(self, now_ns: int) -> None:
        self._now_ns = now_ns
        self._on_reset(now_ns)
        self._on_time(now_ns)

    def _serve_reset(
        self, _request: Trigger.Request, response: Trigger.Response
    ) -> Trigger.Response:
        now_ns = int(self._node.get_clock().now().nanoseconds)
        response.success = now_ns > 0
        if now_ns:
            self._begin(now_ns)
        response.message = 'begun anew' if now_ns else 'time has not begun'
        return response

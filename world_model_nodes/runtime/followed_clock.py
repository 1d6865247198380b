# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Steps of simulated time by the clock of the node, where another one tells /clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rclpy.clock import Clock, ClockType

from world_model_core.time import NANOSECONDS_PER_SECOND, to_nanoseconds, to_seconds
from world_model_nodes.runtime.diagnostics import Report
from world_model_nodes.runtime.time_services import Outcome, TimeServices, show

if TYPE_CHECKING:
    from collections.abc import Callable

    from rclpy.node import Node

    from world_model_nodes.runtime.step_budget import StepBudget

# Who is further behind than this [simulated s], and than so many goes lead, leaves time out.
MOST_BEHIND, MOST_GOES = 1.0, 10
# While steps are left they are taken this often at least [s].
PERIOD = 0.05
# Two timers ask for the same rate; which of them comes first must not halve it.
SLACK = 0.9
UNHEARD = 'use_sim_time is set, but /clock has not been heard'


class FollowedClock:
    """
    Takes steps as the node's ROS clock goes on, and serves ~/reset; it stands still at first.

    Who tells /clock pauses it and says how fast it is. When that clock is set back, all begins
    anew. When it goes on faster than steps can be taken, or jumps ahead, time is left out.

    Parameters
    ----------
    node : Node
    dt : float
        Length of a step [s].
    rate : float
        How often `on_time` is called at most [Hz, real time].
    on_time : callable
        Called with each new time [ns], after one step or several.
    on_reset : callable
        Called with the start [ns] when all begins anew.
    on_way : callable
        Called with times [ns] in between, where there are more steps than can be taken at once.
    on_leap : callable
        Called with the time [ns] to which no step leads, where some is left out.
    budget : StepBudget
        How many steps may be taken at once.

    """

    def __init__(
        self,
        node: Node,
        dt: float,
        rate: float,
        *,
        on_time: Callable[[int], object],
        on_reset: Callable[[int], None],
        on_way: Callable[[int], object],
        on_leap: Callable[[int], None],
        budget: StepBudget,
    ) -> None:
        self._node, self._dt_ns, self._budget = node, to_nanoseconds(dt), budget
        self._on_time, self._on_way = on_time, on_way
        self._on_reset, self._on_leap = on_reset, on_leap
        self._now_ns = self._left_out_ns = self._told_ns = 0
        self._steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._pause_ns = round(SLACK / rate * NANOSECONDS_PER_SECOND)
        # One for steps that are due, at once, and one for those that a clock in a hurry left.
        self._timers = (
            node.create_timer(max(dt, 1.0 / rate), self._turn),
            node.create_timer(min(1.0 / rate, PERIOD), self._turn, clock=self._steady),
        )
        self.halt()
        self._services = TimeServices(node, reset=self._reset)

    @property
    def now_ns(self) -> int:
        """The time of the last step [ns]; 0 before the first."""
        return self._now_ns

    def run(self) -> None:
        """Go on from now."""
        self._now_ns = self._left_out_ns = 0
        for timer in self._timers:
            timer.reset()

    def halt(self) -> None:
        """Stand still."""
        for timer in self._timers:
            timer.cancel()

    def change_speed(self, _speed: float) -> None:
        """Leave the speed to who tells the time."""

    def close(self) -> None:
        """Take timers and service back."""
        for timer in self._timers:
            self._node.destroy_timer(timer)
        self._services.close()

    def report(self) -> Report:
        """Say whether there is a time, and what was left out of it since this was asked last."""
        if self._clock_ns() == 0:
            return Report(errors=(UNHEARD,))
        left_out, self._left_out_ns = self._left_out_ns, 0
        if not left_out:
            return Report()
        return Report(warnings=(f'behind the clock by {to_seconds(left_out):.3f} s, left out',))

    def _clock_ns(self) -> int:
        """Ask the node's clock; 0 while there is no time."""
        return int(self._node.get_clock().now().nanoseconds)

    def _turn(self) -> None:
        """Take the steps that are due."""
        now_ns = self._clock_ns()
        if now_ns == 0:
            return
        if self._now_ns == 0 or now_ns < self._now_ns:
            self._begin(now_ns)
            return
        due = (now_ns - self._now_ns) // self._dt_ns
        steps = min(due, self._budget.steps)
        tells = int(self._steady.now().nanoseconds) - self._told_ns >= self._pause_ns
        if steps and (tells or steps < due):
            self._leave_out((due - steps) * self._dt_ns)
            self._go_to(self._now_ns + steps * self._dt_ns, tells=tells)

    def _leave_out(self, behind_ns: int) -> None:
        """Be at a later time without a step, where it is too far away."""
        reach_ns = MOST_GOES * self._budget.steps * self._dt_ns
        if (
            behind_ns <= max(MOST_BEHIND * NANOSECONDS_PER_SECOND, reach_ns)
            or not self._budget.known
        ):
            return
        self._now_ns += behind_ns
        self._left_out_ns += behind_ns
        self._on_leap(self._now_ns)
        self._node.get_logger().warning(
            f'behind the clock by {to_seconds(behind_ns):.3f} s, which are left out: it goes on '
            f'faster than steps can be taken, or jumped ahead',
            throttle_duration_sec=10.0,
        )

    def _go_to(self, now_ns: int, *, tells: bool = True) -> None:
        self._now_ns = now_ns
        if not tells:
            self._on_way(now_ns)
            return
        self._on_time(now_ns)
        self._told_ns = int(self._steady.now().nanoseconds)

    def _begin(self, now_ns: int) -> None:
        self._on_reset(now_ns)
        self._go_to(now_ns)

    def _reset(self) -> Outcome:
        now_ns = self._clock_ns()
        if not now_ns:
            return Outcome(success=False, message='time has not started')
        self._begin(now_ns)
        return Outcome(success=True, message=f'restarted at {show(now_ns)}')

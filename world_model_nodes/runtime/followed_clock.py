# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Steps of simulated time driven by the node's ROS clock; another node publishes /clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rclpy.clock import Clock, ClockType

from world_model_core.time import NANOSECONDS_PER_SECOND, to_nanoseconds, to_seconds
from world_model_nodes.runtime.diagnostics import NO_CLOCK, Report
from world_model_nodes.runtime.time_services import Outcome, TimeServices, show

if TYPE_CHECKING:
    from collections.abc import Callable

    from rclpy.node import Node

    from world_model_nodes.runtime.step_budget import StepBudget

# Time is skipped if the steps are further behind the clock than this [simulated s], and further
# than this number of callbacks can catch up.
LARGEST_DELAY, CATCH_UP_CALLS = 1.0, 10
# Longest time between two callbacks while steps are due [s].
PERIOD = 0.05
# Tolerance of the report period: both timers have this period, and either may fire first.
SLACK = 0.9


class FollowedClock:
    """
    Takes steps as the node's ROS clock advances, and offers ~/reset; stopped until `run`.

    The publisher of /clock determines pause and speed. If the clock jumps back, the run restarts.
    If it advances faster than steps can be taken, or jumps ahead, time is skipped.

    Parameters
    ----------
    node : Node
    dt : float
        Length of a step [s].
    rate : float
        Maximum rate of calls of `on_time` [Hz, real time].
    on_time : callable
        Called with the new time [ns] after one or more steps.
    on_reset : callable
        Called with the start time [ns] when the run starts or restarts.
    on_substep : callable
        Called with times [ns] in between, if more steps are due than can be taken at once.
    on_skip : callable
        Called with the time [ns] after skipped time.
    budget : StepBudget
        Maximum number of steps at once.

    """

    def __init__(
        self,
        node: Node,
        dt: float,
        rate: float,
        *,
        on_time: Callable[[int], object],
        on_reset: Callable[[int], None],
        on_substep: Callable[[int], object],
        on_skip: Callable[[int], None],
        budget: StepBudget,
    ) -> None:
        self._node, self._dt_ns, self._budget = node, to_nanoseconds(dt), budget
        self._on_time, self._on_substep = on_time, on_substep
        self._on_reset, self._on_skip = on_reset, on_skip
        self._now_ns = self._skipped_ns = self._reported_ns = 0
        self._steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._report_period_ns = round(SLACK / rate * NANOSECONDS_PER_SECOND)
        # The first runs on ROS time; the second catches up steps that the first has left.
        self._timers = (
            node.create_timer(max(dt, 1.0 / rate), self._take_steps),
            node.create_timer(min(1.0 / rate, PERIOD), self._take_steps, clock=self._steady),
        )
        self.halt()
        self._services = TimeServices(node, reset=self._reset)

    @property
    def now_ns(self) -> int:
        """The time of the last step [ns]; 0 before the first."""
        return self._now_ns

    def run(self) -> None:
        """Start from the current time."""
        self._now_ns = self._skipped_ns = 0
        for timer in self._timers:
            timer.reset()

    def halt(self) -> None:
        """Stop."""
        for timer in self._timers:
            timer.cancel()

    def change_speed(self, _speed: float) -> None:
        """Ignore the speed: the publisher of /clock determines it."""

    def close(self) -> None:
        """Destroy the timers and the service."""
        for timer in self._timers:
            self._node.destroy_timer(timer)
        self._services.close()

    def report(self) -> Report:
        """Report a missing clock, and the time skipped since the last report."""
        if self._clock_ns() == 0:
            return Report(errors=(NO_CLOCK,))
        skipped, self._skipped_ns = self._skipped_ns, 0
        if not skipped:
            return Report()
        return Report(warnings=(f'{to_seconds(skipped):.3f} s behind /clock, skipped',))

    def _clock_ns(self) -> int:
        """Return the time of the node's clock [ns]; 0 while it has none."""
        return int(self._node.get_clock().now().nanoseconds)

    def _take_steps(self) -> None:
        """Take the steps that are due."""
        now_ns = self._clock_ns()
        if now_ns == 0:
            return
        if self._now_ns == 0 or now_ns < self._now_ns:
            self._begin(now_ns)
            return
        due = (now_ns - self._now_ns) // self._dt_ns
        steps = min(due, self._budget.steps)
        reports = int(self._steady.now().nanoseconds) - self._reported_ns >= self._report_period_ns
        if steps and (reports or steps < due):
            self._skip((due - steps) * self._dt_ns)
            self._go_to(self._now_ns + steps * self._dt_ns, reports=reports)

    def _skip(self, behind_ns: int) -> None:
        """Jump ahead without steps if the delay is too large to catch up."""
        reach_ns = CATCH_UP_CALLS * self._budget.steps * self._dt_ns
        if (
            behind_ns <= max(LARGEST_DELAY * NANOSECONDS_PER_SECOND, reach_ns)
            or not self._budget.known
        ):
            return
        self._now_ns += behind_ns
        self._skipped_ns += behind_ns
        self._on_skip(self._now_ns)
        self._node.get_logger().warning(
            f'{to_seconds(behind_ns):.3f} s behind /clock, skipped: /clock advances faster than '
            f'steps can be taken, or jumped ahead',
            throttle_duration_sec=10.0,
        )

    def _go_to(self, now_ns: int, *, reports: bool = True) -> None:
        self._now_ns = now_ns
        if not reports:
            self._on_substep(now_ns)
            return
        self._on_time(now_ns)
        self._reported_ns = int(self._steady.now().nanoseconds)

    def _begin(self, now_ns: int) -> None:
        self._on_reset(now_ns)
        self._go_to(now_ns)

    def _reset(self) -> Outcome:
        now_ns = self._clock_ns()
        if not now_ns:
            return Outcome(success=False, message='time has not started')
        self._begin(now_ns)
        return Outcome(success=True, message=f'restarted at {show(now_ns)}')

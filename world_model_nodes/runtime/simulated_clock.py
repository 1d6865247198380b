# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Simulated time on /clock: steps of dt from its start, which can be paused and begun anew."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

from rclpy.clock import Clock, ClockType
from rosgraph_msgs.msg import Clock as ClockMessage

from world_model_nodes.runtime.convert import to_time
from world_model_nodes.runtime.diagnostics import Report
from world_model_nodes.runtime.pacing import Pacer
from world_model_nodes.runtime.qos import CLOCK
from world_model_nodes.runtime.time_services import (
    Outcome,
    TimeServices,
    describe_jump,
    describe_pause,
    refuse_step,
    show,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rclpy.node import Node

    from world_model_core.simulation.simulated_time import Timeline
    from world_model_nodes.runtime.step_budget import StepBudget

# While time stands it is told this often, for those who join late [s].
TELL_PERIOD = 0.1
# For so many of these periods all awaited listeners must have been there, to hear all else too.
SETTLING = 5
# Ticks made up for, where each of them takes little.
BURST = 5


class SimulatedClock:
    """
    Tells the time, and serves ~/pause, ~/step and ~/reset; it stands still at first.

    Real time comes from the steady clock: the time that is published is not the node's own.

    Parameters
    ----------
    node : Node
    on_time : callable
        Called with each new time [ns], once it has been told; may return why nothing moved then.
    on_reset : callable
        Called with the start [ns] when ~/reset has gone there, before it is told.
    speed : float
        Simulated seconds in a real one.
    rate : float
        How often a running clock is told at most [Hz, real time].
    burst : int
        Ticks made up for when the process was late; beyond that time goes slower.
    listeners : int
        Subscriptions of /clock that are waited for; then the start is told once more.
    budget : StepBudget, optional
        How many steps may be taken at once; beyond that time goes slower.
    on_way : callable, optional
        Called with times [ns] on the way to the next one that is told, where it is too far to go
        at once.

    """

    def __init__(
        self,
        node: Node,
        on_time: Callable[[int], str | None],
        on_reset: Callable[[int], None],
        speed: float,
        rate: float,
        *,
        burst: int = BURST,
        listeners: int = 0,
        budget: StepBudget | None = None,
        on_way: Callable[[int], object] = lambda _: None,
    ) -> None:
        self._node = node
        self._on_time, self._on_reset, self._on_way = on_time, on_reset, on_way
        self._speed, self._rate, self._budget = speed, rate, budget
        self._timeline: Timeline | None = None
        self._step, self._failure, self._told_at = 0, '', 0.0
        # Told of is who is to hear of the present step: it must not hear of it twice.
        self._active = self._paused = self._told_of = False
        self._listeners, self._settled = listeners, 0 if listeners else SETTLING
        self._publisher = node.create_publisher(ClockMessage, '/clock', CLOCK)
        self._pacer: Pacer[tuple[int, bool]] = Pacer(node, self._pass, lambda: None, burst)
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._teller = node.create_timer(TELL_PERIOD, self._tell_steadily, clock=steady)
        self._services = TimeServices(
            node, pause=self._pause, step=self._take_step, reset=self._reset
        )

    @property
    def now_ns(self) -> int:
        """The time [ns]; 0 without a scene."""
        return 0 if self._timeline is None else self._timeline.at(self._step)

    @property
    def paused(self) -> bool:
        """Whether somebody paused it."""
        return self._paused

    @property
    def waits(self) -> bool:
        """Whether somebody is waited for."""
        return self._settled < SETTLING

    def report(self) -> Report:
        """Say why time stands, and whether somebody else tells another one."""
        publishers = self._node.count_publishers(self._publisher.topic_name)
        states = {
            'paused': self._paused,
            f'waits for {self._listeners} listeners of /clock': self.waits,
            f'/clock has {publishers} publishers; it must have one': publishers > 1,
        }
        return Report(warnings=tuple(text for text, holds in states.items() if holds))

    def load(self, timeline: Timeline) -> None:
        """Go to the start of another time."""
        before_ns = self.now_ns
        self._timeline, self._step = timeline, 0
        self._begin(before_ns)

    def run(self) -> None:
        """Go on, unless paused."""
        self._active = True
        self._update()

    def halt(self) -> None:
        """Stand still, and be silent."""
        self._active = False
        self._update()

    def change_speed(self, speed: float) -> None:
        """Go on at another speed."""
        if speed != self._speed:
            self._speed = speed
            self._go_on(self._pacer.position_ns)

    def close(self) -> None:
        """Take topic and services back."""
        self._pacer.close()
        self._node.destroy_timer(self._teller)
        self._node.destroy_publisher(self._publisher)
        self._services.close()

    def _update(self) -> None:
        if self._active and not (self._paused or self.waits):
            self._pacer.run()
        else:
            self._pacer.halt()

    def _begin(self, before_ns: int) -> None:
        """Go on from the start, running or not; tell people if that is back."""
        if self.now_ns < before_ns:
            self._node.get_logger().warning(describe_jump(before_ns, self.now_ns))
        self._told_of = False
        if self._active:
            self._tick(self.now_ns, 0)
        self._go_on(self.now_ns)

    def _go_on(self, from_ns: int | None) -> None:
        """Let time pass from an instant [ns]; the step before it is not told again."""
        if self._timeline is not None:
            self._pacer.change_speed(self._speed)
            self._pacer.load(self._ticks(self._timeline), from_ns)

    def _ticks(self, timeline: Timeline) -> Iterator[tuple[int, tuple[int, bool]]]:
        """Yield the time of each step to go to, which one it is, and whether it is told."""
        step = self._step
        if not self._told_of:
            yield timeline.at(step), (step, True)
        while True:
            goal = step + timeline.stride(self._speed, self._rate)
            while step < goal:
                step = min(goal, step + self._budget.steps) if self._budget else goal
                yield timeline.at(step), (step, step == goal)

    def _pass(self, stamp_ns: int, item: tuple[int, bool]) -> None:
        """Go to a step, where the time is told or which is but on the way."""
        step, is_told = item
        # Who is too slow for the speed is on the way for long, and tells where he is.
        if is_told or monotonic() - self._told_at >= 1.0 / self._rate:
            self._tick(stamp_ns, step)
        else:
            self._step = step
            self._on_way(stamp_ns)

    def _tick(self, stamp_ns: int, step: int) -> None:
        self._step = step
        self._tell()
        # Those who are waited for have yet to hear of it.
        self._told_of = not self.waits
        self._failure = self._on_time(stamp_ns) or ''
        self._told_at = monotonic()

    def _tell(self) -> None:
        if self._active:
            self._publisher.publish(ClockMessage(clock=to_time(self.now_ns)))

    def _tell_steadily(self) -> None:
        """Tell the time again, and see who is there; begin once all are."""
        self._tell()
        if self._active and self.waits:
            there = self._publisher.get_subscription_count() >= self._listeners
            self._settled = self._settled + 1 if there else 0
            self._update()

    def _pause(self, paused: bool) -> Outcome:
        self._paused = paused
        self._update()
        return describe_pause(self.now_ns, paused=paused)

    def _take_step(self) -> Outcome:
        if not (self._active and self._paused and self._timeline is not None):
            return refuse_step()
        self._step += 1
        self._tick(self.now_ns, self._step)
        self._go_on(self.now_ns)
        message = self._failure or f'stepped to {show(self.now_ns)}'
        return Outcome(success=not self._failure, message=message)

    def _reset(self) -> Outcome:
        before_ns, self._step = self.now_ns, 0
        self._on_reset(self.now_ns)
        self._begin(before_ns)
        return Outcome(self._timeline is not None, describe_jump(before_ns, self.now_ns))

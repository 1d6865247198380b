# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Publisher of simulated time on /clock: steps of dt that can be paused and restarted."""

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

# Period at which the time is published again while it is paused, for late subscribers [s].
PUBLISH_PERIOD = 0.1
# Number of these periods for which all awaited subscriptions of /clock must have existed before
# the run starts: their nodes need time to connect to the other topics too.
SETTLING = 5
# Default maximum number of late ticks that are caught up.
BURST = 5


class SimulatedClock:
    """
    Publishes simulated time and offers ~/pause, ~/step and ~/reset; stopped until `run`.

    Real time is read from the steady clock, not from the node's clock, which may use /clock.

    Parameters
    ----------
    node : Node
    on_time : callable
        Called with each new time [ns] after it has been published; may return the reason why the
        world could not be stepped.
    on_reset : callable
        Called with the start time [ns] after ~/reset, before it is published.
    speed : float
        Simulated seconds per real second.
    rate : float
        Maximum rate of messages of the running clock [Hz, real time].
    burst : int
        Maximum number of late ticks that are caught up; further delay slows simulated time down.
    listeners : int
        Number of subscriptions of /clock to wait for; then the start time is published again.
    budget : StepBudget, optional
        Maximum number of steps at once; further steps slow simulated time down.
    on_substep : callable, optional
        Called with times [ns] before the next published time, if it is too many steps ahead.

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
        on_substep: Callable[[int], object] = lambda _: None,
    ) -> None:
        self._node = node
        self._on_time, self._on_reset, self._on_substep = on_time, on_reset, on_substep
        self._speed, self._rate, self._budget = speed, rate, budget
        self._timeline: Timeline | None = None
        self._step, self._failure, self._published_at = 0, '', 0.0
        # Whether the current step has been published to all awaited subscriptions: once only.
        self._active = self._paused = self._step_published = False
        self._listeners, self._settled = listeners, 0 if listeners else SETTLING
        self._publisher = node.create_publisher(ClockMessage, '/clock', CLOCK)
        self._pacer: Pacer[tuple[int, bool]] = Pacer(node, self._take, lambda: None, burst)
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._timer = node.create_timer(PUBLISH_PERIOD, self._publish_again, clock=steady)
        self._services = TimeServices(node, pause=self.pause, step=self.step, reset=self.reset)

    @property
    def now_ns(self) -> int:
        """The simulated time [ns]; 0 before `load`."""
        return 0 if self._timeline is None else self._timeline.at(self._step)

    @property
    def paused(self) -> bool:
        """Whether time is paused by ~/pause."""
        return self._paused

    @property
    def left_out_ns(self) -> int:
        """Simulated time that was not caught up, as the machine is too slow, in all [ns]."""
        return self._pacer.left_out_ns

    @property
    def waits(self) -> bool:
        """Whether the run waits for subscriptions of /clock."""
        return self._settled < SETTLING

    def report(self) -> Report:
        """Report why time does not advance, and other publishers of /clock."""
        publishers = self._node.count_publishers(self._publisher.topic_name)
        states = {
            'paused': self._paused,
            f'waiting for {self._listeners} subscribers of /clock': self.waits,
            f'/clock has {publishers} publishers; it must have 1': publishers > 1,
        }
        return Report(warnings=tuple(text for text, holds in states.items() if holds))

    def load(self, timeline: Timeline) -> None:
        """Replace the timeline and go to its start."""
        before_ns = self.now_ns
        self._timeline, self._step = timeline, 0
        self._begin(before_ns)

    def run(self) -> None:
        """Continue, unless paused."""
        self._active = True
        self._update()

    def halt(self) -> None:
        """Stop, and publish nothing."""
        self._active = False
        self._update()

    def change_speed(self, speed: float) -> None:
        """Continue at another speed."""
        if speed != self._speed:
            self._speed = speed
            self._continue_from(self._pacer.position_ns)

    def close(self) -> None:
        """Destroy the publisher and the services."""
        self._pacer.close()
        self._node.destroy_timer(self._timer)
        self._node.destroy_publisher(self._publisher)
        self._services.close()

    def _update(self) -> None:
        if self._active and not (self._paused or self.waits):
            self._pacer.run()
        else:
            self._pacer.halt()

    def _begin(self, before_ns: int) -> None:
        """Continue from the start, running or not; log a warning if time jumped back."""
        if self.now_ns < before_ns:
            self._node.get_logger().warning(describe_jump(before_ns, self.now_ns))
        self._step_published = False
        if self._active:
            self._tick(self.now_ns, 0)
        self._continue_from(self.now_ns)

    def _continue_from(self, from_ns: int | None) -> None:
        """Let time run from a time [ns]; the step before it is not published again."""
        if self._timeline is not None:
            self._pacer.change_speed(self._speed)
            self._pacer.load(self._ticks(self._timeline), from_ns)

    def _ticks(self, timeline: Timeline) -> Iterator[tuple[int, tuple[int, bool]]]:
        """Yield the time of each step to take, its number, and whether it is published."""
        step = self._step
        if not self._step_published:
            yield timeline.at(step), (step, True)
        while True:
            goal = step + timeline.stride(self._speed, self._rate)
            while step < goal:
                step = min(goal, step + self._budget.steps) if self._budget else goal
                yield timeline.at(step), (step, step == goal)

    def _take(self, stamp_ns: int, item: tuple[int, bool]) -> None:
        """Take a step, which is published or a substep."""
        step, is_published = item
        # If the machine is too slow for the speed, substeps take long and are published too.
        if is_published or monotonic() - self._published_at >= 1.0 / self._rate:
            self._tick(stamp_ns, step)
        else:
            self._step = step
            self._on_substep(stamp_ns)

    def _tick(self, stamp_ns: int, step: int) -> None:
        self._step = step
        self._publish()
        # Awaited subscriptions have not received it yet.
        self._step_published = not self.waits
        self._failure = self._on_time(stamp_ns) or ''
        self._published_at = monotonic()

    def _publish(self) -> None:
        if self._active:
            self._publisher.publish(ClockMessage(clock=to_time(self.now_ns)))

    def _publish_again(self) -> None:
        """Publish the time again; start once all awaited subscriptions exist."""
        self._publish()
        if self._active and self.waits:
            complete = self._publisher.get_subscription_count() >= self._listeners
            self._settled = self._settled + 1 if complete else 0
            self._update()

    def pause(self, paused: bool) -> Outcome:
        """Pause time, or continue it."""
        self._paused = paused
        self._update()
        return describe_pause(self.now_ns, paused=paused)

    def step(self, steps: int = 1) -> Outcome:
        """Advance a paused clock by a number of steps, and publish the time after the last."""
        if not (self._active and self._paused and self._timeline is not None):
            return refuse_step()
        self._step += steps
        self._tick(self.now_ns, self._step)
        self._continue_from(self.now_ns)
        message = self._failure or f'stepped to {show(self.now_ns)}'
        return Outcome(success=not self._failure, message=message)

    def restart(self) -> None:
        """Go back to the start of the timeline; `on_reset` is not called."""
        before_ns, self._step = self.now_ns, 0
        self._begin(before_ns)

    def reset(self) -> Outcome:
        """Go back to the start of the timeline, and call `on_reset`."""
        before_ns, self._step = self.now_ns, 0
        self._on_reset(self.now_ns)
        self._begin(before_ns)
        return Outcome(self._timeline is not None, describe_jump(before_ns, self.now_ns))

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Simulated time on /clock: steps of dt from its start, which can be paused and begun anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rclpy.clock import Clock, ClockType
from rosgraph_msgs.msg import Clock as ClockMessage
from std_srvs.srv import SetBool, Trigger

from world_model_core.simulation.timeline import SECOND, Timeline
from world_model_nodes.convert import to_time
from world_model_nodes.pacing import Pacer
from world_model_nodes.qos import CLOCK

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rclpy.node import Node

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
        Called with each new time [ns], once it has been told.
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

    """

    def __init__(
        self,
        node: Node,
        on_time: Callable[[int], None],
        on_reset: Callable[[int], None],
        speed: float,
        rate: float,
        *,
        burst: int = BURST,
        listeners: int = 0,
    ) -> None:
        self._node = node
        self._on_time, self._on_reset = on_time, on_reset
        self._speed, self._rate = speed, rate
        self._timeline: Timeline | None = None
        self._step = 0
        self._active = self._paused = False
        self._listeners, self._settled = listeners, 0 if listeners else SETTLING
        self._publisher = node.create_publisher(ClockMessage, '/clock', CLOCK)
        self._pacer: Pacer[int] = Pacer(node, self._tick, lambda: None, burst)
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._teller = node.create_timer(TELL_PERIOD, self._tell_steadily, clock=steady)
        self._services = (
            node.create_service(SetBool, '~/pause', self._serve_pause),
            node.create_service(Trigger, '~/step', self._serve_step),
            node.create_service(Trigger, '~/reset', self._serve_reset),
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
        self._speed = speed
        self._go_on()

    def close(self) -> None:
        """Take topic and services back."""
        self._pacer.close()
        self._node.destroy_timer(self._teller)
        self._node.destroy_publisher(self._publisher)
        for service in self._services:
            self._node.destroy_service(service)

    def _update(self) -> None:
        if self._active and not (self._paused or self.waits):
            self._pacer.run()
        else:
            self._pacer.halt()

    def _begin(self, before_ns: int) -> None:
        """Go on from the start, running or not; tell people if that is back."""
        if self.now_ns < before_ns:
            self._node.get_logger().warning(_went_back(before_ns, self.now_ns))
        self._go_on()
        if self._active:
            self._tick(self.now_ns, 0)

    def _go_on(self) -> None:
        """Let time pass from the present step."""
        if self._timeline is not None:
            self._pacer.change_speed(self._speed)
            self._pacer.load(self._ticks(self._timeline))

    def _ticks(self, timeline: Timeline) -> Iterator[tuple[int, int]]:
        """Yield when the time is to be told, and which step that is, from the present one."""
        step = self._step
        while True:
            yield timeline.at(step), step
            step += timeline.stride(self._speed, self._rate)

    def _tick(self, stamp_ns: int, step: int) -> None:
        self._step = step
        self._tell()
        self._on_time(stamp_ns)

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

    def _serve_pause(
        self, request: SetBool.Request, response: SetBool.Response
    ) -> SetBool.Response:
        self._paused = request.data
        self._update()
        response.success = True
        response.message = f'paused at {_shown(self.now_ns)}' if self._paused else 'runs'
        return response

    def _serve_step(
        self, _request: Trigger.Request, response: Trigger.Response
    ) -> Trigger.Response:
        response.success = self._active and self._paused and self._timeline is not None
        if not response.success:
            response.message = 'time can be stepped only while it is active and paused'
            return response
        self._step += 1
        self._tick(self.now_ns, self._step)
        self._go_on()
        response.message = f'stepped to {_shown(self.now_ns)}'
        return response

    def _serve_reset(
        self, _request: Trigger.Request, response: Trigger.Response
    ) -> Trigger.Response:
        response.success = self._timeline is not None
        before_ns, self._step = self.now_ns, 0
        self._on_reset(self.now_ns)
        self._begin(before_ns)
        response.message = _went_back(before_ns, self.now_ns)
        return response


def _went_back(before_ns: int, now_ns: int) -> str:
    return f'time went back from {_shown(before_ns)} to {_shown(now_ns)}'


def _shown(stamp_ns: int) -> str:
    return f'{stamp_ns / SECOND:.9g} s'

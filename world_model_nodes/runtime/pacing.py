# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Delivers what has a time when its time has come, on the steady clock and without drift."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from rclpy.clock import Clock, ClockType

from world_model_core.simulation.simulated_time import PlaybackClock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rclpy.node import Node

Item = TypeVar('Item')

# What is delivered before the node's other callbacks have their turn, if nobody says otherwise.
# Who is further behind, for the process stood still or the speed is beyond the machine, goes on
# from there: no flood.
BURST = 500
# The least time between two turns [ns], so that a node always hears its services.
LEAST_DELAY = 100_000


class Pacer(Generic[Item]):
    """
    Plays items with times; it stands still at first.

    Real time comes from the steady clock, so that neither simulated time nor a correction of
    the system's clock changes the pace.

    Parameters
    ----------
    node : Node
        Whose executor runs the callbacks.
    deliver : callable
        Called with the time [ns] and the item when it is due.
    end : callable
        Called after the last item; may load others.
    burst : int
        Items delivered before the node's other callbacks have their turn: fewer, where each of
        them takes long.

    """

    def __init__(
        self,
        node: Node,
        deliver: Callable[[int, Item], None],
        end: Callable[[], None],
        burst: int = BURST,
    ) -> None:
        self._node = node
        self._deliver = deliver
        self._end = end
        self._burst = burst
        self._items: Iterator[tuple[int, Item]] = iter(())
        self._next: tuple[int, Item] | None = None
        self._playhead = PlaybackClock(0)
        self._clock = Clock(clock_type=ClockType.STEADY_TIME)
        self._timer = node.create_timer(1.0, self._turn, clock=self._clock)
        self._timer.cancel()

    @property
    def position_ns(self) -> int | None:
        """How far it is, never beyond the next item [ns, the items' times]; None: no items."""
        if self._next is None:
            return None
        return min(self._next[0], self._playhead.position(self._now()))

    @property
    def runs(self) -> bool:
        """Whether time goes on."""
        return self._playhead.runs

    def load(self, items: Iterator[tuple[int, Item]], from_ns: int | None = None) -> bool:
        """
        Go over to other items, running or not; return False if there is none.

        Begin at the first of them, or at an instant before it [ns, the items' times].
        """
        self._items = items
        self._next = next(items, None)
        if self._next is None:
            return False
        start_ns = self._next[0] if from_ns is None else min(from_ns, self._next[0])
        self._playhead.jump(start_ns, self._now())
        self._schedule()
        return True

    def clear(self) -> None:
        """Stand still, without items."""
        self.halt()
        self._items, self._next = iter(()), None

    def close(self) -> None:
        """Take the timer back; not to be used afterwards."""
        self._node.destroy_timer(self._timer)

    def run(self) -> None:
        """Go on from where it stands."""
        self._playhead.run(self._now())
        self._schedule()

    def halt(self) -> None:
        """Stand still."""
        self._playhead.halt(self._now())
        self._timer.cancel()

    def step(self, duration_ns: int) -> None:
        """Deliver at once what lies in the next `duration_ns` [ns, the items' times]."""
        if self._next is None:
            return
        # An item that is due but not delivered yet belongs to the step.
        goal = min(self._playhead.position(self._now()), self._next[0] - 1) + duration_ns
        while self._next is not None and self._next[0] <= goal:
            self._deliver(*self._next)
            self._next = next(self._items, None)
        self._playhead.jump(goal, self._now())
        self._schedule()

    def change_speed(self, speed: float) -> None:
        """Go on from here at another speed [seconds a second]."""
        self._playhead.change_speed(speed, self._now())
        self._schedule()

    def _now(self) -> int:
        return int(self._clock.now().nanoseconds)

    def _schedule(self) -> None:
        """Wake up for the next item."""
        if self._next is None or not self._playhead.runs:
            return
        delay = self._playhead.delay(self._next[0], self._now())
        self._timer.timer_period_ns = max(delay, LEAST_DELAY)
        self._timer.reset()

    def _turn(self) -> None:
        """Deliver what is due."""
        self._timer.cancel()
        position = self._playhead.position(self._now())
        for _ in range(self._burst):
            if self._next is None or self._next[0] > position:
                break
            self._deliver(*self._next)
            self._next = next(self._items, None)
        else:
            if self._next is not None:
                self._playhead.jump(min(self._next[0], position), self._now())
        if self._next is None:
            self._end()
        else:
            self._schedule()

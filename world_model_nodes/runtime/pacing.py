# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Delivers items at their times, paced by the steady clock without drift."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from rclpy.clock import Clock, ClockType

from world_model_core.simulation.simulated_time import PlaybackClock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rclpy.node import Node

Item = TypeVar('Item')

# Default number of items that are delivered before the node's other callbacks run. If the pacer is
# further behind, because the process was stopped or the machine is too slow for the speed, it
# continues from there instead of sending a burst.
BURST = 500
# Shortest time between two timer callbacks [ns], so that services of the node are always served.
LEAST_DELAY = 100_000


class Pacer(Generic[Item]):
    """
    Delivers items at their times; stopped until `run`.

    Real time is read from the steady clock, so that neither simulated time nor a correction of
    the system clock changes the speed.

    Parameters
    ----------
    node : Node
        The node whose executor runs the callbacks.
    deliver : callable
        Called with the time [ns] and the item when it is due.
    end : callable
        Called after the last item; may load new items.
    burst : int
        Maximum number of items that are delivered before other callbacks of the node run.

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
        self._left_out_ns = 0
        self._items: Iterator[tuple[int, Item]] = iter(())
        self._next: tuple[int, Item] | None = None
        self._playback = PlaybackClock(0)
        self._clock = Clock(clock_type=ClockType.STEADY_TIME)
        self._timer = node.create_timer(1.0, self._deliver_due, clock=self._clock)
        self._timer.cancel()

    @property
    def position_ns(self) -> int | None:
        """Current time, at most the time of the next item [ns]; None without items."""
        if self._next is None:
            return None
        return min(self._next[0], self._playback.position(self._now()))

    @property
    def runs(self) -> bool:
        """Whether time advances."""
        return self._playback.runs

    @property
    def left_out_ns(self) -> int:
        """Time by which the items fell behind and which was not caught up, in all [ns]."""
        return self._left_out_ns

    def load(self, items: Iterator[tuple[int, Item]], from_ns: int | None = None) -> bool:
        """
        Replace the items, running or not; return False if there are none.

        Time starts at the first item, or at an earlier time `from_ns` [ns].
        """
        self._items = items
        self._next = next(items, None)
        if self._next is None:
            return False
        start_ns = self._next[0] if from_ns is None else min(from_ns, self._next[0])
        self._playback.jump(start_ns, self._now())
        self._schedule()
        return True

    def clear(self) -> None:
        """Stop, and discard the items."""
        self.halt()
        self._items, self._next = iter(()), None

    def close(self) -> None:
        """Destroy the timer; the pacer cannot be used afterwards."""
        self._node.destroy_timer(self._timer)

    def run(self) -> None:
        """Continue from the current time."""
        self._playback.run(self._now())
        self._schedule()

    def halt(self) -> None:
        """Stop at the current time."""
        self._playback.halt(self._now())
        self._timer.cancel()

    def step(self, duration_ns: int) -> None:
        """Deliver the items of the next `duration_ns` [ns] at once."""
        if self._next is None:
            return
        # An item that is due but not delivered yet belongs to the step.
        goal = min(self._playback.position(self._now()), self._next[0] - 1) + duration_ns
        while self._next is not None and self._next[0] <= goal:
            self._deliver(*self._next)
            self._next = next(self._items, None)
        self._playback.jump(goal, self._now())
        if self._next is None:
            self._end()
        else:
            self._schedule()

    def change_speed(self, speed: float) -> None:
        """Continue at another speed [item seconds per real second]."""
        self._playback.change_speed(speed, self._now())
        self._schedule()

    def _now(self) -> int:
        return int(self._clock.now().nanoseconds)

    def _schedule(self) -> None:
        """Set the timer to the next item."""
        if self._next is None or not self._playback.runs:
            return
        delay = self._playback.delay(self._next[0], self._now())
        self._timer.timer_period_ns = max(delay, LEAST_DELAY)
        self._timer.reset()

    def _deliver_due(self) -> None:
        """Deliver the items that are due."""
        self._timer.cancel()
        position = self._playback.position(self._now())
        for _ in range(self._burst):
            # The delivery of an item may have halted the time.
            if self._next is None or self._next[0] > position or not self.runs:
                break
            self._deliver(*self._next)
            self._next = next(self._items, None)
        else:
            if self._next is not None:
                reached = min(self._next[0], position)
                self._left_out_ns += position - reached
                self._playback.jump(reached, self._now())
        if self._next is None:
            self._end()
        else:
            self._schedule()

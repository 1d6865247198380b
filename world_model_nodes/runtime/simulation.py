# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Plays a simulated world: steps it, paces its sensor readings, pauses and resets it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from world_model_core.time import to_nanoseconds
from world_model_nodes.runtime.pacing import BURST, Pacer
from world_model_nodes.runtime.time_services import (
    Outcome,
    TimeServices,
    describe_jump,
    describe_pause,
    refuse_step,
    show,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from rclpy.node import Node

    from world_model_core.simulation.world import SimulatedWorld

Readings = TypeVar('Readings')
Item = TypeVar('Item')


class SimulationPlayer(Generic[Readings, Item]):
    """
    Plays a simulated world against the steady clock, and offers ~/pause, ~/step and ~/reset.

    The world is stepped ahead of time, and each item of its readings is delivered at its own time.
    The player is stopped until `start`.

    Parameters
    ----------
    node : Node
    split : callable
        Splits the readings of a step into items with their times [ns since the start], in order.
    deliver : callable
        Called with the time [ns] and the item when it is due.
    burst : int
        Maximum number of items that are delivered before other callbacks of the node run.

    """

    def __init__(
        self,
        node: Node,
        split: Callable[[Readings], Iterable[tuple[int, Item]]],
        deliver: Callable[[int, Item], None],
        burst: int = BURST,
    ) -> None:
        self._node, self._split = node, split
        self._world: SimulatedWorld[Readings, Any] | None = None
        self._paused = False
        self._pacer: Pacer[Item] = Pacer(node, deliver, lambda: None, burst)
        self._services = TimeServices(
            node, pause=self._pause, step=self._take_step, reset=self._reset
        )

    @property
    def runs(self) -> bool:
        """Whether simulated time advances."""
        return self._pacer.runs

    @property
    def warnings(self) -> tuple[str, ...]:
        """Why simulated time does not advance, for /diagnostics."""
        if self._world is None:
            return ('not active',)
        return ('paused',) if self._paused else ()

    def start(
        self,
        world: SimulatedWorld[Readings, Any],
        epoch_ns: int,
        dt: float,
        *,
        speed: float = 1.0,
        stride: float | None = None,
    ) -> None:
        """
        Play a world from its start.

        Parameters
        ----------
        world : SimulatedWorld
            At time 0.
        epoch_ns : int
            The time at which the run starts [ns]; it is added to all times of the world.
        dt : float
            Duration of a step of the world [s].
        speed : float
            Simulated seconds per real second.
        stride : float, optional
            Time by which ~/step advances [s]; default: dt.

        """
        self._world, self._epoch_ns, self._dt = world, epoch_ns, dt
        self._stride_ns = to_nanoseconds(dt if stride is None else stride)
        self._pacer.load(self._items(world))
        self._pacer.change_speed(speed)
        self._update()

    def stop(self) -> None:
        """Abandon the run."""
        self._world = None
        self._pacer.clear()

    def _items(self, world: SimulatedWorld[Readings, Any]) -> Iterator[tuple[int, Item]]:
        while True:
            for time_ns, item in self._split(world.step(self._dt)):
                yield self._epoch_ns + time_ns, item

    def _update(self) -> None:
        if self._world is not None and not self._paused:
            self._pacer.run()
        else:
            self._pacer.halt()

    def _now(self) -> int:
        return self._pacer.position_ns or 0

    def _pause(self, paused: bool) -> Outcome:
        self._paused = paused
        self._update()
        return describe_pause(self._now(), paused=paused)

    def _take_step(self) -> Outcome:
        if self._world is None or not self._paused:
            return refuse_step()
        self._pacer.step(self._stride_ns)
        return Outcome(success=True, message=f'stepped to {show(self._now())}')

    def _reset(self) -> Outcome:
        if self._world is None:
            return Outcome(success=False, message='not active')
        before_ns = self._now()
        self._world.reset()
        self._pacer.load(self._items(self._world))
        message = describe_jump(before_ns, self._now())
        self._node.get_logger().warning(message)
        return Outcome(success=True, message=message)

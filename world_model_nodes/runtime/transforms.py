# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Queue of items that wait for the transform of their frame at their time stamp."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from rclpy.clock import Clock, ClockType
from rclpy.time import Time
from tf2_ros import (
    Buffer,
    ConnectivityException,
    ExtrapolationException,
    LookupException,
    TransformException,
    TransformListener,
)

from world_model_core.errors import WorldModelError
from world_model_core.frames import FrameError
from world_model_core.time import NANOSECONDS_PER_SECOND
from world_model_nodes.objects.convert_sensing import transform_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from rclpy.node import Node

    from world_model_core.frames import Transform

Item = TypeVar('Item')

# Period at which a missing transform is looked up again [s].
PERIOD = 0.02
# Maximum number of waiting items; if there are more, the oldest is dropped.
MOST_WAITING = 100
# Causes of a missing transform, for /diagnostics.
CAUSES = {
    LookupException: 'unknown frame',
    ConnectivityException: 'unconnected frame',
    ExtrapolationException: 'no transform at its time',
}
OTHER_CAUSE = 'invalid frame'
TOO_MANY = 'too many wait for tf'


class TransformUnknownError(WorldModelError):
    """The transform of a frame at a time is not known."""


class TransformLookup:
    """
    Looks up transforms of tf.

    Parameters
    ----------
    node : Node
        The node that subscribes to tf.

    """

    def __init__(self, node: Node) -> None:
        self._buffer = Buffer(node=node)
        self._listener = TransformListener(self._buffer, node)

    def find(self, target: str, frame_id: str, stamp_ns: int) -> Transform:
        """
        Look up the transform from a frame to the target frame at a time [ns]; 0 for the latest.

        Raises
        ------
        TransformUnknownError
            The transform is not known; the message is the cause.

        """
        stamp = Time(nanoseconds=stamp_ns)
        try:
            found = self._buffer.lookup_transform(target, frame_id, stamp)
            return transform_of(found.transform)
        # FrameError: numbers that are finite in each transform overflow when they are combined.
        except (TransformException, FrameError) as error:
            raise TransformUnknownError(CAUSES.get(type(error), OTHER_CAUSE)) from error

    def close(self) -> None:
        """Destroy the subscriptions."""
        self._listener.unregister()


@dataclass(frozen=True, slots=True)
class _Waiting(Generic[Item]):
    """An item with its frame, its time stamp and the time at which it is dropped [ns]."""

    item: Item
    frame_id: str
    stamp_ns: int
    deadline_ns: int


class Transforms(Generic[Item]):
    """
    Delivers items with the transform from their frame to the target frame at their time stamp.

    Nothing blocks: an item without a transform waits, and is dropped after `patience`. The items
    of one frame are delivered in the order in which they were put in.

    Parameters
    ----------
    node : Node
        The node that subscribes to tf.
    target : str
        The target frame.
    deliver : callable
        Called with the item, its time stamp [ns] and the transform.
    drop : callable
        Called with a dropped item and the cause.

    Attributes
    ----------
    patience : float
        Maximum time to wait for a transform [s, real time].

    """

    def __init__(
        self,
        node: Node,
        target: str,
        deliver: Callable[[Item, int, Transform], None],
        drop: Callable[[Item, str], None],
    ) -> None:
        self._target = target
        self._deliver = deliver
        self._drop = drop
        self.patience = 1.0
        self._queue: deque[_Waiting[Item]] = deque()
        self._lookup = TransformLookup(node)
        self._steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._timer = node.create_timer(PERIOD, self._try_all, clock=self._steady)
        self._timer.cancel()

    @property
    def waiting(self) -> int:
        """Number of waiting items."""
        return len(self._queue)

    def put(self, item: Item, frame_id: str, stamp_ns: int) -> None:
        """Deliver an item now, or as soon as its transform is known."""
        deadline_ns = self._now() + int(self.patience * NANOSECONDS_PER_SECOND)
        self._queue.append(_Waiting(item, frame_id, stamp_ns, deadline_ns))
        if len(self._queue) > MOST_WAITING:
            self._drop(self._queue.popleft().item, TOO_MANY)
        self._try_all()

    def find(self, frame_id: str, stamp_ns: int) -> Transform:
        """
        Look up the transform of a frame at a time [ns].

        Raises
        ------
        TransformUnknownError
            The transform is not known; the message is the cause.

        """
        return self._lookup.find(self._target, frame_id, stamp_ns)

    def _try_all(self) -> None:
        held: set[str] = set()
        for _ in range(len(self._queue)):
            waiting = self._queue.popleft()
            if waiting.frame_id in held or not self._try(waiting):
                held.add(waiting.frame_id)
                self._queue.append(waiting)
        if self._queue:
            self._timer.reset()
        else:
            self._timer.cancel()

    def _try(self, waiting: _Waiting[Item]) -> bool:
        """Deliver or drop an item; return False if it must wait."""
        try:
            transform = self.find(waiting.frame_id, waiting.stamp_ns)
        except TransformUnknownError as error:
            late = self._now() >= waiting.deadline_ns
            if late:
                self._drop(waiting.item, str(error))
            return late
        self._deliver(waiting.item, waiting.stamp_ns, transform)
        return True

    def _now(self) -> int:
        return int(self._steady.now().nanoseconds)

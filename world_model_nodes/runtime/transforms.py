# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What was seen in some frame waits until tf tells how that frame lay at its instant."""

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
from world_model_core.time import NANOSECONDS_PER_SECOND
from world_model_nodes.objects.convert_sensing import transform_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from rclpy.node import Node

    from world_model_core.frames import Transform

Item = TypeVar('Item')

# How often a transform that is not there is looked for again [s].
PERIOD = 0.02
# How many frames may wait; of more the oldest is given up.
MOST_WAITING = 100
# Why there is no transform, in words for /diagnostics.
CAUSES = {
    LookupException: 'unknown frame',
    ConnectivityException: 'unconnected frame',
    ExtrapolationException: 'no transform at its time',
}
OTHER_CAUSE = 'invalid frame'
TOO_MANY = 'too many wait for tf'


class TransformUnknownError(WorldModelError):
    """Nobody has told yet, or will tell, how a frame lay."""


@dataclass(frozen=True, slots=True)
class _Waiting(Generic[Item]):
    """Something seen, in which frame, at which stamp, and when it is given up [ns]."""

    item: Item
    frame_id: str
    stamp_ns: int
    deadline_ns: int


class Transforms(Generic[Item]):
    """
    Delivers what is put in, with the transform of its frame to the target frame at its stamp.

    Nothing blocks: what has no transform yet is looked at again, and given up after a time. What
    was seen in one frame is delivered in the order in which it came.

    Parameters
    ----------
    node : Node
        Who listens to tf.
    target : str
        The frame to which transforms lead.
    deliver : callable
        Called with the item, its stamp [ns] and the transform.
    drop : callable
        Called with an item that is given up, and the cause.

    Attributes
    ----------
    patience : float
        How long to wait for a transform [s], of real time.

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
        self._buffer = Buffer(node=node)
        self._listener = TransformListener(self._buffer, node)
        self._steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._timer = node.create_timer(PERIOD, self._try_all, clock=self._steady)
        self._timer.cancel()

    @property
    def waiting(self) -> int:
        """How many wait."""
        return len(self._queue)

    def put(self, item: Item, frame_id: str, stamp_ns: int) -> None:
        """Deliver it now, or as soon as its transform is known."""
        deadline_ns = self._now() + int(self.patience * NANOSECONDS_PER_SECOND)
        self._queue.append(_Waiting(item, frame_id, stamp_ns, deadline_ns))
        if len(self._queue) > MOST_WAITING:
            self._drop(self._queue.popleft().item, TOO_MANY)
        self._try_all()

    def find(self, frame_id: str, stamp_ns: int) -> Transform:
        """
        Look a transform up as it is known now.

        Raises
        ------
        TransformUnknownError
            It is not known; the message is the cause.

        """
        stamp = Time(nanoseconds=stamp_ns)
        try:
            found = self._buffer.lookup_transform(self._target, frame_id, stamp)
        except TransformException as error:
            raise TransformUnknownError(CAUSES.get(type(error), OTHER_CAUSE)) from error
        return transform_of(found.transform)

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
        """Deliver or drop it; return False if it must wait."""
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

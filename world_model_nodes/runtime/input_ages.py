# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Ages of a node's inputs, for /diagnostics."""

from __future__ import annotations

from time import monotonic_ns
from typing import TYPE_CHECKING, NamedTuple

from world_model_core.time import to_nanoseconds, to_seconds
from world_model_nodes.runtime.diagnostics import Report

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rclpy.node import Node

# Default time after which a stream is stale [s].
LIMIT = 1.0
NOT_RECEIVED, RECEIVED, ENDED = 'not received yet', 'received', 'ended'


class _Use(NamedTuple):
    """Time of the last use of an input [ns], in ROS time and in real time."""

    ros_ns: int
    real_ns: int


class InputAges:
    """
    Keeps when each input of a node was used last.

    A message that is dropped is not used. A stream is stale if its age exceeds the limit both in
    ROS time, so that a paused simulation makes no warning, and in real time, so that a fast one
    makes none. A state, which its sender publishes only when it changes, does not age.

    Parameters
    ----------
    node : Node
        Node with the clock.
    streams, states : iterable of str
        Topics.
    limit : float
        Age from which a stream is stale [s].

    Attributes
    ----------
    limit : float
        May be changed.

    """

    def __init__(
        self,
        node: Node,
        streams: Iterable[str],
        states: Iterable[str] = (),
        limit: float = LIMIT,
    ) -> None:
        self._node, self.limit = node, limit
        self._streams: dict[str, _Use | None] = dict.fromkeys(streams)
        self._states = dict.fromkeys(states, NOT_RECEIVED)
        self._ended: set[str] = set()

    def use(self, topic: str) -> None:
        """Note that a message of a topic has been used."""
        if topic in self._states:
            self._states[topic] = RECEIVED
        else:
            self._streams[topic] = _Use(self._now_ns(), monotonic_ns())
            self._ended.discard(topic)

    def end(self, topic: str) -> None:
        """Note that the sender of a stream has announced its end: it does not become stale."""
        self._ended.add(topic)

    def report(self) -> Report:
        """Report the age of each stream, whether each state was received, and stale streams."""
        now_ns = self._now_ns()
        for topic, use in self._streams.items():
            if use is not None and use.ros_ns > now_ns:  # time went back
                self._streams[topic] = use._replace(ros_ns=now_ns)
        ages = {f'{topic}.age [s]': self._show(topic, now_ns) for topic in self._streams}
        stale = (topic for topic in self._streams if self._is_stale(topic, now_ns))
        return Report(
            warnings=tuple(
                f'{topic}: no message used for {self._show(topic, now_ns)} s; the limit is '
                f'{self.limit:g} s'
                for topic in stale
            ),
            values={**ages, **self._states},
        )

    def _show(self, topic: str, now_ns: int) -> str:
        use = self._streams[topic]
        if topic in self._ended:
            return ENDED
        return NOT_RECEIVED if use is None else f'{to_seconds(now_ns - use.ros_ns):.3f}'

    def _is_stale(self, topic: str, now_ns: int) -> bool:
        use = self._streams[topic]
        if use is None or topic in self._ended:
            return False
        age_ns = min(now_ns - use.ros_ns, monotonic_ns() - use.real_ns)
        return age_ns > to_nanoseconds(self.limit)

    def _now_ns(self) -> int:
        return int(self._node.get_clock().now().nanoseconds)

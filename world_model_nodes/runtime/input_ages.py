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
# Time after which a refused stream that has become silent is forgotten [s].
FORGOTTEN = 60.0
# Bounds the memory if every message names another source.
MOST_SOURCES = 50


class _Use(NamedTuple):
    """Time of the last use of an input [ns], in ROS time and in real time."""

    ros_ns: int
    real_ns: int


class _Refusals(NamedTuple):
    """Messages refused since the last use: their number, the last cause, real times [ns]."""

    number: int
    cause: str
    first_ns: int
    last_ns: int


class InputAges:
    """
    Keeps when each input of a node was used last, and which inputs are refused.

    A message that is dropped is not used. A stream is stale if its age exceeds the limit both in
    ROS time, so that a paused simulation makes no warning, and in real time, so that a fast one
    makes none. A state, which its sender publishes only when it changes, does not age.

    An input is refused if messages arrive, but none is used: none at all, or none for the limit;
    of a state, if the newest message was not used. If a topic has several sources, for example
    cameras, each is judged by itself.

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
        # By topic and source; the source is empty if a topic has only one.
        self._refusals: dict[tuple[str, str], _Refusals] = {}
        self._sources: set[tuple[str, str]] = set()

    def use(self, topic: str, source: str = '') -> None:
        """Note that a message of a topic has been used; `source` if the topic has several."""
        if topic in self._states:
            self._states[topic] = RECEIVED
        else:
            self._streams[topic] = _Use(self._now_ns(), monotonic_ns())
            self._ended.discard(topic)
        if len(self._sources) < MOST_SOURCES:
            self._sources.add((topic, source))
        for key in ((topic, ''), (topic, source)):
            self._refusals.pop(key, None)

    def refuse(self, topic: str, cause: str, source: str = '') -> None:
        """Note that a message of a topic was not used; topics that are no inputs are ignored."""
        key, now_ns = (topic, source), monotonic_ns()
        before = self._refusals.get(key)
        if before is not None:
            self._refusals[key] = _Refusals(before.number + 1, cause, before.first_ns, now_ns)
        elif topic in self._streams.keys() | self._states and len(self._refusals) < MOST_SOURCES:
            self._refusals[key] = _Refusals(1, cause, now_ns, now_ns)

    def is_used(self, topic: str) -> bool:
        """Return whether any message of a topic has been used."""
        return self._streams.get(topic) is not None or self._states.get(topic) == RECEIVED

    def end(self, topic: str) -> None:
        """Note that the sender of a stream has announced its end: it does not become stale."""
        self._ended.add(topic)

    def report(self) -> Report:
        """Report the age of each stream, whether each state was received, and problems."""
        now_ns = self._now_ns()
        for topic, use in self._streams.items():
            if use is not None and use.ros_ns > now_ns:  # time went back
                self._streams[topic] = use._replace(ros_ns=now_ns)
        ages = {f'{topic}.age [s]': self._show(topic, now_ns) for topic in self._streams}
        refused = self._find_refused()
        stale = (topic for topic in self._streams if self._is_stale(topic, now_ns))
        silent = (
            f'{topic}: no message used for {self._show(topic, now_ns)} s; the limit is '
            f'{self.limit:g} s'
            for topic in stale
            if all(topic != other for other, _ in refused)
        )
        causes = (
            f'{topic}: {many.number} messages refused and none used: {many.cause}'
            for (topic, _), many in refused.items()
        )
        return Report(warnings=(*silent, *causes), values={**ages, **self._states})

    def _find_refused(self) -> dict[tuple[str, str], _Refusals]:
        """Return the refused inputs by topic and source, and forget those that are silent."""
        oldest_ns = monotonic_ns() - to_nanoseconds(FORGOTTEN)
        self._refusals = {
            key: many
            for key, many in self._refusals.items()
            if key[0] in self._states or many.last_ns >= oldest_ns
        }
        return {key: many for key, many in self._refusals.items() if self._is_refused(key, many)}

    def _is_refused(self, key: tuple[str, str], many: _Refusals) -> bool:
        topic, source = key
        never_used = key not in self._sources if source else not self.is_used(topic)
        long = many.last_ns - many.first_ns > to_nanoseconds(self.limit)
        return never_used or long or topic in self._states

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

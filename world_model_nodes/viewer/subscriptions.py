# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Which scenes run, and the topics of those that are shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from rclpy.callback_groups import MutuallyExclusiveCallbackGroup
from rclpy.exceptions import InvalidHandle
from rclpy.qos import QoSHistoryPolicy, QoSProfile, QoSReliabilityPolicy

from world_model_core.errors import WorldModelError
from world_model_core.view.running_scenes import RunningScenes
from world_model_nodes.runtime.diagnostics import Report
from world_model_nodes.runtime.drop_counters import DropCounters
from world_model_nodes.runtime.input_ages import InputAges

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from rclpy.node import Node

    from world_model_core.view.scene import Scene


# Of streams, whose older messages would not be seen.
NEWEST = QoSProfile(
    history=QoSHistoryPolicy.KEEP_LAST, depth=1, reliability=QoSReliabilityPolicy.BEST_EFFORT
)


class _TakenGroup(MutuallyExclusiveCallbackGroup):  # type: ignore[misc]
    """Subscriptions that the executor leaves alone as soon as their messages are taken."""

    def __init__(self) -> None:
        super().__init__()
        self.is_taken = False

    def can_execute(self, entity: Any) -> bool:
        """Return whether the executor may wait for a subscription."""
        return not self.is_taken and bool(super().can_execute(entity))


class SceneInputs:
    """
    The subscriptions of a scene; messages that cannot be used are dropped and counted.

    Only the newest message of a stream is used. Whoever calls `take` for each picture saves most
    of the time that the executor takes to wake up for each message.

    Parameters
    ----------
    node : Node
    streams, states : iterable of str
        Topics, as in `InputAges`; others may be silent, as those of events.

    Attributes
    ----------
    version : int
        Number of messages that have been used.

    """

    def __init__(self, node: Node, streams: Sequence[str], states: Iterable[str] = ()) -> None:
        self._node = node
        streams, states = tuple(streams), tuple(states)
        self._aging = {*streams, *states}
        self._ages = InputAges(node, streams, states)
        self._drops = DropCounters(node, self._ages.refuse)
        self._streams = frozenset(streams)
        self._group = _TakenGroup()
        self._subscriptions: list[Any] = []
        self.version = 0

    def create_subscription(
        self,
        kind: Any,
        topic: str,
        use: Callable[[Any], None],
        qos: QoSProfile,
        *,
        raw: bool = False,
    ) -> Any:
        """
        Subscribe to a topic, and return the subscription.

        Parameters
        ----------
        kind : type
            Type of the messages.
        topic : str
        use : callable
            Uses a message; raises WorldModelError if that is not possible.
        qos : QoSProfile
        raw : bool
            Whether `use` takes serialized messages.

        """

        def receive(message: Any) -> None:
            try:
                use(message)
            except WorldModelError as error:
                self._drops.add(f'{topic}.malformed', error)
            else:
                if topic in self._aging:
                    self._ages.use(topic)
                self.version += 1

        queue = NEWEST if topic in self._streams else qos
        made = self._node.create_subscription(
            kind, topic, receive, queue, callback_group=self._group, raw=raw
        )
        self._subscriptions.append(made)
        return made

    def take(self) -> None:
        """Use the messages that have arrived; the executor takes no more of them."""
        self._group.is_taken = True
        for subscription in tuple(self._subscriptions):
            # Not longer than the queue, also if messages come faster than they are used.
            for _ in range(subscription.qos_profile.depth):
                if (message := _taken(subscription)) is None:
                    break
                subscription.callback(message)

    def end(self, topic: str) -> None:
        """Note that the sender of a topic has announced its end: it does not become stale."""
        self._ages.end(topic)

    def destroy_subscription(self, subscription: Any) -> None:
        """Destroy one of the subscriptions."""
        self._subscriptions.remove(subscription)
        self._node.destroy_subscription(subscription)

    def close(self) -> None:
        """Destroy the subscriptions."""
        for subscription in self._subscriptions:
            self._node.destroy_subscription(subscription)
        self._subscriptions = []

    def report(self) -> Report:
        """Report the ages of the topics and the dropped messages."""
        return self._ages.report().joined(Report(values=self._drops.counts))


def _taken(subscription: Any) -> Any:
    """Take the next message of a subscription, or None without one."""
    try:
        with subscription.handle:
            taken = subscription.handle.take_message(subscription.msg_type, subscription.raw)
    except InvalidHandle:  # destroyed because of a message before
        return None
    return None if taken is None else taken[0]


class PublishedTopics(Mapping[str, 'Sequence[str]']):
    """
    The topics that there are, with the types with which they are published; none if they are not.

    Whether a topic has a publisher is looked up when its types are asked for: a fleet of robots
    has thousands of topics.

    Parameters
    ----------
    node : Node
        Names are relative to its namespace.

    """

    def __init__(self, node: Node) -> None:
        self._node = node
        self._prefix = node.get_namespace().rstrip('/') + '/'
        self._types = {
            name.removeprefix(self._prefix): types
            for name, types in node.get_topic_names_and_types()
        }

    def __getitem__(self, name: str) -> Sequence[str]:
        """Return the types with which a topic is published."""
        types: Sequence[str] = self._types[name]
        full = name if name.startswith('/') else f'{self._prefix}{name}'
        # Topics that only have subscriptions, such as our own, are listed as well.
        return types if self._node.count_publishers(full) else ()

    def __iter__(self) -> Iterator[str]:
        """Yield the names of all topics."""
        return iter(self._types)

    def __len__(self) -> int:
        """Return the number of topics."""
        return len(self._types)


class SceneTopics(Protocol):
    """
    The topics of a scene.

    Attributes
    ----------
    name : str
        Name of the scene.
    inputs : SceneInputs or None
        None while nothing is subscribed to.

    """

    name: str
    inputs: SceneInputs | None

    def runs(self, topics: Mapping[str, Sequence[str]]) -> bool:
        """Return whether the scenario runs, by the types of the topics that are published."""

    def subscribe(self, node: Node) -> None:
        """Subscribe to all topics of the scene."""

    def unsubscribe(self) -> None:
        """Destroy the subscriptions and forget what was received."""

    def scene(self) -> Scene | None:
        """Return the newest state, or None before there is any."""


class Subscriptions:
    """
    Subscribes to the topics of the scenes that run and are chosen.

    Parameters
    ----------
    node : Node
    topics : iterable of SceneTopics
        Those of the chosen scenes.

    """

    def __init__(self, node: Node, topics: Iterable[SceneTopics]) -> None:
        self._node = node
        self._topics = {each.name: each for each in topics}
        self._running = RunningScenes()

    @property
    def shown(self) -> tuple[str, ...]:
        """Names of the scenes that are shown."""
        return tuple(name for name, each in self._topics.items() if each.inputs is not None)

    @property
    def version(self) -> tuple[tuple[str, int], ...]:
        """Changes with every message used, and with the scenes that are shown."""
        return tuple(
            (name, each.inputs.version)
            for name, each in self._topics.items()
            if each.inputs is not None
        )

    def update(self, now_ns: int) -> None:
        """Subscribe to the scenes that have started, unsubscribe from those that have ended."""
        published = PublishedTopics(self._node)
        runs = {name for name, each in self._topics.items() if each.runs(published)}
        wanted = self._running.update(runs, now_ns)
        for name, each in self._topics.items():
            if name in wanted and each.inputs is None:
                each.subscribe(self._node)
            elif name not in wanted and each.inputs is not None:
                each.unsubscribe()

    def take(self) -> None:
        """Use the messages that have arrived."""
        for each in self._topics.values():
            if each.inputs is not None:
                each.inputs.take()

    def scenes(self) -> tuple[Scene, ...]:
        """Return the newest states of the scenes that are shown."""
        states = (self._topics[name].scene() for name in self.shown)
        return tuple(state for state in states if state is not None)

    def close(self) -> None:
        """Destroy all subscriptions."""
        for name in self.shown:
            self._topics[name].unsubscribe()

    def report(self) -> Report:
        """Report the inputs of the scenes that are shown."""
        report = Report(values={'scenes': ', '.join(self.shown) or 'none'})
        for each in self._topics.values():
            if each.inputs is not None:
                report = report.joined(each.inputs.report())
        return report

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What the agents of a virtual world say and hear, to and from ROS nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from world_model_core.errors import WorldModelError
from world_model_core.virtual_world.agents.messages import RefusedMessageError
from world_model_core.virtual_world.agents.speakers import speakers
from world_model_nodes.runtime.diagnostics import Report
from world_model_nodes.runtime.drop_counters import DropCounters
from world_model_nodes.virtual_world.speech_topics import ControllerSpeech, NodeSpeech

if TYPE_CHECKING:
    from collections.abc import Callable

    from rclpy.node import Node

    from world_model_core.virtual_world.agents.messages import Outgoing
    from world_model_core.virtual_world.agents.turns import AgentTurns
    from world_model_core.virtual_world.engine.engine import Engine


class SpeechKey(NamedTuple):
    """Why an entity has its topics: the start of their names, and whether a controller acts."""

    prefix: str
    controlled: bool


class AgentSpeech:
    """
    Publishes what agents hear and say, and says what ROS nodes do: a StepListener after Agents.

    Parameters
    ----------
    node : Node
    turns : AgentTurns
    prefix_of : callable
        Returns the start of the names of the topics of an entity, by its name.
    radius : float
        How far texts and sounds of nodes reach [m]; below 0: everywhere.

    """

    def __init__(
        self, node: Node, turns: AgentTurns, prefix_of: Callable[[str], str], radius: float
    ) -> None:
        self._node, self._turns, self._prefix_of = node, turns, prefix_of
        self._radius, self._drops = radius, DropCounters(node)
        self._engine: Engine | None = None
        self._controlled: frozenset[str] = frozenset()
        self._keys: dict[str, SpeechKey] = {}
        self._topics: dict[str, NodeSpeech | ControllerSpeech] = {}

    @property
    def next_due_ns(self) -> None:
        """None: what is said makes the agents due."""

    def on_instant(self, engine: Engine, stamp_ns: int) -> None:
        """Publish what was heard and said at this instant."""
        del engine, stamp_ns
        if not self._node.context.ok():
            return
        if self._controlled != frozenset(self._turns.agents):
            self._update()
        for name, topics in self._topics.items():
            if isinstance(topics, NodeSpeech):
                for heard in self._turns.heard.get(name, ()):
                    topics.publish(heard)
        for said in self._turns.said:
            speaker = self._topics.get(said.sender)
            if isinstance(speaker, ControllerSpeech):
                speaker.publish(said)

    def reset(self) -> None:
        """Nothing is kept: what was said is forgotten by the turns."""

    def replaced(self, engine: Engine | None) -> None:
        """Create the topics of new agents, and destroy those of others."""
        self._engine = engine
        self._update()

    def close(self) -> None:
        """Destroy all topics."""
        self._engine = None
        self._update()

    def report(self) -> Report:
        """Report the messages that were dropped, by cause."""
        return Report(values=self._drops.counts)

    def _update(self) -> None:
        """Create the topics of new agents, and of those whose controllers came or went."""
        self._controlled = controlled = frozenset(self._turns.agents)
        names = () if self._engine is None else speakers(self._engine, controlled)
        keys = {name: SpeechKey(self._prefix_of(name), name in controlled) for name in names}
        if keys == self._keys:
            return
        for name in [each for each, key in self._keys.items() if keys.get(each) != key]:
            del self._keys[name]
            self._topics.pop(name).close()
        # One by one: while ROS shuts down, topics can be destroyed, but not be created any more.
        for name, key in keys.items():
            if name not in self._topics:
                self._topics[name] = self._make(name, key)
                self._keys[name] = key
        self._turns.listeners = [each for each, key in keys.items() if not key.controlled]

    def _make(self, name: str, key: SpeechKey) -> NodeSpeech | ControllerSpeech:
        if key.controlled:
            return ControllerSpeech(self._node, name, key.prefix, self._say)
        return NodeSpeech(self._node, name, key.prefix, self._say, self._radius)

    def _say(self, topic: str, convert: Callable[[], Outgoing]) -> None:
        """Say what a message holds; drop and count an invalid one."""
        try:
            self._turns.say(convert())
        except RefusedMessageError as error:
            self._drops.add(f'{topic}.{error.cause}', error)
        except WorldModelError as error:
            self._drops.add(f'{topic}.malformed', error)

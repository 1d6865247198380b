# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What users of the window do to an entity of a virtual world: they talk to it and push it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from geometry_msgs.msg import Wrench
from std_msgs.msg import String, UInt8MultiArray

from world_model_nodes.runtime.qos import EVENTS, STREAM
from world_model_nodes.virtual_world.convert_speech import sound_message, text_message

if TYPE_CHECKING:
    from rclpy.node import Node

    from world_model_core.gaussian import Array
    from world_model_core.virtual_world.agents.events import Sound


class AgentActions:
    """
    Publishes what is said to one entity at a time, and forces on it.

    Publishers are made when an entity is chosen: a message right after that would be lost.

    Parameters
    ----------
    node : Node

    """

    def __init__(self, node: Node) -> None:
        self._node = node
        self._entity = ''
        self._publishers: dict[str, Any] = {}

    @property
    def hears(self) -> bool:
        """Whether anybody hears what is said to the entity."""
        return self._has_subscriber('text_in')

    @property
    def can_be_pushed(self) -> bool:
        """Whether forces act on the entity."""
        return self._has_subscriber('wrench')

    def choose(self, entity: str) -> None:
        """Act on the entity of which the names of the topics start so; empty: on none."""
        if entity == self._entity:
            return
        self.close()
        self._entity = agent = entity
        if entity:
            node = self._node
            self._publishers = {
                'text_in': node.create_publisher(String, f'{agent}/text_in', EVENTS),
                'sound_in': node.create_publisher(UInt8MultiArray, f'{agent}/sound_in', EVENTS),
                'wrench': node.create_publisher(Wrench, f'{entity}/wrench', STREAM),
            }

    def say(self, text: str) -> None:
        """Say a text to the entity."""
        self._publish('text_in', text_message(text))

    def play(self, sound: Sound) -> None:
        """Play a sound to the entity."""
        self._publish('sound_in', sound_message(sound))

    def push(self, force: Array) -> None:
        """Apply a force, shape (3,), in the frame `world` for one physics step [N]."""
        message = Wrench()
        message.force.x, message.force.y, message.force.z = force.tolist()
        self._publish('wrench', message)

    def close(self) -> None:
        """Destroy all publishers."""
        for publisher in self._publishers.values():
            self._node.destroy_publisher(publisher)
        self._publishers, self._entity = {}, ''

    def _has_subscriber(self, topic: str) -> bool:
        publisher = self._publishers.get(topic)
        return publisher is not None and bool(publisher.get_subscription_count())

    def _publish(self, topic: str, message: Any) -> None:
        if topic in self._publishers:
            self._publishers[topic].publish(message)

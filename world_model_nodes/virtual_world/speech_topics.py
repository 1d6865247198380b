# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Topics by which agents hear and speak: NAME/text_in is what NAME hears, NAME/text_out what it says.

An agent is a controller, or a ROS node. For a node, the world publishes what the agent hears, and
subscribes to what it says. For a controller it is the other way round: others listen to what the
controller says, and nodes from outside of the world talk to it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from std_msgs.msg import String, UInt8MultiArray

from world_model_core.virtual_world.agents.events import SoundEvent, TextEvent
from world_model_core.virtual_world.agents.messages import OutgoingSound, OutgoingText
from world_model_nodes.runtime.qos import EVENTS
from world_model_nodes.virtual_world.convert_speech import (
    message_document,
    message_of,
    sound_message,
    sound_of,
    text_message,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from rclpy.node import Node

    from world_model_core.virtual_world.agents.messages import Heard, Outgoing

# Sender of what comes from outside of the world.
OUTSIDE = ''


class Say(Protocol):
    """Says what a message of a topic holds, or counts it as invalid."""

    def __call__(self, topic: str, convert: Callable[[], Outgoing]) -> None:
        """Convert a message, and say it."""


class NodeSpeech:
    """
    Topics of an entity for which a ROS node may hear and speak.

    Parameters
    ----------
    node : Node
    name : str
        Of the entity.
    agent : str
        Start of the names of its topics.
    say : callable
        Called with the topic, and a function that converts the message.
    radius : float
        How far texts and sounds reach [m]; below 0: everywhere.

    """

    def __init__(self, node: Node, name: str, agent: str, say: Say, radius: float) -> None:
        self._node, self._name, self._say, self._radius = node, name, say, radius
        self._text = node.create_publisher(String, f'{agent}/text_in', EVENTS)
        self._sound = node.create_publisher(UInt8MultiArray, f'{agent}/sound_in', EVENTS)
        self._message = node.create_publisher(String, f'{agent}/message_in', EVENTS)
        self._subscriptions = (
            node.create_subscription(String, f'{agent}/text_out', self._say_text, EVENTS),
            node.create_subscription(
                UInt8MultiArray, f'{agent}/sound_out', self._say_sound, EVENTS
            ),
            node.create_subscription(String, f'{agent}/message_out', self._say_message, EVENTS),
        )

    def publish(self, heard: Heard) -> None:
        """Publish what the entity hears."""
        if isinstance(heard, TextEvent):
            self._text.publish(text_message(heard.text))
        elif isinstance(heard, SoundEvent):
            self._sound.publish(sound_message(heard.sound))
        else:
            self._message.publish(message_document(heard.sender, self._name, heard.strings))

    def close(self) -> None:
        """Destroy all publishers and subscriptions."""
        for publisher in (self._text, self._sound, self._message):
            self._node.destroy_publisher(publisher)
        for subscription in self._subscriptions:
            self._node.destroy_subscription(subscription)

    def _say_text(self, message: String) -> None:
        self._say(
            'text_out', lambda: OutgoingText(self._name, '', message.data, radius=self._radius)
        )

    def _say_sound(self, message: UInt8MultiArray) -> None:
        self._say(
            'sound_out', lambda: OutgoingSound(self._name, '', sound_of(message), self._radius)
        )

    def _say_message(self, message: String) -> None:
        self._say('message_out', lambda: message_of(message, self._name))


class ControllerSpeech:
    """
    Topics of an entity that a controller acts for: others listen to it, and talk to it.

    Parameters
    ----------
    node : Node
    name : str
        Of the entity.
    agent : str
        Start of the names of its topics.
    say : callable
        Called with the topic, and a function that converts the message.

    """

    def __init__(self, node: Node, name: str, agent: str, say: Say) -> None:
        self._node, self._name, self._say = node, name, say
        self._text = node.create_publisher(String, f'{agent}/text_out', EVENTS)
        self._sound = node.create_publisher(UInt8MultiArray, f'{agent}/sound_out', EVENTS)
        self._message = node.create_publisher(String, f'{agent}/message_out', EVENTS)
        self._subscriptions = (
            node.create_subscription(String, f'{agent}/text_in', self._hear_text, EVENTS),
            node.create_subscription(
                UInt8MultiArray, f'{agent}/sound_in', self._hear_sound, EVENTS
            ),
            node.create_subscription(String, f'{agent}/message_in', self._hear_message, EVENTS),
        )

    def publish(self, said: Outgoing) -> None:
        """Publish what the controller says."""
        if isinstance(said, OutgoingText):
            self._text.publish(text_message(said.text))
        elif isinstance(said, OutgoingSound):
            self._sound.publish(sound_message(said.sound))
        else:
            self._message.publish(message_document(self._name, said.to, said.strings))

    def close(self) -> None:
        """Destroy all publishers and subscriptions."""
        for publisher in (self._text, self._sound, self._message):
            self._node.destroy_publisher(publisher)
        for subscription in self._subscriptions:
            self._node.destroy_subscription(subscription)

    def _hear_text(self, message: String) -> None:
        self._say('text_in', lambda: OutgoingText(OUTSIDE, self._name, message.data))

    def _hear_sound(self, message: UInt8MultiArray) -> None:
        self._say('sound_in', lambda: OutgoingSound(OUTSIDE, self._name, sound_of(message)))

    def _hear_message(self, message: String) -> None:
        self._say('message_in', lambda: message_of(message, OUTSIDE, self._name))

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A question that is repeated, as the CMU VLA challenge does, until a user asks another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from std_msgs.msg import String

from world_model_nodes.runtime.qos import LISTEN, STREAM

if TYPE_CHECKING:
    from rclpy.node import Node


class RepeatedQuestion:
    """
    Publishes a question, and leaves the topic to others who ask another one.

    Parameters
    ----------
    node : Node

    """

    def __init__(self, node: Node) -> None:
        self._node, self._text = node, ''
        # Own questions come back, also those before the present one.
        self._own: set[str] = set()
        self._publisher = node.create_publisher(String, 'challenge_question', STREAM)
        self._subscription = node.create_subscription(
            String, 'challenge_question', self._hear, LISTEN
        )

    def begin(self, text: str) -> None:
        """Repeat a question from now on; an empty text is none."""
        self._text = text
        self._own.add(text)

    def repeat(self) -> None:
        """Publish the question again, unless another one was asked."""
        if self._text:
            self._publisher.publish(String(data=self._text))

    def close(self) -> None:
        """Destroy publisher and subscription."""
        self._node.destroy_publisher(self._publisher)
        self._node.destroy_subscription(self._subscription)

    def _hear(self, message: String) -> None:
        if message.data not in self._own:
            self._text = ''

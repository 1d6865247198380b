# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Fills a buffer from /tf and /tf_static."""

from __future__ import annotations

from threading import Thread
from typing import TYPE_CHECKING

from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.executors import SingleThreadedExecutor
from rclpy.qos import DurabilityPolicy, QoSProfile
from tf2_msgs.msg import TFMessage

if TYPE_CHECKING:
    from rclpy.node import Node

    from tf2_ros.buffer import Buffer

DEFAULT_TF_TOPIC = '/tf'
DEFAULT_STATIC_TF_TOPIC = '/tf_static'
AUTHORITY = 'default_authority'


class TransformListener:
    """
    Fills a buffer with every transform that is published.

    Parameters
    ----------
    buffer
        Buffer to fill.
    node
        Node that subscribes.
    spin_thread
        Whether to spin the node in a separate thread.
    qos, static_qos
        Replace the defaults: depth 100, latched for static transforms.
    tf_topic, tf_static_topic
        Other topics.

    """

    def __init__(
        self,
        buffer: Buffer,
        node: Node,
        *,
        spin_thread: bool = False,
        qos: QoSProfile | int | None = None,
        static_qos: QoSProfile | int | None = None,
        tf_topic: str = DEFAULT_TF_TOPIC,
        tf_static_topic: str = DEFAULT_STATIC_TF_TOPIC,
    ) -> None:
        """Subscribe."""
        self.buffer = buffer
        self.node = node
        # Reentrant, so that a callback may wait for a transform.
        self.group = ReentrantCallbackGroup()
        if qos is None:
            qos = QoSProfile(depth=100)
        if static_qos is None:
            static_qos = QoSProfile(depth=100, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        self.tf_sub = node.create_subscription(
            TFMessage, tf_topic, self.callback, qos, callback_group=self.group
        )
        self.tf_static_sub = node.create_subscription(
            TFMessage, tf_static_topic, self.static_callback, static_qos, callback_group=self.group
        )
        if spin_thread:
            self._spin_in_thread()

    def _spin_in_thread(self) -> None:
        self.executor = SingleThreadedExecutor()
        self.executor.add_node(self.node)
        self.dedicated_listener_thread = Thread(target=self.executor.spin)
        self.dedicated_listener_thread.start()

    def __del__(self) -> None:
        """Stop the thread and the subscriptions."""
        if hasattr(self, 'dedicated_listener_thread'):
            self.executor.shutdown()
            self.dedicated_listener_thread.join()
        self.unregister()

    def unregister(self) -> None:
        """End the subscriptions."""
        self.node.destroy_subscription(self.tf_sub)
        self.node.destroy_subscription(self.tf_static_sub)

    def callback(self, data: TFMessage) -> None:
        """Add transforms at their stamps."""
        for transform in data.transforms:
            self.buffer.set_transform(transform, AUTHORITY)

    def static_callback(self, data: TFMessage) -> None:
        """Add static transforms."""
        for transform in data.transforms:
            self.buffer.set_transform_static(transform, AUTHORITY)

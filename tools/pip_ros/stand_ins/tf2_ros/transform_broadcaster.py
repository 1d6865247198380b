# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Publishes transforms on /tf."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rclpy.qos import QoSProfile
from tf2_msgs.msg import TFMessage

if TYPE_CHECKING:
    from geometry_msgs.msg import TransformStamped
    from rclpy.node import Node


class TransformBroadcaster:
    """
    Publishes transforms at their stamps.

    Parameters
    ----------
    node
        Node that publishes.
    qos
        Replaces the default: reliable, depth 100.

    """

    def __init__(self, node: Node, qos: QoSProfile | int | None = None) -> None:
        """Create the publisher."""
        if qos is None:
            qos = QoSProfile(depth=100)
        self.pub_tf = node.create_publisher(TFMessage, '/tf', qos)

    def sendTransform(  # noqa: N802
        self, transform: TransformStamped | Iterable[TransformStamped]
    ) -> None:
        """Publish one transform or several in one message."""
        transforms = list(transform) if isinstance(transform, Iterable) else [transform]
        self.pub_tf.publish(TFMessage(transforms=transforms))

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Publishes transforms on /tf_static."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rclpy.qos import DurabilityPolicy, QoSProfile
from tf2_msgs.msg import TFMessage

if TYPE_CHECKING:
    from geometry_msgs.msg import TransformStamped
    from rclpy.node import Node


class StaticTransformBroadcaster:
    """
    Publishes all static transforms sent so far in one latched message.

    Parameters
    ----------
    node
        Node that publishes.
    qos
        Replaces the default: reliable and latched, depth 1.

    """

    def __init__(self, node: Node, qos: QoSProfile | int | None = None) -> None:
        """Create the publisher."""
        if qos is None:
            qos = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        self.pub_tf = node.create_publisher(TFMessage, '/tf_static', qos)
        self.net_message = TFMessage()
        self._child_frame_ids: set[str] = set()

    def sendTransform(  # noqa: N802
        self, transform: TransformStamped | Iterable[TransformStamped]
    ) -> None:
        """Publish one transform or several; as in the original, a child's first one stays."""
        transforms = list(transform) if isinstance(transform, Iterable) else [transform]
        for new in transforms:
            if new.child_frame_id not in self._child_frame_ids:
                self._child_frame_ids.add(new.child_frame_id)
                self.net_message.transforms.append(new)
        self.pub_tf.publish(self.net_message)

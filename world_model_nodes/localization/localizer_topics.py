# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Topics of a localizer: subscriptions, the pose, and the frame of odometry in the map."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from geometry_msgs.msg import PoseWithCovarianceStamped
from nav_msgs.msg import Odometry
from tf2_ros import TransformBroadcaster
from vision_msgs.msg import Detection3DArray

from world_model_nodes.localization.convert import estimate_message
from world_model_nodes.runtime.qos import LISTEN, STREAM
from world_model_nodes.uncertainty.convert import planar_transform

if TYPE_CHECKING:
    from collections.abc import Callable

    from rclpy.node import Node

    from world_model_core.localization.measurement_queue import PoseFix


class LocalizerCallbacks(NamedTuple):
    """The callback of each subscription."""

    odometry: Callable[[Odometry], None]
    landmarks: Callable[[Detection3DArray], None]
    initial_pose: Callable[[PoseWithCovarianceStamped], None]


class LocalizerTopics:
    """
    The topics of one robot, relative to its namespace, and its frame.

    Parameters
    ----------
    node : Node
    callbacks : LocalizerCallbacks
    frame_id : str
        Frame of the map.
    tf_tolerance_ns : int or None
        How much later than the estimate the transform from the map to the odometry frame is
        stamped, so that it is known when odometry of a later time arrives; None to send none.

    """

    def __init__(
        self,
        node: Node,
        callbacks: LocalizerCallbacks,
        frame_id: str,
        tf_tolerance_ns: int | None,
    ) -> None:
        self._node, self._frame_id = node, frame_id
        self._tf_tolerance_ns = tf_tolerance_ns or 0
        self._pose = node.create_publisher(PoseWithCovarianceStamped, 'amcl_pose', STREAM)
        self._tf = TransformBroadcaster(node) if tf_tolerance_ns is not None else None
        self._subscriptions = (
            node.create_subscription(Odometry, 'odom', callbacks.odometry, LISTEN),
            node.create_subscription(Detection3DArray, 'landmarks', callbacks.landmarks, LISTEN),
            node.create_subscription(
                PoseWithCovarianceStamped, 'initialpose', callbacks.initial_pose, STREAM
            ),
        )

    def publish(self, fix: PoseFix, odometry_frame: str) -> None:
        """Publish an estimate: the transform first, then the pose."""
        stamp_ns, map_frame = fix.stamp_ns, self._frame_id
        if self._tf is not None:
            until_ns, frames = stamp_ns + self._tf_tolerance_ns, (map_frame, odometry_frame)
            self._tf.sendTransform(planar_transform(fix.odometry_frame, until_ns, *frames))
        self._pose.publish(estimate_message(fix.estimate, stamp_ns, map_frame))

    def close(self) -> None:
        """Destroy all publishers and subscriptions."""
        for subscription in self._subscriptions:
            self._node.destroy_subscription(subscription)
        self._node.destroy_publisher(self._pose)
        if self._tf is not None:
            # tf2's broadcaster cannot be closed.
            self._node.destroy_publisher(self._tf.pub_tf)

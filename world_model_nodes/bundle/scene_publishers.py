# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Latched topics of a scene."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nav_msgs.msg import OccupancyGrid, Odometry
from sensor_msgs.msg import PointCloud2
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage
from visualization_msgs.msg import Marker, MarkerArray

from world_model_nodes.bundle.convert_grid_map import GridMap
from world_model_nodes.runtime.qos import STATE

if TYPE_CHECKING:
    from rclpy.node import Node

    from world_model_nodes.bundle.scene_messages import SceneMessages


class ScenePublishers:
    """
    Publishes scenes.

    Parameters
    ----------
    node : Node

    """

    def __init__(self, node: Node) -> None:
        self._node = node
        # Not tf2's StaticTransformBroadcaster, which would repeat the frames of earlier
        # scenes, and ignores frames that have moved in versions before 2023.
        self._tf_static = node.create_publisher(TFMessage, '/tf_static', STATE)
        # Small messages first, so that they do not wait for large ones.
        self._publishers = {
            'scene': node.create_publisher(String, 'scene', STATE),
            'initial_pose': node.create_publisher(Odometry, 'initial_pose', STATE),
            'mesh': node.create_publisher(Marker, 'mesh', STATE),
            'drivable_markers': node.create_publisher(MarkerArray, 'drivable/markers', STATE),
            'drivable': node.create_publisher(OccupancyGrid, 'drivable', STATE),
            'heightmap': node.create_publisher(PointCloud2, 'heightmap', STATE),
            'splats': node.create_publisher(PointCloud2, 'splats', STATE),
        }
        if GridMap is not None:
            grid_map = node.create_publisher(GridMap, 'heightmap/grid_map', STATE)
            self._publishers['grid_map'] = grid_map

    def publish(self, messages: SceneMessages) -> None:
        """Publish all messages of a scene, frames first."""
        self.publish_frames(messages)
        for name, publisher in self._publishers.items():
            publisher.publish(getattr(messages, name))

    def publish_frames(self, messages: SceneMessages) -> None:
        """Publish all static frames in one message, as late subscribers receive only one."""
        self._tf_static.publish(messages.tf_static)

    def close(self) -> None:
        """Destroy the publishers and their latched messages."""
        for publisher in (self._tf_static, *self._publishers.values()):
            self._node.destroy_publisher(publisher)

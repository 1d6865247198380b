# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The topics of ssl_receiver."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nav_msgs.msg import Odometry
from sensor_msgs.msg import MultiDOFJointState
from std_msgs.msg import String
from vision_msgs.msg import Detection3DArray
from visualization_msgs.msg import MarkerArray

from world_model_core.documents import write
from world_model_core.match.documents import field_document, game_document, kick_document
from world_model_core.time import NANOSECONDS_PER_SECOND
from world_model_nodes.match.convert import ball_message, robot_poses_message, robots_message
from world_model_nodes.match.markers import (
    ball_markers,
    field_markers,
    kick_markers,
    robot_markers,
)
from world_model_nodes.runtime.qos import STATE, STREAM

if TYPE_CHECKING:
    from rclpy.node import Node
    from rclpy.publisher import Publisher

    from world_model_core.match.ball.estimate import BallState
    from world_model_core.match.robots.robot_table import Robots
    from world_model_core.match.values import MatchChanges

# Shortest period of markers, which are only looked at [ns].
MARKER_PERIOD_NS = NANOSECONDS_PER_SECOND // 20


class MatchPublishers:
    """
    Publishes the changes of a match, the ball first because it moves fastest.

    Messages that are costly to build are built only if they have a subscriber.

    Parameters
    ----------
    node : Node
        Owner of the publishers.

    """

    def __init__(self, node: Node) -> None:
        self._ball = node.create_publisher(Odometry, 'ball', STREAM)
        self._source = node.create_publisher(String, 'ball/source', STATE)
        self._kick = node.create_publisher(String, 'ball/kick', STREAM)
        self._robots = node.create_publisher(MultiDOFJointState, 'robots', STREAM)
        self._poses = node.create_publisher(Detection3DArray, 'robots/poses', STREAM)
        self._game = node.create_publisher(String, 'game', STATE)
        self._field = node.create_publisher(String, 'field', STATE)
        self._ball_markers = node.create_publisher(MarkerArray, 'ball/markers', STREAM)
        self._robot_markers = node.create_publisher(MarkerArray, 'robots/markers', STREAM)
        self._field_markers = node.create_publisher(MarkerArray, 'field/markers', STATE)
        self._drawn_ns: dict[Publisher, int] = {}

    def publish(self, changes: MatchChanges, frame_id: str) -> None:
        """Publish the changes that are not None, in `frame_id`."""
        if changes.ball is not None:
            self._ball.publish(ball_message(changes.ball, frame_id))
        if changes.source is not None:
            self._source.publish(String(data=changes.source.value))
        if changes.kick is not None:
            self._kick.publish(String(data=write(kick_document(changes.kick))))
            if self._ball_markers.get_subscription_count():
                self._ball_markers.publish(kick_markers(changes.kick, frame_id))
        if changes.robots is not None:
            self._publish_robots(changes.robots, frame_id)
        if changes.ball is not None:
            self._draw_ball(changes.ball, frame_id)
        if changes.game is not None:
            self._game.publish(String(data=write(game_document(changes.game))))
        if changes.geometry is not None:
            self._field.publish(String(data=write(field_document(changes.geometry))))
            self._field_markers.publish(field_markers(changes.geometry, frame_id))

    def _publish_robots(self, robots: Robots, frame_id: str) -> None:
        if self._robots.get_subscription_count():
            self._robots.publish(robots_message(robots, frame_id))
        if self._poses.get_subscription_count():
            self._poses.publish(robot_poses_message(robots, frame_id))
        if self._is_due(self._robot_markers, robots.stamp_ns):
            self._robot_markers.publish(robot_markers(robots, frame_id))

    def _draw_ball(self, ball: BallState, frame_id: str) -> None:
        if self._is_due(self._ball_markers, ball.stamp_ns):
            self._ball_markers.publish(ball_markers(ball, frame_id))

    def _is_due(self, publisher: Publisher, stamp_ns: int) -> bool:
        """Return whether markers have a subscriber and the last are old or from the future."""
        if not publisher.get_subscription_count():
            return False
        since = stamp_ns - self._drawn_ns.get(publisher, 0)
        if 0 <= since < MARKER_PERIOD_NS:
            return False
        self._drawn_ns[publisher] = stamp_ns
        return True

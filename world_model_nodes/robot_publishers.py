# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What simulated robots publish and hear: a few of them each by name, and all of them together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from geometry_msgs.msg import PoseArray, Twist
from nav_msgs.msg import Odometry
from sensor_msgs.msg import MultiDOFJointState
from tf2_msgs.msg import TFMessage
from tf2_ros import TransformBroadcaster
from vision_msgs.msg import Detection3DArray
from visualization_msgs.msg import MarkerArray

from world_model_nodes.convert_robots import (
    fleet_message,
    odometry_message,
    planar_transform,
    poses_message,
    sights_message,
    truth_message,
)
from world_model_nodes.fleet_markers import fleet_markers
from world_model_nodes.qos import LISTEN, STATE, STREAM

if TYPE_CHECKING:
    from collections.abc import Callable

    from rclpy.node import Node

    from world_model_core.simulation.robot_fleet import RobotFleet
    from world_model_core.uncertainty.noise import RangeBearingNoise

MAP = 'map'
# More robots than these have no topics of their own: discovery would take minutes.
MOST_BY_NAME = 100


class RobotTopics:
    """
    The topics of one robot.

    Parameters
    ----------
    node : Node
    number : int
        Of the robot.
    command : callable
        Called with the number and what the robot is commanded.

    """

    def __init__(self, node: Node, number: int, command: Callable[[int, Twist], None]) -> None:
        self._number, robot = number, robot_name(number)
        self._odom_frame, self._base_frame = f'{robot}/odom', f'{robot}/base_link'
        self._odom = node.create_publisher(Odometry, f'{robot}/odom', STREAM)
        self._truth = node.create_publisher(Odometry, f'{robot}/ground_truth', STREAM)
        self._landmarks = node.create_publisher(Detection3DArray, f'{robot}/landmarks', STREAM)
        self._true_landmarks = node.create_publisher(
            Detection3DArray, f'{robot}/ground_truth/landmarks', STREAM
        )
        self._commands = node.create_subscription(
            Twist, f'{robot}/cmd_vel', lambda message: command(number, message), LISTEN
        )

    def publish(self, fleet: RobotFleet, stamp_ns: int, noise: RangeBearingNoise) -> None:
        """Publish what somebody listens to."""
        self._publish_poses(fleet, stamp_ns)
        if fleet.sensed is None:
            return
        number, base = self._number, self._base_frame
        if self._landmarks.get_subscription_count():
            readings = fleet.sensed.readings[number]
            self._landmarks.publish(sights_message(readings, noise, stamp_ns, base))
        if self._true_landmarks.get_subscription_count():
            places, labels = fleet.locate_landmarks(number), fleet.sensed.labels[number]
            self._true_landmarks.publish(truth_message(places, labels, stamp_ns, base))

    def _publish_poses(self, fleet: RobotFleet, stamp_ns: int) -> None:
        number, odom, base = self._number, self._odom_frame, self._base_frame
        if self._odom.get_subscription_count():
            pose, command = fleet.odometry[number], fleet.commands[number]
            self._odom.publish(odometry_message(pose, command, stamp_ns, odom, base))
        if self._truth.get_subscription_count():
            pose, velocity = fleet.state.poses[number], fleet.velocities[number]
            self._truth.publish(odometry_message(pose, velocity, stamp_ns, MAP, base))

    def close(self, node: Node) -> None:
        """Take the topics back."""
        for publisher in (self._odom, self._truth, self._landmarks, self._true_landmarks):
            node.destroy_publisher(publisher)
        node.destroy_subscription(self._commands)


class RobotPublishers:
    """
    Publishes a fleet.

    Parameters
    ----------
    node : Node
    count : int
        Of the robots.
    noise : RangeBearingNoise
        Of their sensors, as covariances of sights have it.
    command : callable
        Called with a robot's number and what it is commanded.

    """

    def __init__(
        self,
        node: Node,
        count: int,
        noise: RangeBearingNoise,
        command: Callable[[int, Twist], None],
    ) -> None:
        self._node, self._noise = node, noise
        self._names = [robot_name(number) for number in range(count)]
        named = range(min(count, MOST_BY_NAME))
        self._robots = [RobotTopics(node, number, command) for number in named]
        self._fleet = node.create_publisher(MultiDOFJointState, 'fleet', STREAM)
        self._truth = node.create_publisher(PoseArray, 'ground_truth', STREAM)
        self._markers = node.create_publisher(MarkerArray, 'fleet/markers', STREAM)
        # A message of its own, and not what was ever sent: see ScenePublishers.
        self._tf_static = node.create_publisher(TFMessage, '/tf_static', STATE)
        self._tf = TransformBroadcaster(node)

    def place(self, stamp_ns: int) -> None:
        """Say that the origin of each odometry is that of the map, where robots begin."""
        still = np.zeros(3)
        frames = [
            planar_transform(still, stamp_ns, MAP, f'{name}/odom')
            for name in self._names[:MOST_BY_NAME]
        ]
        self._tf_static.publish(TFMessage(transforms=frames))

    def publish(self, fleet: RobotFleet, stamp_ns: int) -> None:
        """Publish an instant [ns]: frames first, then what is seen in them."""
        self._tf.sendTransform(
            [
                planar_transform(pose, stamp_ns, f'{name}/odom', f'{name}/base_link')
                for name, pose in zip(self._names[:MOST_BY_NAME], fleet.odometry, strict=False)
            ]
        )
        for robot in self._robots:
            robot.publish(fleet, stamp_ns, self._noise)
        if self._truth.get_subscription_count():
            self._truth.publish(poses_message(fleet.state.poses, stamp_ns, MAP))
        if self._fleet.get_subscription_count():
            poses, commands = fleet.odometry, fleet.commands
            self._fleet.publish(fleet_message(self._names, poses, commands, stamp_ns, MAP))
        if self._markers.get_subscription_count():
            self._markers.publish(fleet_markers(fleet, stamp_ns, MAP))

    def close(self) -> None:
        """Take all topics back."""
        for robot in self._robots:
            robot.close(self._node)
        for publisher in (self._fleet, self._truth, self._markers, self._tf_static):
            self._node.destroy_publisher(publisher)
        # tf2's broadcaster cannot be closed.
        self._node.destroy_publisher(self._tf.pub_tf)


def robot_name(number: int) -> str:
    """Name a robot, as its topics and frames begin."""
    return f'robot_{number}'

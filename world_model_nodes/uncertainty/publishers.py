# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What simulated robots publish and hear: a few of them each by name, and all of them together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from geometry_msgs.msg import PoseArray, Twist
from nav_msgs.msg import Odometry
from sensor_msgs.msg import MultiDOFJointState
from tf2_msgs.msg import TFMessage
from tf2_ros import TransformBroadcaster
from vision_msgs.msg import Detection3DArray
from visualization_msgs.msg import MarkerArray

from world_model_core.simulation.robots.fleet import MOST_WITH_SPREAD
from world_model_nodes.runtime.cdr import joint_states, pose_array, texts
from world_model_nodes.runtime.qos import LISTEN, STATE, STREAM
from world_model_nodes.uncertainty.convert import (
    odometry_message,
    planar_transform,
    sights_message,
    truth_message,
)
from world_model_nodes.uncertainty.markers import fleet_markers

if TYPE_CHECKING:
    from collections.abc import Callable

    from rclpy.node import Node

    from world_model_core.gaussian import Array
    from world_model_core.simulation.robots.fleet import RobotFleet
    from world_model_core.uncertainty.noise import RangeBearingNoise

# More robots than these have no topics of their own: discovery would take minutes.
MOST_BY_NAME = MOST_WITH_SPREAD


@dataclass(frozen=True, slots=True)
class Frames:
    """
    What frames are called.

    Attributes
    ----------
    map : str
        Of the landmarks, and of the truth.
    prefix : str
        In front of those of robots, with the slash in between.
    is_placed : bool
        Whether the origin of each odometry is that of the map, and said to be.

    """

    map: str
    prefix: str
    is_placed: bool

    def odom(self, number: int) -> str:
        """Name that of a robot's odometry."""
        return f'{self.prefix}{robot_name(number)}/odom'

    def base(self, number: int) -> str:
        """Name that of a robot itself."""
        return f'{self.prefix}{robot_name(number)}/base_link'


class RobotTopics:
    """
    The topics of one robot.

    Parameters
    ----------
    node : Node
    number : int
        Of the robot.
    frames : Frames
    command : callable
        Called with the number and what the robot is commanded.

    """

    def __init__(
        self, node: Node, number: int, frames: Frames, command: Callable[[int, Twist], None]
    ) -> None:
        self._number, self._map_frame, robot = number, frames.map, robot_name(number)
        self._odom_frame, self._base_frame = frames.odom(number), frames.base(number)
        self._odom = node.create_publisher(Odometry, f'{robot}/odom', STREAM)
        self._truth = node.create_publisher(Odometry, f'{robot}/ground_truth', STREAM)
        self._landmarks = node.create_publisher(Detection3DArray, f'{robot}/landmarks', STREAM)
        self._true_landmarks = node.create_publisher(
            Detection3DArray, f'{robot}/ground_truth/landmarks', STREAM
        )
        self._commands = node.create_subscription(
            Twist, f'{robot}/cmd_vel', lambda message: command(number, message), LISTEN
        )

    @property
    def is_followed(self) -> bool:
        """Whether somebody listens to odometry."""
        return bool(self._odom.get_subscription_count())

    def publish(
        self,
        fleet: RobotFleet,
        stamp_ns: int,
        noise: RangeBearingNoise,
        spread: tuple[Array, Array] | None,
    ) -> None:
        """Publish what somebody listens to; `spread` has the covariances of all odometry."""
        if spread is not None and self.is_followed:
            self._publish_odometry(fleet, stamp_ns, spread)
        self._publish_truth(fleet, stamp_ns)
        if fleet.sensed is None:
            return
        number, base = self._number, self._base_frame
        if self._landmarks.get_subscription_count():
            readings = fleet.sensed.readings[number]
            self._landmarks.publish(sights_message(readings, noise, stamp_ns, base))
        if self._true_landmarks.get_subscription_count():
            places, labels = fleet.locate_landmarks(number), fleet.sensed.labels[number]
            self._true_landmarks.publish(truth_message(places, labels, stamp_ns, base))

    def _publish_odometry(
        self, fleet: RobotFleet, stamp_ns: int, spread: tuple[Array, Array]
    ) -> None:
        number, odom, base = self._number, self._odom_frame, self._base_frame
        pose, command = fleet.odometry[number], fleet.commands[number]
        own = spread[0][number], spread[1][number]
        self._odom.publish(odometry_message(pose, command, stamp_ns, odom, base, spread=own))

    def _publish_truth(self, fleet: RobotFleet, stamp_ns: int) -> None:
        number, base = self._number, self._base_frame
        if self._truth.get_subscription_count():
            pose, velocity = fleet.state.poses[number], fleet.velocities[number]
            self._truth.publish(odometry_message(pose, velocity, stamp_ns, self._map_frame, base))

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
    frames : Frames
    noise : RangeBearingNoise
        Of their sensors, as covariances of sights have it.
    command : callable
        Called with a robot's number and what it is commanded.

    """

    def __init__(
        self,
        node: Node,
        count: int,
        frames: Frames,
        noise: RangeBearingNoise,
        command: Callable[[int, Twist], None],
    ) -> None:
        self._node, self._frames, self._noise = node, frames, noise
        self._names = texts([robot_name(number) for number in range(count)])
        self._named = range(min(count, MOST_BY_NAME))
        self._robots = [RobotTopics(node, number, frames, command) for number in self._named]
        self._fleet = node.create_publisher(MultiDOFJointState, 'fleet', STREAM)
        self._truth = node.create_publisher(PoseArray, 'ground_truth', STREAM)
        self._markers = node.create_publisher(MarkerArray, 'fleet/markers', STREAM)
        # A message of its own, and not what was ever sent: see ScenePublishers.
        self._tf_static = node.create_publisher(TFMessage, '/tf_static', STATE)
        self._tf = TransformBroadcaster(node)

    def place(self, stamp_ns: int) -> None:
        """Say that the origin of each odometry is that of the map, where robots begin."""
        still, frames = np.zeros(3), self._frames
        placed = [
            planar_transform(still, stamp_ns, frames.map, frames.odom(number))
            for number in self._named
        ]
        self._tf_static.publish(TFMessage(transforms=placed))

    def publish(self, fleet: RobotFleet, stamp_ns: int) -> None:
        """Publish an instant [ns]: frames first, then what is seen in them."""
        frames, poses = self._frames, fleet.odometry
        self._tf.sendTransform(
            [
                planar_transform(poses[number], stamp_ns, frames.odom(number), frames.base(number))
                for number in self._named
            ]
        )
        spread = None
        if any(robot.is_followed for robot in self._robots):
            found = fleet.spread()
            spread = found.poses(), found.velocities(fleet.commands)
        for robot in self._robots:
            robot.publish(fleet, stamp_ns, self._noise, spread)
        if self._truth.get_subscription_count():
            self._truth.publish(pose_array(fleet.state.poses, stamp_ns, frames.map))
        if self._fleet.get_subscription_count():
            # Each pose is in its robot's own odometry, which is the map's frame or nobody's.
            frame = frames.map if frames.is_placed else ''
            joints = joint_states(self._names, poses, fleet.commands, stamp_ns, frame)
            self._fleet.publish(joints)
        if self._markers.get_subscription_count():
            is_placed = frames.is_placed
            self._markers.publish(fleet_markers(fleet, stamp_ns, frames.map, is_placed=is_placed))

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

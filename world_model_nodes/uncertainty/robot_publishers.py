# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Topics of the robot simulator: per robot for the first 100, and for the whole fleet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from geometry_msgs.msg import PoseArray, Twist
from nav_msgs.msg import Odometry
from sensor_msgs.msg import MultiDOFJointState, PointCloud2
from tf2_msgs.msg import TFMessage
from tf2_ros import TransformBroadcaster
from vision_msgs.msg import Detection3DArray
from visualization_msgs.msg import MarkerArray

from world_model_core.simulation.robots.robot_fleet import MAX_WITH_COVARIANCE
from world_model_core.uncertainty.error_causes import LABEL
from world_model_nodes.runtime.cdr import joint_states, pose_array, texts
from world_model_nodes.runtime.qos import LISTEN, STATE, STREAM
from world_model_nodes.uncertainty.convert import (
    causes_message,
    landmarks_message,
    odometry_message,
    planar_transform,
    truth_message,
)
from world_model_nodes.uncertainty.markers import fleet_markers

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray
    from rclpy.node import Node

    from world_model_core.gaussian import Array
    from world_model_core.simulation.robots.robot_fleet import RobotFleet
    from world_model_core.uncertainty.sensor_noise import RangeBearingNoise

# Further robots have no topics of their own: discovery would take minutes.
MAX_NAMED = MAX_WITH_COVARIANCE


@dataclass(frozen=True, slots=True)
class RobotFrames:
    """
    Frame names.

    Attributes
    ----------
    map : str
        Frame of the landmarks and of the ground truth.
    prefix : str
        Prefix of the robots' frames, with a trailing slash.
    is_placed : bool
        Whether each odometry frame starts at the map origin, with a static transform.

    """

    map: str
    prefix: str
    is_placed: bool

    def odom(self, number: int) -> str:
        """Return the odometry frame of a robot."""
        return f'{self.prefix}{robot_name(number)}/odom'

    def base(self, number: int) -> str:
        """Return the base frame of a robot."""
        return f'{self.prefix}{robot_name(number)}/base_link'


class RobotTopics:
    """
    The topics of one robot.

    Parameters
    ----------
    node : Node
    number : int
        Number of the robot.
    frames : RobotFrames
    command : callable
        Called with the number of the robot and its command.

    """

    def __init__(
        self, node: Node, number: int, frames: RobotFrames, command: Callable[[int, Twist], None]
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
    def has_odometry_subscriber(self) -> bool:
        """Whether the odometry has a subscriber."""
        return bool(self._odom.get_subscription_count())

    def publish(
        self,
        fleet: RobotFleet,
        stamp_ns: int,
        noise: RangeBearingNoise,
        spread: tuple[Array, Array] | None,
    ) -> None:
        """Publish topics with subscribers; `spread`: covariances of all poses and velocities."""
        if spread is not None and self.has_odometry_subscriber:
            self._publish_odometry(fleet, stamp_ns, spread)
        self._publish_truth(fleet, stamp_ns)
        if fleet.last_step is None:
            return
        number, base = self._number, self._base_frame
        if self._landmarks.get_subscription_count():
            readings = fleet.last_step.readings[number]
            self._landmarks.publish(landmarks_message(readings, noise, stamp_ns, base))
        if self._true_landmarks.get_subscription_count():
            places, labels = fleet.locate_landmarks(number), fleet.last_step.labels[number]
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
            pose, velocity = fleet.truth.poses[number], fleet.velocities[number]
            self._truth.publish(odometry_message(pose, velocity, stamp_ns, self._map_frame, base))

    def close(self, node: Node) -> None:
        """Destroy the publishers and the subscription."""
        for publisher in (self._odom, self._truth, self._landmarks, self._true_landmarks):
            node.destroy_publisher(publisher)
        node.destroy_subscription(self._commands)


class RobotPublishers:
    """
    Publishers of the whole fleet.

    Parameters
    ----------
    node : Node
    count : int
        Number of robots.
    frames : RobotFrames
    noise : RangeBearingNoise
        Noise of the sensors, for the covariances of landmarks.
    command : callable
        Called with the number of a robot and its command.

    """

    def __init__(
        self,
        node: Node,
        count: int,
        frames: RobotFrames,
        noise: RangeBearingNoise,
        command: Callable[[int, Twist], None],
    ) -> None:
        self._node, self._frames, self._noise = node, frames, noise
        self._names = texts([robot_name(number) for number in range(count)])
        self._named = range(min(count, MAX_NAMED))
        self._robots = [RobotTopics(node, number, frames, command) for number in self._named]
        self._fleet = node.create_publisher(MultiDOFJointState, 'fleet', STREAM)
        self._truth = node.create_publisher(PoseArray, 'ground_truth', STREAM)
        self._causes = node.create_publisher(PointCloud2, 'ground_truth/causes', STREAM)
        self._landmarks = node.create_publisher(Detection3DArray, 'ground_truth/landmarks', STATE)
        self._markers = node.create_publisher(MarkerArray, 'fleet/markers', STREAM)
        # One message with the current transforms only: see ScenePublishers.
        self._tf_static = node.create_publisher(TFMessage, '/tf_static', STATE)
        self._tf = TransformBroadcaster(node)

    def place(self, stamp_ns: int) -> None:
        """Publish the static transform from the map to each odometry frame, the identity."""
        still, frames = np.zeros(3), self._frames
        placed = [
            planar_transform(still, stamp_ns, frames.map, frames.odom(number))
            for number in self._named
        ]
        self._tf_static.publish(TFMessage(transforms=placed))

    def publish_landmarks(self, landmarks: Array, stamp_ns: int) -> None:
        """Publish the true positions (m, 2) [m] of the landmarks in the map."""
        labels = np.zeros(len(landmarks), dtype=LABEL)
        self._landmarks.publish(truth_message(landmarks, labels, stamp_ns, self._frames.map))

    def publish(self, fleet: RobotFleet, causes: NDArray[np.uint16], stamp_ns: int) -> None:
        """
        Publish the state at a time [ns]: transforms first, then messages.

        `causes`, shape (n,), are the error causes of the motion of each robot since the last time.
        """
        frames, poses = self._frames, fleet.odometry
        self._tf.sendTransform(
            [
                planar_transform(poses[number], stamp_ns, frames.odom(number), frames.base(number))
                for number in self._named
            ]
        )
        spread = None
        if any(robot.has_odometry_subscriber for robot in self._robots):
            found = fleet.spread()
            spread = found.poses(), found.velocities(fleet.commands)
        for robot in self._robots:
            robot.publish(fleet, stamp_ns, self._noise, spread)
        if self._truth.get_subscription_count():
            self._truth.publish(pose_array(fleet.truth.poses, stamp_ns, frames.map))
        if self._causes.get_subscription_count():
            true = fleet.truth.poses
            self._causes.publish(causes_message(true, causes, stamp_ns, frames.map))
        if self._fleet.get_subscription_count():
            # Each pose is in the odometry frame of its robot, which may not be tied to the map.
            frame = frames.map if frames.is_placed else ''
            joints = joint_states(self._names, poses, fleet.commands, stamp_ns, frame)
            self._fleet.publish(joints)
        if self._markers.get_subscription_count():
            is_placed = frames.is_placed
            self._markers.publish(fleet_markers(fleet, stamp_ns, frames.map, is_placed=is_placed))

    def close(self) -> None:
        """Destroy all publishers and subscriptions."""
        for robot in self._robots:
            robot.close(self._node)
        for publisher in (
            self._fleet,
            self._truth,
            self._causes,
            self._landmarks,
            self._markers,
            self._tf_static,
        ):
            self._node.destroy_publisher(publisher)
        # tf2's broadcaster cannot be closed.
        self._node.destroy_publisher(self._tf.pub_tf)


def robot_name(number: int) -> str:
    """Return the name of a robot, the prefix of its topics and frames."""
    return f'robot_{number}'

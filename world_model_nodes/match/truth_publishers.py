# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The topics with the true state of a simulated match."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from nav_msgs.msg import Odometry
from sensor_msgs.msg import MultiDOFJointState

from world_model_core.match.ball.estimate import BallState
from world_model_core.match.robots.robot_table import Robots
from world_model_nodes.match.convert import ball_message, robots_message
from world_model_nodes.runtime.qos import STREAM

if TYPE_CHECKING:
    from rclpy.node import Node

    from world_model_core.simulation.match.ground_truth import MatchTruth


class TruthPublishers:
    """
    Publishes the true ball and robots in the messages of the estimates, if someone subscribes.

    Parameters
    ----------
    node : Node
        Owner of the publishers.

    """

    def __init__(self, node: Node) -> None:
        self._ball = node.create_publisher(Odometry, 'truth/ball', STREAM)
        self._robots = node.create_publisher(MultiDOFJointState, 'truth/robots', STREAM)

    def publish(self, truth: MatchTruth, stamp_ns: int, frame_id: str) -> None:
        """Publish the state at an exposure, with its time [ns, ROS]."""
        if self._ball.get_subscription_count():
            self._ball.publish(ball_message(_ball(truth, stamp_ns), frame_id))
        if self._robots.get_subscription_count():
            self._robots.publish(robots_message(_robots(truth, stamp_ns), frame_id))


def _ball(truth: MatchTruth, stamp_ns: int) -> BallState:
    position, velocity = np.array(truth.position), np.array(truth.velocity)
    return BallState(stamp_ns, position, velocity, np.zeros((6, 6)))


def _robots(truth: MatchTruth, stamp_ns: int) -> Robots:
    count = len(truth.robots)
    poses = [(*robot.position, robot.heading) for robot in truth.robots]
    velocities = [(*robot.velocity, robot.turn_rate) for robot in truth.robots]
    return Robots(
        stamp_ns,
        tuple(robot.id for robot in truth.robots),
        np.array(poses).reshape(-1, 3),
        np.array(velocities).reshape(-1, 3),
        np.zeros((count, 3, 2, 2)),
        np.ones(count),
    )

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Receives the robots of robots_sim and the estimates of their localizers, for the watch."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from geometry_msgs.msg import PoseArray, PoseWithCovarianceStamped
from rclpy.clock import Clock, ClockType
from rclpy.serialization import deserialize_message
from sensor_msgs.msg import MultiDOFJointState

from world_model_nodes.runtime.convert import heading_of
from world_model_nodes.runtime.qos import LISTEN
from world_model_nodes.uncertainty.watch_view import FleetView, LocalizedPose
from world_model_nodes.watch.rate_counter import RateCounter

if TYPE_CHECKING:
    from geometry_msgs.msg import Point, Quaternion
    from rclpy.node import Node

    from world_model_core.gaussian import Array

ESTIMATE_TYPE = 'geometry_msgs/msg/PoseWithCovarianceStamped'
# Topics of localizers, below the namespace of their robot.
ESTIMATE_TOPICS = ('amcl_pose',)
# How often new localizers are looked for [s].
DISCOVERY_PERIOD = 1.0
# x, y and heading in the covariance of a pose, (6, 6).
PLANAR = [0, 7, 35]


class FleetListener:
    """
    Keeps the latest true poses, odometry and estimates of the robots below a node's namespace.

    Localizers are discovered by the type of their topic, `<robot>/amcl_pose` for example. The
    arrays may hold 100,000 poses, so they are decoded only when a view is requested.
    """

    def __init__(self, node: Node) -> None:
        self._node = node
        self._names: tuple[str, ...] = ()
        self._truth: bytes | None = None
        self._fleet: bytes | None = None
        self._estimates: dict[str, LocalizedPose] = {}
        self._rate = RateCounter()
        self._listening: dict[str, Any] = {}
        subscribe = partial(node.create_subscription, qos_profile=LISTEN, raw=True)
        subscribe(PoseArray, 'ground_truth', self._receive_truth)
        subscribe(MultiDOFJointState, 'fleet', self._receive_fleet)
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        node.create_timer(DISCOVERY_PERIOD, self._discover, clock=steady)

    @property
    def is_silent(self) -> bool:
        """Whether no message has come."""
        return not (self._truth or self._fleet or self._estimates)

    def view(self) -> FleetView:
        """Decode the latest messages."""
        names, odometry = self._read_fleet()
        poses: dict[str, Array] = {}
        if self._truth is not None:
            truth = deserialize_message(self._truth, PoseArray)
            found = [_planar(pose.position, pose.orientation) for pose in truth.poses]
            # The simulator names its robots robot_0, robot_1, ... in the order of the array.
            named = names or [f'robot_{number}' for number in range(len(found))]
            poses = dict(zip(named, found, strict=False))
        rate = self._rate.rate(time.monotonic())
        return FleetView(poses, odometry, dict(self._estimates), rate)

    def _read_fleet(self) -> tuple[list[str], dict[str, Array]]:
        """Return the robots' names, and their odometry if it is expressed in a known frame."""
        if self._fleet is None:
            return [], {}
        fleet = deserialize_message(self._fleet, MultiDOFJointState)
        names = list(fleet.joint_names)
        if not fleet.header.frame_id:
            return names, {}
        found = [_planar(each.translation, each.rotation) for each in fleet.transforms]
        return names, dict(zip(names, found, strict=False))

    def _receive_truth(self, data: bytes) -> None:
        self._truth = data
        self._rate.add(time.monotonic())

    def _receive_fleet(self, data: bytes) -> None:
        self._fleet = data

    def _receive_estimate(self, name: str, message: PoseWithCovarianceStamped) -> None:
        pose = message.pose.pose
        variances = np.asarray(message.pose.covariance)[PLANAR]
        deviations = np.sqrt(np.clip(variances, 0.0, None))
        self._estimates[name] = LocalizedPose(_planar(pose.position, pose.orientation), deviations)

    def _discover(self) -> None:
        """Subscribe to the estimates of localizers that have appeared in the namespace."""
        namespace = self._node.get_namespace().rstrip('/') + '/'
        for topic, types in self._node.get_topic_names_and_types():
            if ESTIMATE_TYPE not in types or not topic.startswith(namespace):
                continue
            robot, _, name = topic.removeprefix(namespace).rpartition('/')
            if name in ESTIMATE_TOPICS and topic not in self._listening:
                callback = partial(self._receive_estimate, robot or 'robot')
                self._listening[topic] = self._node.create_subscription(
                    PoseWithCovarianceStamped, topic, callback, LISTEN
                )


def _planar(place: Point, rotation: Quaternion) -> Array:
    """Return x, y [m] and heading [rad], shape (3,)."""
    return np.array((place.x, place.y, heading_of(rotation)))

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A simulated robot that drives in circles, and its localizer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import Point, Pose, PoseWithCovarianceStamped
from nav_msgs.msg import Odometry
from rclpy.parameter import Parameter
from rclpy.qos import QoSHistoryPolicy, QoSProfile
from rclpy.time import Time
from tf2_ros import Buffer, TransformListener
from vision_msgs.msg import Detection3DArray

from world_model_core.angles import wrap_angles
from world_model_core.simulation.robots.robot_fleet import RobotFleet
from world_model_core.uncertainty.lecture_simulations import COMMAND
from world_model_nodes.localization.convert import PLANAR, planar_of
from world_model_nodes.runtime.convert import from_time
from world_model_nodes.uncertainty.convert import (
    landmarks_message,
    odometry_message,
    planar_transform,
)

# For tests that check every message.
KEEP_ALL = QoSProfile(history=QoSHistoryPolicy.KEEP_ALL)


class Course:
    """A robot that drives in circles, its localizer, and what the localizer publishes."""

    frames = 'robot_0/odom', 'robot_0/base_link'
    dt_ns, start_ns = 100_000_000, 100 * 10**9

    def __init__(self, graph, kind, **given):
        self.graph = graph
        overrides = [Parameter(name, value=value) for name, value in given.items()]
        self.node = kind(namespace='robot_0', parameter_overrides=overrides)
        graph.add(self.node)
        self.poses = graph.listen(PoseWithCovarianceStamped, 'robot_0/amcl_pose', KEEP_ALL)
        self.reports = graph.listen(DiagnosticArray, '/diagnostics')
        self.tf = Buffer()
        self._listener = TransformListener(self.tf, graph.probe)
        assert self.node.autostart()
        self.odometry = graph.publisher(Odometry, 'robot_0/odom')
        self.detections = graph.publisher(Detection3DArray, 'robot_0/landmarks')
        self.initial = graph.publisher(PoseWithCovarianceStamped, 'robot_0/initialpose')
        graph.wait_until(lambda: graph.probe.count_publishers('robot_0/amcl_pose'))
        self.noise = self.node.config.error_models()[1].noise
        self.begin(1)

    def begin(self, seed):
        """Reset the robot to the origin and the time to the start."""
        motion, observation = self.node.config.error_models()
        landmarks = self.node.config.places()
        self.fleet = RobotFleet(motion, observation, landmarks, COMMAND, count=1, seed=seed)
        self.stamp_ns = self.start_ns
        self.publish_odometry()

    def kidnap(self, *pose):
        """Move the robot to another pose."""
        self.fleet._moved = replace(self.fleet.truth, poses=np.array([pose]))

    def publish_odometry(self):
        """Publish the odometry, and wait until the localizer has received it."""
        pose, command = self.fleet.odometry[0], self.fleet.commands[0]
        self.odometry.publish(odometry_message(pose, command, self.stamp_ns, *self.frames))
        self.graph.wait_until(
            lambda: (track := self.node._queue._track) and track[-1].stamp_ns == self.stamp_ns
        )

    def publish_detections(self):
        """Publish the landmark readings of this step."""
        readings = self.fleet.last_step.readings[0]
        message = landmarks_message(readings, self.noise, self.stamp_ns, self.frames[1])
        self.detections.publish(message)

    def step(self, count=1):
        """Simulate steps, publish odometry and readings, and return the last estimated pose."""
        for _ in range(count):
            self.fleet.step(0.1)
            self.stamp_ns += self.dt_ns
            self.publish_odometry()
            self.publish_detections()
            self.wait_for_pose()
        return self.poses[-1]

    def wait_for_pose(self):
        """Wait for the estimated pose of the present time."""
        self.graph.wait_until(
            lambda: self.poses and from_time(self.poses[-1].header.stamp) == self.stamp_ns
        )

    def error(self):
        """Return the error of the last estimated pose, shape (3,), and its covariance."""
        estimated = self.poses[-1].pose
        error = self.fleet.truth.poses[0] - planar_of(estimated.pose)
        error[2] = wrap_angles(error[2])
        return error, np.reshape(estimated.covariance, (6, 6))[PLANAR]

    def base_link(self):
        """Look up the pose of the base_link frame in tf: x, y, theta."""
        odometry = self.fleet.odometry[0]
        self.tf.set_transform(planar_transform(odometry, self.stamp_ns, *self.frames), 'test')
        time = Time(nanoseconds=self.stamp_ns)
        found = self.graph.wait_until(lambda: self._look_up(time)).transform
        place = found.translation
        return planar_of(Pose(position=Point(x=place.x, y=place.y), orientation=found.rotation))

    def _look_up(self, time):
        known = self.tf.can_transform('map', self.frames[1], time)
        return self.tf.lookup_transform('map', self.frames[1], time) if known else None

    @property
    def status(self):
        """The localizer's newest status of /diagnostics, or None."""
        return self.reports[-1].status[0] if self.reports else None

    def value(self, key):
        """Return one value of the newest status."""
        return {} if self.status is None else {v.key: v.value for v in self.status.values}.get(key)

    def wait_for(self, key, value):
        """Wait until /diagnostics has this value."""
        self.graph.wait_until(lambda: self.value(key) == value)


@pytest.fixture
def course(graph, often):  # noqa: ARG001 (before the node is made)
    """Make a robot and its localizer."""
    return lambda kind, **given: Course(graph, kind, **given)

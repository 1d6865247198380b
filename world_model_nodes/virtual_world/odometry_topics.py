# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Topics of a robot with wheels, by which localizers find its pose: odometry and landmarks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nav_msgs.msg import Odometry
from vision_msgs.msg import Detection3DArray

from world_model_core.time import to_seconds
from world_model_core.virtual_world.senses.base_motion import base_motions
from world_model_core.virtual_world.senses.landmarks import LandmarkSensor
from world_model_core.virtual_world.senses.sense_frames import base_frame, odom_frame
from world_model_nodes.runtime.qos import STREAM
from world_model_nodes.uncertainty.convert import (
    landmarks_message,
    odometry_message,
    planar_transform,
)
from world_model_nodes.virtual_world.world_topics import WORLD

if TYPE_CHECKING:
    from geometry_msgs.msg import TransformStamped

    from world_model_core.uncertainty.observation_parameters import ObservationParameters
    from world_model_core.virtual_world.senses.robot_odometry import RobotOdometry
    from world_model_nodes.virtual_world.sensing_agent import SensingAgent


class OdometryTopic:
    """
    Odometry of a robot, which is measured at all times, published if anybody listens.

    Parameters
    ----------
    agent : SensingAgent
        With wheels.
    odometry : RobotOdometry

    """

    def __init__(self, agent: SensingAgent, odometry: RobotOdometry) -> None:
        self._agent, self._odometry, self._name = agent, odometry, agent.entity.name
        self._odom, self._base = odom_frame(self._name), base_frame(agent.entity)
        robot = agent.prefix
        self._publisher = agent.node.create_publisher(Odometry, f'{robot}/odom', STREAM)
        self.begin()

    def begin(self) -> None:
        """Begin at the present height of the robot, which wheels do not measure."""
        self._height = self._agent.state.pose.position[2]

    def measure(self, step: int, stamp_ns: int) -> None:
        """Publish the last measurement, if anybody listens."""
        del step
        if self._publisher.get_subscription_count():
            self._publisher.publish(self._message(stamp_ns))

    def transform(self, stamp_ns: int) -> TransformStamped:
        """Return the pose of the base in the frame of odometry, at its height at the start."""
        pose = self._odometry.pose_of(self._name)
        message = planar_transform(pose, stamp_ns, self._odom, self._base)
        message.transform.translation.z = self._height
        return message

    def placement(self, stamp_ns: int) -> TransformStamped:
        """Return the pose of the frame of odometry in the world: that of the start."""
        start = self._odometry.start_of(self._name)
        return planar_transform(start, stamp_ns, WORLD, self._odom)

    def close(self) -> None:
        """Destroy the publisher."""
        self._agent.node.destroy_publisher(self._publisher)

    def _message(self, stamp_ns: int) -> Odometry:
        pose, velocity, spread = self._odometry.reading_of(self._name)
        frames = self._odom, self._base
        message = odometry_message(pose, velocity, stamp_ns, *frames, spread=spread)
        message.pose.pose.position.z = self._height
        return message


class LandmarkTopic:
    """
    Landmarks as a robot measures them.

    Parameters
    ----------
    agent : SensingAgent
    observation : ObservationParameters

    """

    def __init__(self, agent: SensingAgent, observation: ObservationParameters) -> None:
        self._agent, self._observation = agent, observation
        self._base = base_frame(agent.entity)
        robot = agent.prefix
        self._publisher = agent.node.create_publisher(
            Detection3DArray, f'{robot}/landmarks', STREAM
        )
        self.begin()

    def begin(self) -> None:
        """Begin with new errors."""
        places = self._agent.world.landmarks.places
        self._time_ns = self._agent.engine.time_ns
        self._sensor = LandmarkSensor(self._observation, places, self._agent.draws)

    def measure(self, step: int, stamp_ns: int) -> None:
        """Measure the landmarks, if anybody listens."""
        agent, now_ns = self._agent, self._agent.engine.time_ns
        passed, self._time_ns = to_seconds(now_ns - self._time_ns), now_ns
        if passed <= 0.0:
            return
        if not self._publisher.get_subscription_count():
            self._sensor.wait(passed, step)
            return
        name = agent.entity.name
        pose, hidden = base_motions(agent.engine, (name,)).poses[0], agent.world.hidden(name)
        readings = self._sensor.measure(pose, hidden, passed, step)
        noise = self._observation.noise
        self._publisher.publish(landmarks_message(readings, noise, stamp_ns, self._base))

    def close(self) -> None:
        """Destroy the publisher."""
        self._agent.node.destroy_publisher(self._publisher)

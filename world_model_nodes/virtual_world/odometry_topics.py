# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Topics of a robot with wheels, by which localizers find its pose: odometry and landmarks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nav_msgs.msg import Odometry
from vision_msgs.msg import Detection3DArray

from world_model_core.time import to_seconds
from world_model_core.virtual_world.senses.base_motion import base_motion
from world_model_core.virtual_world.senses.landmarks import LandmarkSensor
from world_model_core.virtual_world.senses.sense_frames import base_frame, odom_frame
from world_model_core.virtual_world.senses.wheel_odometry import WheelOdometry
from world_model_nodes.runtime.qos import STREAM
from world_model_nodes.uncertainty.convert import (
    landmarks_message,
    odometry_message,
    planar_transform,
)
from world_model_nodes.virtual_world.world_topics import WORLD

if TYPE_CHECKING:
    from geometry_msgs.msg import TransformStamped

    from world_model_core.uncertainty.motion_parameters import MotionParameters
    from world_model_core.uncertainty.observation_parameters import ObservationParameters
    from world_model_nodes.virtual_world.sensing_agent import SensingAgent


class OdometryTopic:
    """
    Odometry of a robot: measured at all times, published if anybody listens.

    Parameters
    ----------
    agent : SensingAgent
        With wheels.
    motion : MotionParameters

    """

    def __init__(self, agent: SensingAgent, motion: MotionParameters) -> None:
        self._agent, self._motion = agent, motion
        self._odom, self._base = odom_frame(agent.entity.name), base_frame(agent.entity)
        robot = agent.prefix
        self._publisher = agent.node.create_publisher(Odometry, f'{robot}/odom', STREAM)
        self.begin()

    def begin(self) -> None:
        """Begin at the present pose of the robot."""
        state = self._agent.state
        start = base_motion(state)
        self._time_ns, self._height = self._agent.engine.time_ns, state.pose.position[2]
        self._start = start.poses[0]
        self._odometry = WheelOdometry(self._motion, self._agent.draws, start)

    def measure(self, step: int, stamp_ns: int) -> None:
        """Measure the motion since the last call."""
        now_ns = self._agent.engine.time_ns
        passed_ns, self._time_ns = now_ns - self._time_ns, now_ns
        if passed_ns > 0:
            self._odometry.read(base_motion(self._agent.state), to_seconds(passed_ns), step)
        if self._publisher.get_subscription_count():
            self._publisher.publish(self._message(stamp_ns))

    def transform(self, stamp_ns: int) -> TransformStamped:
        """Return the pose of the base in the frame of odometry, at its height at the start."""
        pose = self._odometry.poses[0]
        message = planar_transform(pose, stamp_ns, self._odom, self._base)
        message.transform.translation.z = self._height
        return message

    def placement(self, stamp_ns: int) -> TransformStamped:
        """Return the pose of the frame of odometry in the world: that of the start."""
        return planar_transform(self._start, stamp_ns, WORLD, self._odom)

    def close(self) -> None:
        """Destroy the publisher."""
        self._agent.node.destroy_publisher(self._publisher)

    def _message(self, stamp_ns: int) -> Odometry:
        odometry = self._odometry
        pose, velocity = odometry.poses[0], odometry.velocities[0]
        poses, velocities = odometry.covariances()
        frames, spread = (self._odom, self._base), (poses[0], velocities[0])
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
        pose, hidden = base_motion(agent.state).poses[0], agent.world.hidden(agent.entity.name)
        readings = self._sensor.measure(pose, hidden, passed, step)
        noise = self._observation.noise
        self._publisher.publish(landmarks_message(readings, noise, stamp_ns, self._base))

    def close(self) -> None:
        """Destroy the publisher."""
        self._agent.node.destroy_publisher(self._publisher)

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Topics of distances: the lidar of a robot, and the distance sensor of a camera."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sensor_msgs.msg import LaserScan, Range

from world_model_core.virtual_world.senses.sense_frames import camera_frame, scan_frame
from world_model_nodes.runtime.convert import header
from world_model_nodes.runtime.qos import STREAM

if TYPE_CHECKING:
    from world_model_core.virtual_world.senses.lidar import Lidar
    from world_model_nodes.virtual_world.sensing_agent import SensingAgent


class ScanTopic:
    """
    Scans of a robot.

    Parameters
    ----------
    agent : SensingAgent
    lidar : Lidar
    rate : float
        [Hz]

    """

    def __init__(self, agent: SensingAgent, lidar: Lidar, rate: float) -> None:
        self._agent, self._lidar, self._period = agent, lidar, 1.0 / rate
        self._frame = scan_frame(agent.entity)
        robot = agent.prefix
        self._publisher = agent.node.create_publisher(LaserScan, f'{robot}/scan', STREAM)

    def begin(self) -> None:
        """Begin again: its errors depend on the time alone."""

    def measure(self, step: int, stamp_ns: int) -> None:
        """Measure the distances around the robot, if anybody listens."""
        if not self._publisher.get_subscription_count():
            return
        agent, lidar = self._agent, self._lidar
        angles = lidar.angles
        message = LaserScan(header=header(stamp_ns, self._frame), scan_time=self._period)
        message.angle_min, message.angle_max = float(angles[0]), float(angles[-1])
        message.angle_increment = lidar.increment
        message.range_min, message.range_max = lidar.range_min, lidar.range_max
        ranges = lidar.measure(agent.world, agent.entity.name, agent.draws, step)
        message.ranges = ranges.tolist()
        self._publisher.publish(message)

    def close(self) -> None:
        """Destroy the publisher."""
        self._agent.node.destroy_publisher(self._publisher)


class DistanceTopic:
    """
    Distance sensor of an entity, in the middle of the view of its first camera.

    Parameters
    ----------
    agent : SensingAgent
        With a camera.
    lidar : Lidar
        Of its limits and noise.

    """

    def __init__(self, agent: SensingAgent, lidar: Lidar) -> None:
        self._agent, self._lidar = agent, lidar
        self._frame = camera_frame(agent.entity, agent.entity.cameras[0])
        entity = agent.prefix
        self._publisher = agent.node.create_publisher(Range, f'{entity}/distance', STREAM)

    def begin(self) -> None:
        """Begin again: its errors depend on the time alone."""

    def measure(self, step: int, stamp_ns: int) -> None:
        """Measure the distance ahead, if anybody listens."""
        if not self._publisher.get_subscription_count():
            return
        agent, lidar = self._agent, self._lidar
        message = Range(header=header(stamp_ns, self._frame), radiation_type=Range.INFRARED)
        message.min_range, message.max_range = lidar.range_min, lidar.range_max
        message.range = lidar.measure_ahead(agent.world, agent.entity, agent.draws, step)
        self._publisher.publish(message)

    def close(self) -> None:
        """Destroy the publisher."""
        self._agent.node.destroy_publisher(self._publisher)

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The senses of an entity, for what it has: wheels and cameras."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from world_model_core.virtual_world.senses.lidar import Lidar
from world_model_nodes.virtual_world.detection_topics import DetectionTopics
from world_model_nodes.virtual_world.odometry_topics import LandmarkTopic, OdometryTopic
from world_model_nodes.virtual_world.range_topics import DistanceTopic, ScanTopic

if TYPE_CHECKING:
    from world_model_core.uncertainty.observation_parameters import ObservationParameters
    from world_model_core.virtual_world.senses.robot_odometry import RobotOdometry
    from world_model_nodes.virtual_world.images import Images
    from world_model_nodes.virtual_world.sense_config import SenseConfig
    from world_model_nodes.virtual_world.sensing_agent import Sense, SensingAgent


class SharedSenses(NamedTuple):
    """
    What all agents share.

    Attributes
    ----------
    odometry : RobotOdometry
    observation : ObservationParameters
        Errors of landmarks.
    images : Images
        By which cameras see.

    """

    odometry: RobotOdometry
    observation: ObservationParameters
    images: Images


class AgentSenses:
    """
    All senses of an entity.

    Parameters
    ----------
    agent : SensingAgent
    config : SenseConfig
    shared : SharedSenses

    Attributes
    ----------
    agent : SensingAgent
    odometry : OdometryTopic, optional
        None without wheels.
    detections : DetectionTopics, optional
        None without a camera.
    scan_height : float
        Of its lidar above its frame [m].

    """

    def __init__(self, agent: SensingAgent, config: SenseConfig, shared: SharedSenses) -> None:
        self.agent, self.scan_height = agent, config.scan_height
        lidar = Lidar(
            config.scan_height,
            config.scan_step,
            config.scan_near,
            config.scan_far,
            config.scan_noise,
        )
        self.odometry: OdometryTopic | None = None
        self.detections: DetectionTopics | None = None
        self._senses: dict[str, Sense] = {}
        if agent.entity.wheels is not None:
            self.odometry = OdometryTopic(agent, shared.odometry)
            self._senses['odom'] = self.odometry
            self._senses['scan'] = ScanTopic(agent, lidar, config.scan_rate)
            if len(agent.world.landmarks.places):
                self._senses['landmarks'] = LandmarkTopic(agent, shared.observation)
        if agent.entity.cameras:
            self.detections = DetectionTopics(agent, shared.images, config, config.visibility_rule)
            self._senses['distance'] = DistanceTopic(agent, lidar)
            self._senses['detections'] = self.detections

    def begin(self) -> None:
        """Begin at the present time."""
        for sense in self._senses.values():
            sense.begin()

    def measure(self, kind: str, step: int, stamp_ns: int) -> None:
        """Measure with a sense, if the entity has it; `step` is the number of the measurement."""
        if kind in self._senses:
            self._senses[kind].measure(step, stamp_ns)

    def close(self) -> None:
        """Destroy all topics."""
        for sense in self._senses.values():
            sense.close()

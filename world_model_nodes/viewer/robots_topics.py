# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The topics of robots with noisy motion and sensing, and of localizers -> RobotsScene."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from geometry_msgs.msg import PoseArray, PoseWithCovarianceStamped
from nav_msgs.msg import Odometry
from sensor_msgs.msg import MultiDOFJointState, PointCloud2
from vision_msgs.msg import Detection3DArray

from world_model_core.view.robots import (
    MOST_SOLID,
    LandmarkMap,
    RecentCauses,
    RobotFleetState,
    RobotsScene,
)
from world_model_nodes.localization.convert import estimate_of
from world_model_nodes.runtime.cdr_reader import BodyStatesReader, read_pose_array
from world_model_nodes.runtime.convert import from_time, planar_rows
from world_model_nodes.runtime.qos import LISTEN, STATE
from world_model_nodes.uncertainty.convert import causes_of_motion
from world_model_nodes.viewer.landmark_reader import LandmarkReader, true_places
from world_model_nodes.viewer.subscriptions import SceneInputs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray
    from rclpy.node import Node

    from world_model_core.gaussian import Array
    from world_model_core.localization.pose_estimators import PoseEstimate
    from world_model_nodes.runtime.cdr_reader import BodyStates, PoseRows

POSES, ESTIMATE = 'geometry_msgs/msg/PoseArray', 'geometry_msgs/msg/PoseWithCovarianceStamped'
DETECTIONS, ODOMETRY = 'vision_msgs/msg/Detection3DArray', 'nav_msgs/msg/Odometry'
# Topics of a robot.
TYPES = {
    'amcl_pose': ESTIMATE,
    'particle_cloud': POSES,
    'odom': ODOMETRY,
    'landmarks': DETECTIONS,
    'ground_truth/landmarks': DETECTIONS,
}
# Robots whose own topics are shown: those with a localizer first. Each has up to four topics.
MOST_IN_DETAIL = 10
# The estimate of an odometry without a covariance is exact, as that of the truth is.
EXACT = np.zeros((3, 3))


class RobotsTopics:
    """
    Subscribes to truth and odometry of all robots, and to the own topics of some of them.

    Attributes
    ----------
    name : str
    inputs : SceneInputs or None
        None while nothing is subscribed to.

    """

    name = 'robots'

    def __init__(self) -> None:
        self.inputs: SceneInputs | None = None
        self._published: Mapping[str, Sequence[str]] = {}
        self._forget()

    def _forget(self) -> None:
        self._followed: dict[str, set[str]] = {}
        self._fleet_reader = BodyStatesReader()
        self._truth: PoseRows | None = None
        self._names: tuple[str, ...] = ()
        self._odometry: BodyStates | None = None
        self._recent, self._causes = RecentCauses(), np.empty(0, dtype=np.uint16)
        self._landmarks: LandmarkMap | None = None
        self._estimates: dict[str, PoseEstimate] = {}
        self._particles: dict[str, Array] = {}
        self._readers: dict[str, LandmarkReader] = {}
        self._time_ns = 0
        self._scene: RobotsScene | None = None
        self._made_of = 0

    def runs(self, topics: Mapping[str, Sequence[str]]) -> bool:
        """Return whether a fleet or a localizer runs; follow robots that have appeared."""
        self._published = topics
        if self.inputs is not None:
            for robot in detailed_robots(topics):
                self._follow(robot)
        return POSES in topics.get('ground_truth', ()) or bool(localized_robots(topics))

    def subscribe(self, node: Node) -> None:
        """Subscribe to the topics of the fleet and of the robots that are there."""
        inputs = SceneInputs(node, ('ground_truth',), ('ground_truth/landmarks',))
        inputs.create_subscription(PoseArray, 'ground_truth', self._read_truth, LISTEN, raw=True)
        inputs.create_subscription(PointCloud2, 'ground_truth/causes', self._read_causes, LISTEN)
        inputs.create_subscription(
            Detection3DArray, 'ground_truth/landmarks', self._read_landmarks, STATE
        )
        inputs.create_subscription(MultiDOFJointState, 'fleet', self._read_fleet, LISTEN, raw=True)
        self.inputs = inputs
        for robot in detailed_robots(self._published):
            self._follow(robot)

    def unsubscribe(self) -> None:
        """Destroy the subscriptions and forget the robots."""
        if self.inputs is not None:
            self.inputs.close()
            self.inputs = None
        self._forget()

    def scene(self) -> RobotsScene | None:
        """Return the newest state; the same object until another message has been used."""
        if self.inputs is None or not self.inputs.version:
            return None
        if self._made_of != self.inputs.version:
            self._made_of, self._scene = self.inputs.version, self._make()
        return self._scene

    def _make(self) -> RobotsScene:
        readings = {name: reader.readings for name, reader in self._readers.items()}
        return RobotsScene(
            self._time_ns,
            self._fleet(),
            dict(self._estimates),
            dict(self._particles),
            {name: each for name, each in readings.items() if each is not None},
            self._landmarks,
        )

    def _fleet(self) -> RobotFleetState | None:
        """Return the true states with the names, the causes and the odometry that fit them."""
        truth, odometry = self._truth, self._odometry
        if truth is None:
            return None
        count = len(truth.poses)
        # The simulator names its robots robot_0, robot_1, ... in the order of the array.
        if len(self._names) != count:
            self._names = tuple(f'robot_{number}' for number in range(count))
        names, causes = self._names, self._causes
        if len(causes) != count:
            causes = np.zeros(count, dtype=np.uint16)
        poses = planar_rows(truth.poses)
        if odometry is None or len(odometry.poses) != count:
            return RobotFleetState(names, poses, causes)
        placed = planar_rows(odometry.poses) if odometry.frame_id == truth.frame_id else None
        return RobotFleetState(odometry.names, poses, causes, placed)

    def _follow(self, robot: str) -> None:
        """Subscribe to the own topics of a robot that have appeared."""
        inputs, topics = self.inputs, self._new_topics(robot)
        if inputs is None:
            return
        reader = self._readers.setdefault(robot, LandmarkReader())
        estimate, cloud, odometry = (
            partial(read, robot)
            for read in (self._read_estimate, self._read_particles, self._read_odometry)
        )
        if 'amcl_pose' in topics:
            inputs.create_subscription(
                PoseWithCovarianceStamped, f'{robot}/amcl_pose', estimate, LISTEN
            )
        if 'particle_cloud' in topics:
            inputs.create_subscription(
                PoseArray, f'{robot}/particle_cloud', cloud, LISTEN, raw=True
            )
        if 'odom' in topics:
            inputs.create_subscription(Odometry, f'{robot}/odom', odometry, LISTEN)
        if 'landmarks' in topics:
            inputs.create_subscription(Detection3DArray, f'{robot}/landmarks', reader.read, LISTEN)
        if 'ground_truth/landmarks' in topics:
            reader.waits = True
            inputs.create_subscription(
                Detection3DArray, f'{robot}/ground_truth/landmarks', reader.read_truth, LISTEN
            )

    def _new_topics(self, robot: str) -> set[str]:
        """Return the topics of a robot that are published now, of the right type."""
        known = self._followed.setdefault(robot, set())
        new = {
            topic
            for topic, kind in TYPES.items()
            if topic not in known and kind in self._published.get(f'{robot}/{topic}', ())
        }
        if 'fleet' not in self._published or 'amcl_pose' in known | new:
            new.discard('odom')
        known |= new
        return new

    def _read_truth(self, data: bytes) -> None:
        self._truth = read_pose_array(data)
        if self._truth.stamp_ns < self._time_ns:
            # The run began again.
            self._estimates, self._particles = {}, {}
        self._time_ns = self._truth.stamp_ns

    def _read_fleet(self, data: bytes) -> None:
        # The odometry of more robots would hide everything.
        if self._truth is None or len(self._truth.poses) <= MOST_SOLID:
            self._odometry = self._fleet_reader.read(data)

    def _read_causes(self, message: PointCloud2) -> None:
        causes: NDArray[np.uint16] = causes_of_motion(message)
        self._causes = self._recent.update(causes, from_time(message.header.stamp))

    def _read_landmarks(self, message: Detection3DArray) -> None:
        self._landmarks = LandmarkMap(*true_places(message))

    def _read_estimate(self, name: str, message: PoseWithCovarianceStamped) -> None:
        self._estimates[name] = estimate_of(message, EXACT)
        if self._truth is None:
            self._time_ns = from_time(message.header.stamp)

    def _read_odometry(self, name: str, message: Odometry) -> None:
        """Take odometry for the estimate of a robot without a localizer, if it is in the map."""
        estimate, fleet, truth = estimate_of(message, EXACT), self._odometry, self._truth
        is_placed = fleet is not None and truth is not None and fleet.frame_id == truth.frame_id
        if is_placed and 'amcl_pose' not in self._followed.get(name, ()):
            self._estimates[name] = estimate

    def _read_particles(self, name: str, data: bytes) -> None:
        self._particles[name] = planar_rows(read_pose_array(data).poses)


def localized_robots(topics: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the robots that a localizer estimates."""
    return sorted(
        topic.removesuffix('/amcl_pose')
        for topic in topics
        if topic.endswith('/amcl_pose') and ESTIMATE in topics.get(topic, ())
    )


def detailed_robots(topics: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Return the robots to be shown in detail, those with a localizer first."""
    simulated = (
        topic.removesuffix('/ground_truth/landmarks')
        for topic in topics
        if topic.endswith('/ground_truth/landmarks') and DETECTIONS in topics.get(topic, ())
    )
    in_order = sorted(simulated, key=lambda name: (len(name), name))
    return tuple(dict.fromkeys((*localized_robots(topics), *in_order)))[:MOST_IN_DETAIL]

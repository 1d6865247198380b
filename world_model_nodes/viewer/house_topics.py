# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The topics of a house -> HouseScene."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from geometry_msgs.msg import PoseWithCovarianceStamped
from nav_msgs.msg import Odometry
from sensor_msgs.msg import CameraInfo, PointCloud2
from std_msgs.msg import String

from world_model_core.documents import parse, write
from world_model_core.errors import MalformedPacketError
from world_model_core.objects.documents.object_map_document import parse_map
from world_model_core.objects.navigation.traversable_area import TraversableArea
from world_model_core.time import NANOSECONDS_PER_SECOND
from world_model_core.view.frusta import CameraFrustum, pinhole_corners
from world_model_core.view.house import HouseFloor, HouseScene, scan_points
from world_model_core.view.house_answer import read_answer
from world_model_core.view.house_objects import place_objects
from world_model_core.view.house_robot import RobotPath
from world_model_nodes.objects.convert_sensing import points_of, pose_of
from world_model_nodes.runtime.convert import from_time
from world_model_nodes.runtime.qos import LISTEN, STATE
from world_model_nodes.runtime.transforms import TransformLookup, TransformUnknownError
from world_model_nodes.viewer.subscriptions import SceneInputs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rclpy.node import Node

    from world_model_core.frames import Transform
    from world_model_core.gaussian import Array
    from world_model_core.view.batches import Points
    from world_model_core.view.house_answer import HouseAnswer

POSES: dict[str, Any] = {
    'state_estimation': Odometry,
    'amcl_pose': PoseWithCovarianceStamped,
}
CLOUDS = ('registered_scan', 'traversable_area')
STREAMS = (*POSES, *CLOUDS, 'camera_info')
STATES = ('object_map', 'answer')
# Time has gone back, and another run has begun, if a pose is older than the last by more [ns].
BACK_NS = NANOSECONDS_PER_SECOND
# Frame of a map that does not name its own.
MAP = 'map'


class HouseTopics:
    """
    Subscribes to the object map, the answer, and what the robot senses.

    Attributes
    ----------
    name : str
    inputs : SceneInputs or None
        None while nothing is subscribed to.

    """

    name = 'house'

    def __init__(self) -> None:
        self.inputs: SceneInputs | None = None
        self._transforms: TransformLookup | None = None
        self._forget()

    def _forget(self) -> None:
        self._frame = MAP
        self._map_text = ''
        self._objects = place_objects(())
        self._area = TraversableArea()
        self._floor: HouseFloor | None = None
        self._scan: Points | None = None
        self._robot: Transform | None = None
        self._path = RobotPath()
        self._camera: CameraInfo | None = None
        self._answer: HouseAnswer | None = None
        self._scene: HouseScene | None = None
        self._stamp_ns = self._pose_ns = self._made_of = self._new_bytes = 0

    def runs(self, topics: Mapping[str, Sequence[str]]) -> bool:
        """Return whether an object map is published."""
        return 'std_msgs/msg/String' in topics.get('object_map', ())

    def subscribe(self, node: Node) -> None:
        """Subscribe to all topics of a house."""
        inputs = SceneInputs(node, STREAMS, STATES)
        inputs.create_subscription(String, 'object_map', self._read_map, STATE)
        inputs.create_subscription(String, 'answer', self._read_answer, STATE)
        for topic, kind in POSES.items():
            inputs.create_subscription(kind, topic, self._read_pose, LISTEN)
        inputs.create_subscription(CameraInfo, 'camera_info', self._read_camera, LISTEN)
        for topic, use in zip(CLOUDS, (self._read_scan, self._read_floor), strict=True):
            inputs.create_subscription(PointCloud2, topic, partial(self._read_cloud, use), LISTEN)
        self.inputs, self._transforms = inputs, TransformLookup(node)

    def unsubscribe(self) -> None:
        """Destroy the subscriptions and forget the house."""
        if self.inputs is not None:
            self.inputs.close()
            self.inputs = None
        if self._transforms is not None:
            self._transforms.close()
            self._transforms = None
        self._forget()

    def scene(self) -> HouseScene | None:
        """Return the newest state; the same object until another message has been used."""
        if self.inputs is None or not self.inputs.version:
            return None
        if self._made_of != self.inputs.version:
            self._made_of, self._scene = self.inputs.version, self._make()
        return self._scene

    def _make(self) -> HouseScene:
        new_bytes, self._new_bytes = self._new_bytes, 0
        return HouseScene(
            time_ns=self._stamp_ns,
            size_bytes=new_bytes,
            objects=self._objects,
            floor=self._floor,
            scan=self._scan,
            robot=self._robot,
            path=self._path,
            camera=self._find_camera(),
            answer=self._answer,
        )

    def _read_map(self, message: String) -> None:
        """Parse a map, unless it is the same as before."""
        if message.data == self._map_text:
            return
        self._map_text = message.data
        document = parse_map(message.data)
        self._frame = document.frame_id or MAP
        self._objects = place_objects(document.objects)
        self._new_bytes += self._objects.size_bytes
        self._stamp_ns = document.stamp_ns or self._stamp_ns

    def _read_answer(self, message: String) -> None:
        reply = parse(message.data, 'reply')
        if reply['answer'] is not None:
            parse(write(reply['answer']), 'answer')
        self._answer = read_answer(reply)

    def _read_pose(self, message: Odometry | PoseWithCovarianceStamped) -> None:
        self._check_frame(message.header.frame_id)
        stamp_ns, self._robot = from_time(message.header.stamp), pose_of(message)
        if stamp_ns < self._pose_ns - BACK_NS:
            self._path = RobotPath()
        self._stamp_ns = self._pose_ns = stamp_ns
        self._path = self._path.extended(self._robot.translation[:2])

    def _read_camera(self, message: CameraInfo) -> None:
        self._camera = message

    def _read_cloud(self, use: Any, message: PointCloud2) -> None:
        self._check_frame(message.header.frame_id)
        use(points_of(message))

    def _read_scan(self, points: Array) -> None:
        self._scan = scan_points(points)
        self._new_bytes += self._scan.positions.nbytes

    def _read_floor(self, points: Array) -> None:
        """Add places where the robot can drive; the floor stays the same object without any."""
        known = len(self._area)
        self._area.add(points)
        if len(self._area) != known and self._area.points is not None:
            self._floor = HouseFloor(self._area.points)
            self._new_bytes += self._floor.places.nbytes

    def _find_camera(self) -> CameraFrustum | None:
        """Return the robot's camera where tf says that it is."""
        info = self._camera
        if info is None or self._transforms is None:
            return None
        corners = pinhole_corners(info.width, info.height, np.asarray(info.k).tolist())
        if corners is None:
            return None
        try:
            pose = self._transforms.find(self._frame, info.header.frame_id, 0)
        except TransformUnknownError:
            return None
        return CameraFrustum('camera', pose, corners)

    def _check_frame(self, frame_id: str) -> None:
        if frame_id != self._frame:
            raise MalformedPacketError(
                f'frame is {frame_id!r}; that of the map is {self._frame!r}'
            )

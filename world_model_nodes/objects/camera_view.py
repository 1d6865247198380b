# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Camera view of a frame from camera_info, parameters, the registered scan and tf."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sensor_msgs.msg import CameraInfo, PointCloud2

from world_model_core.errors import MalformedPacketError
from world_model_core.frames import transform_points
from world_model_core.objects.values import CameraView
from world_model_core.time import NANOSECONDS_PER_SECOND
from world_model_nodes.objects.convert_sensing import BODY_IN_CAMERA, points_of, view_angles
from world_model_nodes.runtime.convert import from_time
from world_model_nodes.runtime.qos import LISTEN
from world_model_nodes.runtime.transforms import TransformUnknownError

if TYPE_CHECKING:
    from collections.abc import Callable

    from rclpy.node import Node

    from world_model_core.frames import Transform
    from world_model_core.gaussian import Array
    from world_model_nodes.objects.object_map_config import ObjectMapConfig
    from world_model_nodes.runtime.drop_counters import DropCounters
    from world_model_nodes.runtime.input_ages import InputAges

# Maximum time between a frame and the scan used for its occlusions [ns]: a robot that passes a
# corner at 1 m/s moves half a meter in this time.
SCAN_AGE_NS = NANOSECONDS_PER_SECOND // 2
# Number of points to which scans are reduced: more than four for each square degree.
MOST_POINTS = 20_000


@dataclass(frozen=True, slots=True)
class _Scan:
    """The newest scan: its stamp [ns], and its points in the map's frame, (m, 3) [m]."""

    stamp_ns: int
    points: Array


class CameraViewInput:
    """
    Receives camera info and scans, and computes the camera view of a frame.

    Parameters
    ----------
    node : Node
        Subscribes to `camera_info` and `registered_scan`.
    config : ObjectMapConfig
    find : callable
        Returns the transform from a frame to the map, by frame id and stamp [ns].
    drops : DropCounters
        Counts messages that cannot be used.
    ages : InputAges
        Notes which topics are used.

    Attributes
    ----------
    config : ObjectMapConfig
        May be replaced.

    """

    def __init__(
        self,
        node: Node,
        config: ObjectMapConfig,
        find: Callable[[str, int], Transform],
        drops: DropCounters,
        ages: InputAges,
    ) -> None:
        self.config = config
        self._drops, self._ages = drops, ages
        self._find = find
        self._camera: CameraInfo | None = None
        self._scan: _Scan | None = None
        node.create_subscription(CameraInfo, 'camera_info', self._receive_camera_info, LISTEN)
        node.create_subscription(PointCloud2, 'registered_scan', self._receive_scan, LISTEN)

    def at(self, stamp_ns: int) -> CameraView | None:
        """Return the camera view at a stamp [ns]; None if it is unknown."""
        angles, frame_id = self._angles(), self._frame_id()
        if angles is None or not frame_id:
            return None
        try:
            sensor2map = self._find(frame_id, stamp_ns)
        except TransformUnknownError as error:
            self._drops.add(f'view.{error}', frame_id)
            return None
        self._ages.use('view')
        axes = sensor2map.rotation
        return CameraView(
            position=sensor2map.translation,
            rotation=axes if self.config.view_frame else axes @ BODY_IN_CAMERA,
            horizontal=angles[0],
            vertical=angles[1],
            near=self.config.near,
            far=self.config.far,
            points=self._points(stamp_ns),
        )

    def _angles(self) -> tuple[float, float] | None:
        """Return both angles of view [rad]; parameters take precedence."""
        across, up = self.config.horizontal_view, self.config.vertical_view
        from_camera = None if self._camera is None else view_angles(self._camera)
        if not (across and up) and from_camera is None:
            return None
        known = from_camera or (0.0, 0.0)
        return across or known[0], up or known[1]

    def _frame_id(self) -> str:
        if self.config.view_frame or self._camera is None:
            return self.config.view_frame
        return str(self._camera.header.frame_id)

    def _points(self, stamp_ns: int) -> Array | None:
        scan = self._scan
        if scan is None or abs(scan.stamp_ns - stamp_ns) > SCAN_AGE_NS:
            return None
        return scan.points

    def _receive_camera_info(self, message: CameraInfo) -> None:
        angles_given = self.config.horizontal_view and self.config.vertical_view
        if not angles_given and view_angles(message) is None:
            self._drops.add('camera_info.no angles of view', message.header.frame_id)
        elif not (self.config.view_frame or message.header.frame_id):
            self._drops.add('camera_info.no frame')
        else:
            self._camera = message
            self._ages.use('camera_info')

    def _receive_scan(self, message: PointCloud2) -> None:
        try:
            stamp_ns = from_time(message.header.stamp)
            points = points_of(message)
            scan2map = self._find(message.header.frame_id, stamp_ns)
        except MalformedPacketError as error:
            self._drops.add('registered_scan.malformed', error)
        except TransformUnknownError as error:
            self._drops.add(f'registered_scan.{error}', message.header.frame_id)
        else:
            thinned = points[:: -(-len(points) // MOST_POINTS) or 1]
            self._scan = _Scan(stamp_ns, transform_points(scan2map, thinned))
            self._ages.use('registered_scan')

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Publishers of the house simulator: sensor data and ground truth."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from geometry_msgs.msg import PoseStamped
from nav_msgs.msg import Odometry
from rosgraph_msgs.msg import Clock as ClockMessage
from sensor_msgs.msg import CameraInfo, PointCloud2
from tf2_ros import StaticTransformBroadcaster, TransformBroadcaster
from vision_msgs.msg import Detection3DArray
from visualization_msgs.msg import MarkerArray

from world_model_core.frames import Transform
from world_model_nodes.objects.convert import detections_message, objects_message
from world_model_nodes.objects.convert_sensing import (
    BODY_IN_CAMERA,
    camera_info_message,
    cloud_message,
    pose_message,
    transform_message,
)
from world_model_nodes.objects.markers import object_markers
from world_model_nodes.runtime.convert import header, to_time
from world_model_nodes.runtime.qos import CLOCK, STATE, STREAM

if TYPE_CHECKING:
    from rclpy.node import Node

    from world_model_core.simulation.house.explorer import SensorFrame
    from world_model_core.simulation.house.parameters import HouseParameters
    from world_model_core.simulation.house.values import SimulatedHouse

MAP, SENSOR, CAMERA = 'map', 'sensor', 'camera'


class HousePublishers:
    """
    Publishes sensor frames and the house.

    Parameters
    ----------
    node : Node

    """

    def __init__(self, node: Node) -> None:
        self._clock = node.create_publisher(ClockMessage, '/clock', CLOCK)
        self._detections = node.create_publisher(Detection3DArray, 'detections', STREAM)
        self._camera_info = node.create_publisher(CameraInfo, 'camera_info', STREAM)
        self._scan = node.create_publisher(PointCloud2, 'registered_scan', STREAM)
        self._pose = node.create_publisher(Odometry, 'state_estimation', STREAM)
        self._area = node.create_publisher(PointCloud2, 'traversable_area', STREAM)
        self._true_objects = node.create_publisher(Detection3DArray, 'truth/objects', STATE)
        self._true_markers = node.create_publisher(MarkerArray, 'truth/markers', STATE)
        self._true_pose = node.create_publisher(PoseStamped, 'truth/pose', STREAM)
        self._tf, self._static_tf = TransformBroadcaster(node), StaticTransformBroadcaster(node)

    def publish_house(self, house: SimulatedHouse, stamp_ns: int) -> None:
        """Publish the ground truth of a house, and the pose of the camera on the sensor."""
        self._true_objects.publish(objects_message(house.objects, stamp_ns, MAP))
        self._true_markers.publish(object_markers(house.objects, stamp_ns, MAP))
        camera2sensor = Transform(BODY_IN_CAMERA.T, np.zeros(3))
        self._static_tf.sendTransform(transform_message(camera2sensor, stamp_ns, SENSOR, CAMERA))

    def publish_frame(
        self, frame: SensorFrame, stamp_ns: int, parameters: HouseParameters
    ) -> None:
        """Publish the data of a time step [ns]: clock and pose first, then the sensor data."""
        self._clock.publish(ClockMessage(clock=to_time(stamp_ns)))
        estimated_pose, angles = frame.estimated_pose, (parameters.horizontal, parameters.vertical)
        self._tf.sendTransform(transform_message(estimated_pose, stamp_ns, MAP, SENSOR))
        self._pose.publish(pose_message(estimated_pose, stamp_ns, MAP, SENSOR))
        self._true_pose.publish(_pose_stamped(frame.pose, stamp_ns))
        info = camera_info_message(*angles, stamp_ns, CAMERA)
        if info is not None:
            self._camera_info.publish(info)
        if frame.view.points is not None:
            self._scan.publish(cloud_message(frame.view.points, stamp_ns, MAP))
        floor = np.column_stack((frame.traversable, np.zeros(len(frame.traversable))))
        self._area.publish(cloud_message(floor, stamp_ns, MAP))
        seen = replace(frame.detections, stamp_ns=stamp_ns)
        self._detections.publish(detections_message(seen, CAMERA, BODY_IN_CAMERA))


def _pose_stamped(pose: Transform, stamp_ns: int) -> PoseStamped:
    message = PoseStamped(header=header(stamp_ns, MAP))
    message.pose = pose_message(pose, stamp_ns, MAP, SENSOR).pose.pose
    return message

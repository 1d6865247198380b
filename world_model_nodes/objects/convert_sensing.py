# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Conversion of poses, cameras and scans to standard messages and back."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from geometry_msgs.msg import Quaternion, TransformStamped, Vector3
from nav_msgs.msg import Odometry
from sensor_msgs.msg import CameraInfo
from sensor_msgs_py import point_cloud2

from world_model_core.errors import MalformedPacketError
from world_model_core.frames import Transform, pose_transform, quaternion_of
from world_model_nodes.runtime.convert import header, point_of

if TYPE_CHECKING:
    from geometry_msgs.msg import PoseWithCovarianceStamped
    from geometry_msgs.msg import Transform as TransformMessage
    from sensor_msgs.msg import PointCloud2

    from world_model_core.gaussian import Array

# Rotation from body axes (x forward, y left, z up) to camera axes (REP 103: x right, y down, z
# forward).
BODY_IN_CAMERA = np.array(((0.0, -1.0, 0.0), (0.0, 0.0, -1.0), (1.0, 0.0, 0.0)))

# Maximum number of fields of a point; PCL's largest type has 12.
MOST_FIELDS = 64

# Image size of the simulated camera [pixels].
WIDTH, HEIGHT = 640, 480


def transform_of(message: TransformMessage) -> Transform:
    """
    Convert a transform of tf.

    Raises
    ------
    FrameError
        If it is not a valid pose.

    """
    place, turn = message.translation, message.rotation
    return pose_transform((place.x, place.y, place.z), (turn.x, turn.y, turn.z, turn.w))


def transform_message(a2b: Transform, stamp_ns: int, parent: str, child: str) -> TransformStamped:
    """Convert the pose of `child` (frame a) in `parent` (frame b) to a transform for tf."""
    message = TransformStamped(header=header(stamp_ns, parent), child_frame_id=child)
    x, y, z = (float(value) for value in a2b.translation)
    message.transform.translation = Vector3(x=x, y=y, z=z)
    message.transform.rotation = _quaternion(a2b)
    return message


def pose_of(message: Odometry | PoseWithCovarianceStamped) -> Transform:
    """
    Convert the pose of a robot; a covariance of zeros means unknown and becomes None.

    Raises
    ------
    FrameError
        If pose or covariance are invalid.

    """
    pose = message.pose.pose
    place, turn = pose.position, pose.orientation
    covariance = np.array(message.pose.covariance)
    return pose_transform(
        (place.x, place.y, place.z),
        (turn.x, turn.y, turn.z, turn.w),
        covariance if covariance.any() else None,
    )


def pose_message(a2b: Transform, stamp_ns: int, parent: str, child: str) -> Odometry:
    """Convert the pose of a robot to a message."""
    message = Odometry(header=header(stamp_ns, parent), child_frame_id=child)
    message.pose.pose.position = point_of(a2b.translation)
    message.pose.pose.orientation = _quaternion(a2b)
    if a2b.covariance is not None:
        message.pose.covariance = a2b.covariance.ravel()
    return message


def view_angles(message: CameraInfo) -> tuple[float, float] | None:
    """
    Return the full horizontal and vertical angles of view [rad]; None if the message has none.

    They cover the smaller half of the image in each direction, and the vertical angle holds in all
    columns.
    """
    fx, cx, fy, cy = (float(message.k[index]) for index in (0, 2, 4, 5))
    if not (fx > 0.0 and fy > 0.0 and message.width and message.height):
        return None
    across = min(cx, message.width - cx) / fx
    up = min(cy, message.height - cy) / fy
    if not (across > 0.0 and up > 0.0):
        return None
    return 2.0 * math.atan(across), 2.0 * math.atan(up / math.hypot(1.0, across))


def points_of(message: PointCloud2) -> Array:
    """
    Convert a point cloud, shape (n, 3) [m], in its own frame; invalid points are omitted.

    Raises
    ------
    MalformedPacketError
        If it has no x, y and z, too many fields, or fewer bytes than points.

    """
    check_fields(message)
    try:
        read = point_cloud2.read_points(message, ('x', 'y', 'z'))
        points = np.column_stack([read[name] for name in 'xyz']).astype(np.float64)
    except (AssertionError, KeyError, TypeError, ValueError) as error:
        raise MalformedPacketError(f'point cloud cannot be read: {error}') from error
    finite: Array = points[np.isfinite(points).all(axis=1)]
    return finite


def check_fields(message: PointCloud2) -> None:
    """
    Reject fields that would expand to very many columns.

    Raises
    ------
    MalformedPacketError
        There are more than `MOST_FIELDS`.

    """
    count = len(message.fields)
    if count > MOST_FIELDS or sum(field.count for field in message.fields) > MOST_FIELDS:
        raise MalformedPacketError(
            f'point cloud: {count} fields with their counts; the maximum is {MOST_FIELDS}'
        )


def cloud_message(points: Array, stamp_ns: int, frame_id: str) -> PointCloud2:
    """Convert points, shape (n, 3) [m], to a point cloud."""
    return point_cloud2.create_cloud_xyz32(
        header(stamp_ns, frame_id), np.ascontiguousarray(points, dtype=np.float32)
    )


def _quaternion(a2b: Transform) -> Quaternion:
    x, y, z, w = quaternion_of(a2b.rotation).tolist()
    return Quaternion(x=x, y=y, z=z, w=w)


def camera_info_message(
    horizontal: float, vertical: float, stamp_ns: int, frame_id: str
) -> CameraInfo | None:
    """
    Return the camera info for angles of view [rad]; the inverse of `view_angles`.

    None for a panorama, which no camera matrix can express.
    """
    if max(horizontal, vertical) >= math.pi:
        return None
    across = math.tan(horizontal / 2.0)
    up = math.tan(vertical / 2.0) * math.hypot(1.0, across)
    message = CameraInfo(header=header(stamp_ns, frame_id), width=WIDTH, height=HEIGHT)
    fx, fy = WIDTH / 2.0 / across, HEIGHT / 2.0 / up
    message.k = [fx, 0.0, WIDTH / 2.0, 0.0, fy, HEIGHT / 2.0, 0.0, 0.0, 1.0]
    return message

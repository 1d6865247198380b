# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Conversion of frames, ground, splats and start pose of a scene to standard messages."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

import numpy as np
from geometry_msgs.msg import Pose, Vector3
from nav_msgs.msg import OccupancyGrid, Odometry
from sensor_msgs.msg import PointCloud2, PointField
from sensor_msgs_py import point_cloud2
from tf2_msgs.msg import TFMessage

from world_model_core.bundle.geometry.heightmap_grid import ground_points, occupancy
from world_model_core.bundle.splats.splats import ColoredPoints
from world_model_core.errors import MalformedPacketError
from world_model_nodes.objects.convert_sensing import (
    check_fields,
    pose_message,
    transform_message,
)
from world_model_nodes.runtime.convert import header, point_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from world_model_core.bundle.geometry.drivable_area import DrivableArea
    from world_model_core.bundle.geometry.heightmap import Heightmap
    from world_model_core.bundle.values import InitialPose, StaticTransform

# With stamp 0 tf uses the latest transform, so that latched messages are valid at any time, also
# after time has gone back.
ANY_TIME = 0
FLOAT_BYTES = 4


def static_frames_message(frames: Iterable[StaticTransform]) -> TFMessage:
    """Convert all static transforms to one message."""
    return TFMessage(
        transforms=[
            transform_message(each.transform, ANY_TIME, each.frame_id, each.child_frame_id)
            for each in frames
        ]
    )


def heightmap_cloud(heightmap: Heightmap, frame_id: str, most: int) -> PointCloud2:
    """
    Convert the nodes of a heightmap to an organized cloud, x along its rows.

    Nodes of unknown height have z = NaN.
    """
    points = ground_points(heightmap, most)
    message = _cloud(points, ('x', 'y', 'z'), frame_id)
    message.height, message.width = points.shape[:2]
    message.row_step = message.point_step * message.width
    message.is_dense = not np.isnan(points[..., 2]).any()
    return message


def splat_cloud(points: ColoredPoints, frame_id: str) -> PointCloud2:
    """Convert colored points; rgb is a float32 with the bits 0x00RRGGBB, as in PCL."""
    red, green, blue = points.colors.astype(np.uint32).T
    rows = np.empty((len(points.positions), 4), dtype=np.float32)
    rows[:, :3] = points.positions
    rows[:, 3] = (red << 16 | green << 8 | blue).view(np.float32)
    message = _cloud(rows, ('x', 'y', 'z', 'rgb'), frame_id)
    message.is_dense = bool(np.isfinite(points.positions).all())
    return message


def colored_points_of(message: PointCloud2) -> ColoredPoints:
    """
    Convert the points of `splat_cloud`, or of another cloud with such colors; the inverse of it.

    Raises
    ------
    MalformedPacketError
        It has no x, y, z and rgb, too many fields, or fewer bytes than points.

    """
    check_fields(message)
    try:
        read = point_cloud2.read_points(message, ('x', 'y', 'z', 'rgb'))
        positions = np.column_stack([read[name] for name in 'xyz']).astype(np.float32)
        bits = np.ascontiguousarray(read['rgb'], dtype=np.float32).view(np.uint32)
    except (AssertionError, KeyError, TypeError, ValueError) as error:
        raise MalformedPacketError(f'point cloud cannot be read: {error}') from error
    colors = np.column_stack((bits >> 16, bits >> 8, bits)) & 0xFF
    return ColoredPoints(positions, colors.astype(np.uint8))


def drivable_grid(drivable: DrivableArea, heightmap: Heightmap, frame_id: str) -> OccupancyGrid:
    """
    Convert the drivable area to a grid on the nodes of the heightmap.

    The nodes are the centers of the cells: node (0, 0) of a heightmap is at its origin, while the
    origin of a grid is the outer corner of cell (0, 0), half a cell before.
    """
    cells = occupancy(drivable, heightmap)
    message = OccupancyGrid(header=header(ANY_TIME, frame_id))
    message.info.height, message.info.width = cells.shape
    message.info.resolution = heightmap.resolution
    corner = np.array(heightmap.origin) - heightmap.resolution / 2.0
    message.info.origin = Pose(position=point_of(corner))
    message.data = array('b', cells.tobytes())
    return message


def initial_pose_message(initial: InitialPose, frame_id: str, base_link: str) -> Odometry:
    """
    Convert the start pose of the robot.

    The velocity is in the map frame in the bundle, and in base_link in the message.
    """
    message = pose_message(initial.pose, ANY_TIME, frame_id, base_link)
    x, y, z = (initial.pose.rotation.T @ initial.velocity).tolist()
    message.twist.twist.linear = Vector3(x=x, y=y, z=z)
    return message


def _cloud(rows: NDArray[np.float32], names: tuple[str, ...], frame_id: str) -> PointCloud2:
    """Create an unorganized cloud of float32 fields, the last axis of `rows`."""
    step = FLOAT_BYTES * len(names)
    message = PointCloud2(header=header(ANY_TIME, frame_id), height=1, point_step=step)
    message.width = rows.size // len(names)
    message.row_step = step * message.width
    message.is_bigendian = False
    message.fields = [
        PointField(name=name, offset=FLOAT_BYTES * place, datatype=PointField.FLOAT32, count=1)
        for place, name in enumerate(names)
    ]
    # rclpy checks each element of bytes in Python, which takes seconds, but not of an array.
    message.data = array('B', rows.astype('<f4', copy=False).tobytes())
    return message

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A scene's frames, ground, splats and start to standard messages: pure functions."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

import numpy as np
from geometry_msgs.msg import Pose, Vector3
from nav_msgs.msg import OccupancyGrid, Odometry
from sensor_msgs.msg import PointCloud2, PointField
from tf2_msgs.msg import TFMessage

from world_model_core.bundle.geometry.heightmap_grid import ground_points, occupancy
from world_model_nodes.objects.convert_sensing import pose_message, transform_message
from world_model_nodes.runtime.convert import header, point_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from world_model_core.bundle.geometry.drivable_area import DrivableArea
    from world_model_core.bundle.geometry.heightmap import Heightmap
    from world_model_core.bundle.splats.colored_points import ColoredPoints
    from world_model_core.bundle.values import InitialPose, StaticTransform

# A scene holds at any time. With a stamp of zero tf takes the latest transform, so that it is seen
# in every frame, by those who come late and after time has gone back.
ANY_TIME = 0
FLOAT_BYTES = 4


def static_frames_message(frames: Iterable[StaticTransform]) -> TFMessage:
    """Express all static transforms together: who hears the message has them all."""
    return TFMessage(
        transforms=[
            transform_message(each.transform, ANY_TIME, each.frame_id, each.child_frame_id)
            for each in frames
        ]
    )


def heightmap_cloud(heightmap: Heightmap, frame_id: str, most: int) -> PointCloud2:
    """
    Express the nodes of a heightmap as an organised cloud, x along its rows.

    Nodes of which the height is not known have z = NaN.
    """
    points = ground_points(heightmap, most)
    message = _cloud(points, ('x', 'y', 'z'), frame_id)
    message.height, message.width = points.shape[:2]
    message.row_step = message.point_step * message.width
    message.is_dense = not np.isnan(points[..., 2]).any()
    return message


def splat_cloud(points: ColoredPoints, frame_id: str) -> PointCloud2:
    """Express coloured points; rgb is a float32 of which the bits are 0x00RRGGBB, as in PCL."""
    red, green, blue = points.colors.astype(np.uint32).T
    rows = np.empty((len(points.positions), 4), dtype=np.float32)
    rows[:, :3] = points.positions
    rows[:, 3] = (red << 16 | green << 8 | blue).view(np.float32)
    message = _cloud(rows, ('x', 'y', 'z', 'rgb'), frame_id)
    message.is_dense = bool(np.isfinite(points.positions).all())
    return message


def drivable_grid(drivable: DrivableArea, heightmap: Heightmap, frame_id: str) -> OccupancyGrid:
    """
    Express where one may drive, on the nodes of the heightmap.

    The nodes are the centres of the cells: a heightmap's node (0, 0) stands at its origin, but a
    grid's origin is the outer corner of its cell (0, 0), and so lies half a cell before.
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
    Express where the robot starts.

    The bundle's velocity is in the map; the message's is, as its definition asks, in base_link.
    """
    message = pose_message(initial.pose, ANY_TIME, frame_id, base_link)
    x, y, z = (initial.pose.rotation.T @ initial.velocity).tolist()
    message.twist.twist.linear = Vector3(x=x, y=y, z=z)
    return message


def _cloud(rows: NDArray[np.float32], names: tuple[str, ...], frame_id: str) -> PointCloud2:
    """Make a cloud of float32 fields, the last axis of `rows`, on one line."""
    step = FLOAT_BYTES * len(names)
    message = PointCloud2(header=header(ANY_TIME, frame_id), height=1, point_step=step)
    message.width = rows.size // len(names)
    message.row_step = step * message.width
    message.is_bigendian = False
    message.fields = [
        PointField(name=name, offset=FLOAT_BYTES * place, datatype=PointField.FLOAT32, count=1)
        for place, name in enumerate(names)
    ]
    # Of bytes rclpy checks each one in Python, which takes seconds; not so of an array.
    message.data = array('B', rows.astype('<f4', copy=False).tobytes())
    return message

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Conversion of a heightmap to grid_map_msgs/GridMap, if that package is installed."""

from __future__ import annotations

from array import array
from importlib import import_module
from typing import TYPE_CHECKING, Any

from std_msgs.msg import Float32MultiArray, MultiArrayDimension

from world_model_nodes.bundle.convert_scene import ANY_TIME
from world_model_nodes.runtime.convert import header, point_of

if TYPE_CHECKING:
    from world_model_core.bundle.geometry.heightmap import Heightmap

LAYER = 'elevation'


def _optional(package: str, name: str) -> Any:
    """Return a message type of an optional package; None if it is not installed."""
    try:
        return getattr(import_module(package), name)
    except ImportError:
        return None


GridMap = _optional('grid_map_msgs.msg', 'GridMap')


def grid_map_message(heightmap: Heightmap, frame_id: str) -> Any:
    """
    Convert a heightmap to the layer 'elevation'.

    The cells of a GridMap start at the corner with the largest x and y, x first; its pose is the
    center. Cells are centered on the nodes of the heightmap, so that the grid is half a cell wider
    on each side.
    """
    rows, columns = heightmap.heights.shape
    message = GridMap()
    message.header = header(ANY_TIME, frame_id)
    message.info.resolution = heightmap.resolution
    message.info.length_x = columns * heightmap.resolution
    message.info.length_y = rows * heightmap.resolution
    message.info.pose.position = point_of((heightmap.first_node + heightmap.last_node) / 2.0)
    message.info.pose.orientation.w = 1.0
    message.layers = message.basic_layers = [LAYER]
    layer = Float32MultiArray(data=array('f', heightmap.heights[::-1, ::-1].tobytes()))
    layer.layout.dim = [
        MultiArrayDimension(label='column_index', size=rows, stride=rows * columns),
        MultiArrayDimension(label='row_index', size=columns, stride=columns),
    ]
    message.data = [layer]
    return message

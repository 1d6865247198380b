# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Markers of the mesh and the drivable area of a scene for RViz and Foxglove."""

from __future__ import annotations

from typing import TYPE_CHECKING

import shapely
from std_msgs.msg import ColorRGBA
from visualization_msgs.msg import Marker, MarkerArray

from world_model_core.bundle.geometry.drivable_area import DRIVABLE
from world_model_core.bundle.geometry.drivable_outline import drivable_outline, raised_ground
from world_model_nodes.bundle.convert_scene import ANY_TIME
from world_model_nodes.runtime.convert import header, point_of

if TYPE_CHECKING:
    from pathlib import Path

    from world_model_core.bundle.geometry.drivable_area import DrivableArea, DrivablePolygon
    from world_model_core.bundle.geometry.heightmap import Heightmap

OUTLINE = ColorRGBA(r=0.2, g=0.9, b=0.4, a=1.0)
TEXT = ColorRGBA(r=1.0, g=1.0, b=1.0, a=1.0)
LINE_WIDTH = 0.1  # [m]
LETTERS = 1.0  # height of labels [m]
KMH = 3.6  # [km/h] per [m/s]


def mesh_marker(path: Path, frame_id: str) -> Marker:
    """
    Create a marker of a mesh file, with its own materials.

    The viewer reads the file, which must exist at the same path on its machine. The mesh is in the
    map frame, z up, and is not rotated.
    """
    marker = _marker(frame_id, 'mesh', 0, Marker.MESH_RESOURCE)
    marker.mesh_resource = path.resolve().as_uri()
    # The default color, zeros, means the colors of the materials.
    marker.mesh_use_embedded_materials = True
    marker.scale.x = marker.scale.y = marker.scale.z = 1.0
    return marker


def drivable_markers(drivable: DrivableArea, heightmap: Heightmap, frame_id: str) -> MarkerArray:
    """
    Create markers of the outline of the drivable area and of speed limits.

    The first marker deletes the markers of the previous scene.
    """
    message = MarkerArray(markers=[Marker(header=header(ANY_TIME, frame_id))])
    message.markers[0].action = Marker.DELETEALL
    message.markers.append(_outline(drivable, heightmap, frame_id))
    limited = [
        each for each in drivable.areas if each.type == DRIVABLE and each.speed_limit is not None
    ]
    message.markers += [
        _limit(area, number, heightmap, frame_id) for number, area in enumerate(limited)
    ]
    return message


def _outline(drivable: DrivableArea, heightmap: Heightmap, frame_id: str) -> Marker:
    marker = _marker(frame_id, 'outline', 0, Marker.LINE_LIST)
    marker.scale.x, marker.color = LINE_WIDTH, OUTLINE
    corners = drivable_outline(drivable, heightmap).reshape(-1, 3)
    marker.points = [point_of(place) for place in corners.tolist()]
    return marker


def _limit(area: DrivablePolygon, number: int, heightmap: Heightmap, frame_id: str) -> Marker:
    """Create the label of a speed limit inside of its area."""
    marker = _marker(frame_id, 'speed_limit', number, Marker.TEXT_VIEW_FACING)
    place = shapely.get_coordinates(area.polygon.representative_point())
    marker.pose.position = point_of(raised_ground(place, heightmap)[0])
    marker.pose.position.z += LETTERS
    marker.scale.z, marker.color = LETTERS, TEXT
    marker.text = f'{(area.speed_limit or 0.0) * KMH:.0f} km/h'
    return marker


def _marker(frame_id: str, namespace: str, number: int, kind: int) -> Marker:
    marker = Marker(header=header(ANY_TIME, frame_id), ns=namespace, id=number, type=kind)
    marker.action = Marker.ADD
    marker.pose.orientation.w = 1.0
    return marker

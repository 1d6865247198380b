# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Markers of the mesh and the drivable area of a scene."""

from __future__ import annotations

from urllib.parse import unquote

import numpy as np
import pytest
import shapely
from visualization_msgs.msg import Marker

from world_model_core.bundle.geometry.drivable_area import DrivableArea, DrivablePolygon
from world_model_core.bundle.geometry.drivable_outline import MOST_CORNERS, RAISED
from world_model_core.bundle.geometry.heightmap import Heightmap
from world_model_nodes.bundle.markers import drivable_markers, mesh_marker

# A slope: the height is x, from 0 to 99.
RISING = np.tile(np.arange(100, dtype=np.float32), (50, 1))
SLOPE = Heightmap('1.0.0', RISING, 1.0, (0.0, 0.0), (0.0, 99.0))
ROAD = DrivablePolygon(shapely.box(10.0, 10.0, 60.0, 20.0), speed_limit=50.0 / 3.6)


def outline(*areas):
    """Draw areas, and return the lines, shape (n, 2, 3)."""
    marker = drivable_markers(DrivableArea(areas), SLOPE, 'map').markers[1]
    assert marker.type == Marker.LINE_LIST
    return np.array([(p.x, p.y, p.z) for p in marker.points]).reshape(-1, 2, 3)


def test_the_mesh_is_referenced_by_its_file(tmp_path):
    """The mesh is a file:// URL with escaped characters, unscaled, with its own materials."""
    path = tmp_path / 'a scene/道路 50%.glb'
    marker = mesh_marker(path, 'map')
    assert marker.type == Marker.MESH_RESOURCE
    assert marker.mesh_resource.startswith('file:///')
    assert marker.mesh_resource.isascii()
    assert unquote(marker.mesh_resource.removeprefix('file://')) == str(path)
    assert marker.mesh_use_embedded_materials
    assert (marker.scale.x, marker.scale.y, marker.scale.z) == (1.0, 1.0, 1.0)
    assert marker.pose.orientation.w == 1.0
    # A color other than zero would tint the materials.
    assert (marker.color.r, marker.color.g, marker.color.b, marker.color.a) == (0, 0, 0, 0)


def test_the_outline_is_the_edge_of_all_areas_together():
    """Overlaps of two areas have no line; holes have one."""
    other = DrivablePolygon(shapely.box(50.0, 10.0, 80.0, 20.0))
    lines = outline(ROAD, other)
    length = np.linalg.norm(np.diff(lines[..., :2], axis=1), axis=-1).sum()
    assert length == pytest.approx(2 * (70.0 + 10.0))
    holed = DrivablePolygon(shapely.box(0, 0, 40, 40).difference(shapely.box(10, 10, 20, 20)))
    length = np.linalg.norm(np.diff(outline(holed)[..., :2], axis=1), axis=-1).sum()
    assert length == pytest.approx(160.0 + 40.0)


def test_the_outline_follows_the_ground():
    """The line is just above the ground, also along edges longer than hills."""
    lines = outline(ROAD)
    assert lines[..., 2] == pytest.approx(lines[..., 0] + RAISED)
    assert np.linalg.norm(np.diff(lines[..., :2], axis=1), axis=-1).max() <= 2.0 + 1e-9


def test_unknown_ground_gives_no_nan():
    """RViz rejects a marker with NaN."""
    beyond = DrivablePolygon(shapely.box(-20.0, -20.0, -10.0, -10.0), speed_limit=1.0)
    assert outline(beyond)[..., 2] == pytest.approx(RAISED)


def test_large_areas_have_a_bounded_number_of_corners():
    """The number of points stays small enough for RViz, also in a city."""
    city = DrivablePolygon(shapely.box(0.0, 0.0, 1e6, 1e6))
    assert len(outline(city)) <= 2 * MOST_CORNERS


def test_speed_limits_are_texts_in_their_areas():
    """The text is in km/h, as on signs; an area without a limit has none."""
    silent, pavement = (
        DrivablePolygon(shapely.box(0, 0, 5, 5), kind) for kind in ('drivable', 'pavement')
    )
    message = drivable_markers(DrivableArea((silent, ROAD, pavement)), SLOPE, 'map')
    (text,) = (marker for marker in message.markers if marker.ns == 'speed_limit')
    assert text.text == '50 km/h'
    assert ROAD.polygon.contains(shapely.Point(text.pose.position.x, text.pose.position.y))
    assert text.pose.position.z > text.pose.position.x


def test_earlier_markers_are_deleted():
    """The first marker of each message deletes all earlier ones."""
    message = drivable_markers(DrivableArea((ROAD,)), SLOPE, 'map')
    assert message.markers[0].action == Marker.DELETEALL
    keys = [(marker.ns, marker.id) for marker in message.markers]
    assert len(set(keys)) == len(keys)


def test_without_areas_there_are_no_lines():
    """A scene without drivable areas has no lines."""
    assert len(outline()) == 0


def test_lines_do_not_jump_where_the_ground_is_unknown():
    """Beyond the known ground, an outline stays at the height of its edge."""
    heights = RISING + 30.0
    heights[:, 40:] = np.nan
    ground = Heightmap('1.0.0', heights, 1.0, (0.0, 0.0), (30.0, 129.0))
    marker = drivable_markers(DrivableArea((ROAD,)), ground, 'map').markers[1]
    lines = np.array([(p.x, p.y, p.z) for p in marker.points]).reshape(-1, 2, 3)
    assert lines[..., 2].min() >= 30.0
    steps = np.abs(np.diff(lines, axis=1))
    assert steps[..., 2].max() <= steps[..., 0].max() + 1.0

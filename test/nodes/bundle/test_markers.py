# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""How the mesh and the drivable area of a scene are drawn."""

from __future__ import annotations

from urllib.parse import unquote

import numpy as np
import pytest
import shapely
from visualization_msgs.msg import Marker

from world_model_core.bundle.geometry.drivable_area import DrivableArea, DrivablePolygon
from world_model_core.bundle.geometry.heightmap import Heightmap
from world_model_nodes.bundle.markers import MOST_CORNERS, RAISED, drivable_markers, mesh_marker

# A slope: as high as x, from 0 to 99.
RISING = np.tile(np.arange(100, dtype=np.float32), (50, 1))
SLOPE = Heightmap('1.0.0', RISING, 1.0, (0.0, 0.0), (0.0, 99.0))
ROAD = DrivablePolygon(shapely.box(10.0, 10.0, 60.0, 20.0), speed_limit=50.0 / 3.6)


def outline(*areas):
    """Draw areas, and return the lines as an array, shape (n, 2, 3)."""
    marker = drivable_markers(DrivableArea(areas), SLOPE, 'map').markers[1]
    assert marker.type == Marker.LINE_LIST
    return np.array([(p.x, p.y, p.z) for p in marker.points]).reshape(-1, 2, 3)


def test_the_mesh_is_shown_by_its_file(tmp_path):
    """As a file:// address in which no letter is lost, as it is, in its own materials."""
    path = tmp_path / 'a scene/道路 50%.glb'
    marker = mesh_marker(path, 'map')
    assert marker.type == Marker.MESH_RESOURCE
    assert marker.mesh_resource.startswith('file:///')
    assert marker.mesh_resource.isascii()
    assert unquote(marker.mesh_resource.removeprefix('file://')) == str(path)
    assert marker.mesh_use_embedded_materials
    assert (marker.scale.x, marker.scale.y, marker.scale.z) == (1.0, 1.0, 1.0)
    assert marker.pose.orientation.w == 1.0
    # A colour that is not zero would tint the materials.
    assert (marker.color.r, marker.color.g, marker.color.b, marker.color.a) == (0, 0, 0, 0)


def test_the_outline_is_the_edge_of_all_areas_together():
    """Where two areas overlap there is no line; holes have one."""
    other = DrivablePolygon(shapely.box(50.0, 10.0, 80.0, 20.0))
    lines = outline(ROAD, other)
    length = np.linalg.norm(np.diff(lines[..., :2], axis=1), axis=-1).sum()
    assert length == pytest.approx(2 * (70.0 + 10.0))
    holed = DrivablePolygon(shapely.box(0, 0, 40, 40).difference(shapely.box(10, 10, 20, 20)))
    length = np.linalg.norm(np.diff(outline(holed)[..., :2], axis=1), axis=-1).sum()
    assert length == pytest.approx(160.0 + 40.0)


def test_the_outline_follows_the_ground():
    """Also along edges that are longer than hills; just above it."""
    lines = outline(ROAD)
    assert lines[..., 2] == pytest.approx(lines[..., 0] + RAISED)
    assert np.linalg.norm(np.diff(lines[..., :2], axis=1), axis=-1).max() <= 2.0 + 1e-9


def test_ground_that_is_not_known_is_no_nan():
    """RViz refuses a marker with NaN."""
    beyond = DrivablePolygon(shapely.box(-20.0, -20.0, -10.0, -10.0), speed_limit=1.0)
    assert outline(beyond)[..., 2] == pytest.approx(RAISED)


def test_large_areas_have_a_bounded_number_of_corners():
    """A city must not bring RViz to its knees."""
    city = DrivablePolygon(shapely.box(0.0, 0.0, 1e6, 1e6))
    assert len(outline(city)) <= 2 * MOST_CORNERS


def test_speed_limits_stand_in_their_areas():
    """In km/h, as signs have them; where none is given nothing is written."""
    silent, pavement = (
        DrivablePolygon(shapely.box(0, 0, 5, 5), kind) for kind in ('drivable', 'pavement')
    )
    message = drivable_markers(DrivableArea((silent, ROAD, pavement)), SLOPE, 'map')
    (text,) = (marker for marker in message.markers if marker.ns == 'speed_limit')
    assert text.text == '50 km/h'
    assert ROAD.polygon.contains(shapely.Point(text.pose.position.x, text.pose.position.y))
    assert text.pose.position.z > text.pose.position.x


def test_what_was_drawn_before_goes():
    """The first marker of each message takes all earlier ones away."""
    message = drivable_markers(DrivableArea((ROAD,)), SLOPE, 'map')
    assert message.markers[0].action == Marker.DELETEALL
    keys = [(marker.ns, marker.id) for marker in message.markers]
    assert len(set(keys)) == len(keys)


def test_no_area_is_no_line():
    """Nothing to drive on is drawn as nothing."""
    assert len(outline()) == 0

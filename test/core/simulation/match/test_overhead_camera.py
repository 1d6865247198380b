# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Cameras project as ssl-vision's calibration says, and together they see the whole field."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from world_model_core.simulation.match.field import CAMERAS, lay_out_cameras, make_geometry

POINTS = st.tuples(st.floats(-5, 5), st.floats(-4, 4), st.floats(0, 1.5))
CAMERA = st.builds(
    lambda count, index, height, distortion: lay_out_cameras(count, height, distortion)[
        index % count
    ],
    st.integers(1, 8),
    st.integers(0, 7),
    st.floats(2.0, 20.0),
    st.one_of(st.just(0.0), st.floats(1e-6, 0.5)),
)
COUNTS = pytest.mark.parametrize('count', range(1, 9))
X, Y = 4.75, 3.25  # just before the boards [m]


def look_through(calibration, pixel):
    """Give the centre and the direction of the ray of a pixel, by what is on the wire alone."""
    rotation = Rotation.from_quat(calibration.rotation)
    x, y = (np.array(pixel) - calibration.principal_point) / calibration.focal_length
    reach = 1.0 + calibration.distortion * (x * x + y * y)
    centre = -rotation.inv().apply(calibration.translation)
    return centre, rotation.inv().apply((reach * x, reach * y, 1.0))


@given(POINTS, CAMERA)
def test_ray_of_a_pixel_by_the_calibration_meets_the_point(point, camera):
    """Who goes back from our pixel by the published values comes through the point."""
    centre, ray = look_through(camera.calibration(), camera.pixel(point))
    assert camera.calibration().position == pytest.approx(centre, abs=1e-9)
    reached = centre + ray * (point[2] - centre[2]) / ray[2]
    assert reached == pytest.approx(point, abs=1e-7)


@given(POINTS, CAMERA)
def test_pixel_and_point_are_inverse(point, camera):
    """What a pixel shows at a height is what was projected to it."""
    back = camera.point(camera.pixel(point), point[2])
    assert back == pytest.approx(point[:2], abs=1e-7)


@given(POINTS, CAMERA)
def test_shadow_lies_on_the_ray_through_the_ball(point, camera):
    """Camera, ball and the place where it appears are on one line, the last on the carpet."""
    shadow = np.array((*camera.project_to_ground(point), 0.0))
    ray = np.array(point) - camera.position
    assert np.cross(ray, shadow - camera.position) == pytest.approx(np.zeros(3), abs=1e-6)
    assert camera.pixel(shadow) == pytest.approx(camera.pixel(point), abs=1e-4)


@COUNTS
def test_every_place_up_to_the_boards_is_seen(count):
    """Any number of cameras leaves no gap, even at the height of robots."""
    cameras = lay_out_cameras(count)
    assert [camera.camera_id for camera in cameras] == list(range(count))
    for x, y in product(np.linspace(-X, X, 39), np.linspace(-Y, Y, 27)):
        assert any(camera.covers((x, y, 0.149)) for camera in cameras)


@COUNTS
def test_cameras_stand_in_a_grid_and_overlap_their_neighbours(count):
    """Half a metre to each side of the line between two neighbours is seen by both."""
    cameras = lay_out_cameras(count)
    for one, other in product(cameras, cameras):
        gap = np.subtract(other.position, one.position)
        nearest = 9.0 * len({c.position[1] for c in cameras}) / count
        if np.hypot(*gap[:2]) == pytest.approx(nearest):
            middle, step = np.add(one.position, other.position) / 2, gap / np.linalg.norm(gap)
            for side in (-0.5, 0.5):
                place = (*(middle + side * step)[:2], 0.0)
                assert one.covers(place)
                assert other.covers(place)


@pytest.mark.parametrize(('count', 'rows'), [(2, 1), (3, 1), (4, 2), (6, 2), (8, 2)])
def test_rows_are_those_of_ssl_vision(count, rows):
    """Two cameras hang side by side along the field, four in a square, eight in two rows."""
    cameras = lay_out_cameras(count)
    assert len({camera.position[1] for camera in cameras}) == rows
    assert len({camera.position[0] for camera in cameras}) == count // rows


def test_geometry_tells_the_models_or_leaves_them_out():
    """Without a ball there are the field and the cameras, and no models."""
    geometry = make_geometry(None)
    assert geometry.straight is None
    assert geometry.chip is None
    assert geometry.cameras == tuple(camera.calibration() for camera in CAMERAS)

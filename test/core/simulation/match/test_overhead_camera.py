# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Overhead cameras project by ssl-vision's calibration and together cover the whole field."""

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


def ray_of_pixel(calibration, pixel):
    """Return center and direction of the ray of a pixel, from the published values only."""
    rotation = Rotation.from_quat(calibration.rotation)
    x, y = (np.array(pixel) - calibration.principal_point) / calibration.focal_length
    reach = 1.0 + calibration.distortion * (x * x + y * y)
    center = -rotation.inv().apply(calibration.translation)
    return center, rotation.inv().apply((reach * x, reach * y, 1.0))


@given(POINTS, CAMERA)
def test_ray_of_a_pixel_by_the_calibration_meets_the_point(point, camera):
    """The ray of the pixel by the published values passes through the point."""
    center, ray = ray_of_pixel(camera.calibration(), camera.pixel(point))
    assert camera.calibration().position == pytest.approx(center, abs=1e-9)
    reached = center + ray * (point[2] - center[2]) / ray[2]
    assert reached == pytest.approx(point, abs=1e-7)


@given(POINTS, CAMERA)
def test_pixel_and_point_are_inverse(point, camera):
    """Projecting a point and back at its height gives the same point."""
    back = camera.point(camera.pixel(point), point[2])
    assert back == pytest.approx(point[:2], abs=1e-7)


@given(POINTS, CAMERA)
def test_shadow_lies_on_the_ray_through_the_ball(point, camera):
    """Camera, ball and projection are on one line, and the projection is on the carpet."""
    shadow = np.array((*camera.project_to_ground(point), 0.0))
    ray = np.array(point) - camera.position
    assert np.cross(ray, shadow - camera.position) == pytest.approx(np.zeros(3), abs=1e-6)
    assert camera.pixel(shadow) == pytest.approx(camera.pixel(point), abs=1e-4)


@COUNTS
def test_every_position_up_to_the_boards_is_covered(count):
    """Any number of cameras leaves no gap, even at the height of robots."""
    cameras = lay_out_cameras(count)
    assert [camera.camera_id for camera in cameras] == list(range(count))
    for x, y in product(np.linspace(-X, X, 39), np.linspace(-Y, Y, 27)):
        assert any(camera.covers((x, y, 0.149)) for camera in cameras)


@COUNTS
def test_cameras_form_a_grid_and_overlap_their_neighbors(count):
    """Half a meter to each side of the line between two neighbors is covered by both."""
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
    """Two cameras hang along the field, four in a square, eight in two rows."""
    cameras = lay_out_cameras(count)
    assert len({camera.position[1] for camera in cameras}) == rows
    assert len({camera.position[0] for camera in cameras}) == count // rows


def test_geometry_contains_the_models_or_omits_them():
    """Without ball models there are only the field and the cameras."""
    geometry = make_geometry(None)
    assert geometry.straight is None
    assert geometry.chip is None
    assert geometry.cameras == tuple(camera.calibration() for camera in CAMERAS)

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Fields of view of calibrated cameras."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from world_model_core.match.cameras.camera_pose import CameraPose
from world_model_core.match.ssl.geometry_values import CameraCalibration
from world_model_core.simulation.match.field import lay_out_cameras

CALIBRATION = CameraCalibration(
    camera_id=0,
    focal_length=500.0,
    principal_point=(320.0, 240.0),
    distortion=0.0,
    rotation=(0.0, 0.0, 0.0, 1.0),
    translation=(0.0, 0.0, 0.0),
    position=(0.0, 0.0, 0.0),
    image_size=(640, 480),
)
ANGLES = st.tuples(*[st.floats(-np.pi, np.pi)] * 3)
POINTS = st.tuples(*[st.floats(-3.0, 3.0)] * 3)
# Columns and rows beyond the edges [px], and a pixel inside of each edge.
OUTSIDE = ((-1.0, 200.0), (641.0, 200.0), (300.0, -1.0), (300.0, 481.0))
INSIDE = ((1.0, 200.0), (639.0, 200.0), (300.0, 1.0), (300.0, 479.0))


def point_at(pixel, depth, rotation, translation):
    """Return the point of the field that has a pixel and a depth [m]."""
    x, y = (np.array(pixel) - CALIBRATION.principal_point) / CALIBRATION.focal_length
    return rotation.inv().apply(depth * np.array((x, y, 1.0)) - translation)


@given(ANGLES, POINTS, st.floats(0.2, 8.0), st.floats(0.1, 10.0))
def test_a_camera_covers_what_is_in_its_image(angles, translation, depth, length):
    """For any rotation, also of a quaternion that is not normalized, the edges must be exact."""
    rotation = Rotation.from_euler('xyz', angles)
    quaternion = tuple((length * rotation.as_quat()).tolist())
    pose = CameraPose(
        np.zeros(3), replace(CALIBRATION, rotation=quaternion, translation=translation)
    )
    for pixel in INSIDE:
        assert pose.covers(point_at(pixel, depth, rotation, translation))
        assert not pose.covers(point_at(pixel, -depth, rotation, translation))
    for pixel in OUTSIDE:
        assert not pose.covers(point_at(pixel, depth, rotation, translation))


@given(st.integers(0, 3), st.tuples(st.floats(-5, 5), st.floats(-4, 4), st.floats(0, 1.5)))
def test_a_simulated_camera_covers_what_it_publishes(index, point):
    """The camera by its published calibration must cover the same points as the simulated one."""
    camera = lay_out_cameras(4)[index]
    pose = CameraPose(np.array(camera.position), camera.calibration())
    column, row = camera.pixel(point)
    width, height = camera.image_size
    if min(abs(column), abs(column - width), abs(row), abs(row - height)) > 1e-6:
        assert pose.covers(np.array(point)) == camera.covers(point)


@pytest.mark.parametrize(
    'missing',
    [{'rotation': (0.0,) * 4}, {'image_size': None}, {'image_size': (0, 480)}],
)
def test_without_a_calibration_everything_is_covered(missing):
    """A camera without rotation or image size may see every point."""
    pose = CameraPose(np.zeros(3), replace(CALIBRATION, **missing))
    assert pose.covers(np.array((0.0, 0.0, -1.0)))
    assert pose.covers(np.array((9.0, 0.0, 1.0)))

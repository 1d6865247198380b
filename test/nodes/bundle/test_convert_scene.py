# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Conversion of the parts of a bundle to messages."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import shapely
from sensor_msgs_py import point_cloud2

from world_model_core.bundle.geometry.drivable_area import DrivableArea, DrivablePolygon
from world_model_core.bundle.geometry.heightmap import Heightmap
from world_model_core.bundle.splats.splats import ColoredPoints
from world_model_core.bundle.values import (
    CameraConvention,
    CameraModel,
    CameraSpec,
    Distortion,
    InitialPose,
    StaticTransform,
)
from world_model_core.frames import Transform, pose_transform, rotation_about_z
from world_model_nodes.bundle.convert_cameras import calibrated_camera_info
from world_model_nodes.bundle.convert_grid_map import LAYER, grid_map_message
from world_model_nodes.bundle.convert_scene import (
    drivable_grid,
    heightmap_cloud,
    initial_pose_message,
    splat_cloud,
    static_frames_message,
)
from world_model_nodes.objects.convert_sensing import pose_of, transform_of
from world_model_nodes.runtime.convert import from_time

CAMERA = CameraSpec(
    frame_id='camera_front',
    width=1920,
    height=1080,
    convention=CameraConvention.OPENCV,
    model=CameraModel.PINHOLE,
    focal=(1500.0, 1501.0),
    center=(960.0, 540.0),
    distortion=Distortion.RADTAN,
    coefficients=(0.1, 0.2, 0.3, 0.4),
    pose=Transform(np.eye(3), np.zeros(3)),
    rate=12.0,
)
FISHEYE = replace(CAMERA, model=CameraModel.FISHEYE, distortion=Distortion.EQUIDISTANT)
# Nodes at x = 10, 10.5, 11 and y = 20, 20.5; the last one is unknown.
HEIGHTS = np.array([[0, 1, 2], [3, 4, np.nan]], np.float32)
HEIGHTMAP = Heightmap('1.0.0', HEIGHTS, 0.5, (10.0, 20.0), (0.0, 4.0))


def test_a_pinhole_camera_is_complete():
    """K, R, P, size and frame are set, and Brown-Conrady's third radial term is zero."""
    message = calibrated_camera_info(CAMERA, 'camera_front')
    assert (message.width, message.height) == (1920, 1080)
    assert message.header.frame_id == 'camera_front'
    assert message.distortion_model == 'plumb_bob'
    assert message.d.tolist() == [0.1, 0.2, 0.3, 0.4, 0.0]
    matrix = np.array([[1500.0, 0.0, 960.0], [0.0, 1501.0, 540.0], [0.0, 0.0, 1.0]])
    np.testing.assert_array_equal(np.reshape(message.k, (3, 3)), matrix)
    np.testing.assert_array_equal(np.reshape(message.r, (3, 3)), np.eye(3))
    np.testing.assert_array_equal(
        np.reshape(message.p, (3, 4)), np.column_stack((matrix, np.zeros(3)))
    )


@pytest.mark.parametrize(
    'camera',
    [
        FISHEYE,
        replace(FISHEYE, model=CameraModel.PINHOLE),
        replace(FISHEYE, distortion=Distortion.RADTAN, coefficients=(0.0,) * 5),
    ],
)
def test_a_fisheye_camera_is_equidistant(camera):
    """The Kannala-Brandt lens has four coefficients in ROS, and so has an undistorted one."""
    message = calibrated_camera_info(camera, 'rear')
    assert message.distortion_model == 'equidistant'
    assert message.d.tolist() == list(camera.coefficients[:4])
    assert message.k[0] == 1500.0


def test_a_lens_without_a_name_is_not_calibrated():
    """ROS has no fisheye with Brown-Conrady distortion: zeros are better than a wrong lens."""
    message = calibrated_camera_info(replace(FISHEYE, distortion=Distortion.RADTAN), 'rear')
    assert (message.width, message.height) == (1920, 1080)
    assert message.distortion_model == ''
    assert not any((*message.k, *message.p, *message.r, *message.d))


def test_a_third_radial_term_is_kept():
    """A bundle may have one, although the contract does not."""
    camera = replace(CAMERA, coefficients=(0.1, 0.2, 0.3, 0.4, 0.5))
    assert calibrated_camera_info(camera, 'front').d.tolist() == [0.1, 0.2, 0.3, 0.4, 0.5]


def test_static_frames_are_one_message():
    """One message has all frames, with parents and children, at time 0."""
    pose = pose_transform((2.0, 0.1, 1.5), (-0.5, 0.5, -0.5, 0.5))
    frames = (
        StaticTransform('base_link', 'camera_front', pose),
        StaticTransform('base_link', 'imu', Transform(np.eye(3), np.ones(3))),
    )
    message = static_frames_message(frames)
    names = [(each.header.frame_id, each.child_frame_id) for each in message.transforms]
    assert names == [('base_link', 'camera_front'), ('base_link', 'imu')]
    assert {from_time(each.header.stamp) for each in message.transforms} == {0}
    published = transform_of(message.transforms[0].transform)
    np.testing.assert_allclose(published.rotation, pose.rotation, atol=1e-12)
    np.testing.assert_allclose(published.translation, pose.translation)


def test_the_heightmap_is_an_organized_cloud():
    """Its rows are rows, its first node is at the origin, and unknown heights are NaN."""
    message = heightmap_cloud(HEIGHTMAP, 'map', 100)
    assert (message.height, message.width) == (2, 3)
    assert (message.point_step, message.row_step) == (12, 36)
    assert not message.is_dense
    points = point_cloud2.read_points(message, ('x', 'y', 'z'))
    assert points['x'].ravel().tolist() == [10.0, 10.5, 11.0, 10.0, 10.5, 11.0]
    assert points['y'].ravel().tolist() == [20.0, 20.0, 20.0, 20.5, 20.5, 20.5]
    np.testing.assert_array_equal(points['z'].ravel(), [0.0, 1.0, 2.0, 3.0, 4.0, np.nan])


def test_ground_that_is_known_everywhere_is_dense():
    """A cloud without NaN is marked as dense."""
    known = Heightmap('1.0.0', np.zeros((2, 2), np.float32), 1.0, (0.0, 0.0), (0.0, 0.0))
    assert heightmap_cloud(known, 'map', 100).is_dense


def test_splats_have_the_colors_of_pcl():
    """The bits of the float rgb are 0x00RRGGBB."""
    points = ColoredPoints(
        np.array([[1, 2, 3], [4, 5, 6]], np.float32),
        np.array([[255, 128, 1], [0, 0, 0]], np.uint8),
    )
    message = splat_cloud(points, 'map')
    assert (message.height, message.width, message.point_step) == (1, 2, 16)
    assert [field.name for field in message.fields] == ['x', 'y', 'z', 'rgb']
    assert message.is_dense
    read = point_cloud2.read_points(message)
    assert read['z'].tolist() == [3.0, 6.0]
    assert read['rgb'].view(np.uint32).tolist() == [0xFF8001, 0]


def test_no_splats_are_an_empty_cloud():
    """A scene without visible splats is published, too."""
    nothing = ColoredPoints(np.empty((0, 3), np.float32), np.empty((0, 3), np.uint8))
    message = splat_cloud(nothing, 'map')
    assert (message.width, len(message.data)) == (0, 0)


def test_cells_are_centered_on_the_nodes_of_the_heightmap():
    """The grid's origin is half a cell before node (0, 0); x is the fastest index."""
    # Only node (0, 1), at x = 10.5, y = 20.
    drivable = DrivableArea((DrivablePolygon(shapely.box(10.4, 19.9, 10.6, 20.1)),))
    message = drivable_grid(drivable, HEIGHTMAP, 'map')
    info = message.info
    assert (info.width, info.height, info.resolution) == (3, 2, 0.5)
    assert (info.origin.position.x, info.origin.position.y) == (9.75, 19.75)
    assert info.origin.orientation.w == 1.0
    assert message.data.tolist() == [100, 0, 100, 100, 100, -1]
    index = message.data.tolist().index(0)
    center = (
        info.origin.position.x + (index % info.width + 0.5) * info.resolution,
        info.origin.position.y + (index // info.width + 0.5) * info.resolution,
    )
    assert center == (10.5, 20.0)


def test_the_start_has_a_pose_in_the_map_and_a_velocity_in_the_robots_frame():
    """A robot turned to the left that moves along y of the map moves forward."""
    heading = math.pi / 2.0
    pose = Transform(rotation_about_z(heading), np.array((1.0, 2.0, 3.0)))
    message = initial_pose_message(InitialPose(pose, np.array((0.0, 5.0, 0.0))), 'map', 'base')
    assert (message.header.frame_id, message.child_frame_id) == ('map', 'base')
    np.testing.assert_allclose(pose_of(message).rotation, pose.rotation, atol=1e-12)
    assert message.pose.pose.position.z == 3.0
    linear = message.twist.twist.linear
    assert (linear.x, linear.y, linear.z) == pytest.approx((5.0, 0.0, 0.0))


def test_a_grid_map_has_every_node_in_its_place():
    """The order of cells is that of grid_map: from the largest x and y, first along x."""
    pytest.importorskip('grid_map_msgs')
    message = grid_map_message(HEIGHTMAP, 'map')
    (layer,) = message.data
    assert (message.layers, message.basic_layers) == ([LAYER], [LAYER])
    columns, rows = (each.size for each in layer.layout.dim)
    assert [each.label for each in layer.layout.dim] == ['column_index', 'row_index']
    assert (rows, columns) == (3, 2)
    info, center = message.info, message.info.pose.position
    assert (info.length_x, info.length_y) == pytest.approx((1.5, 1.0))
    # Eigen's matrix, column by column: rows go along -x, columns along -y.
    matrix = np.reshape(layer.data, (rows, columns), order='F')
    for row in range(rows):
        for column in range(columns):
            x = center.x + info.length_x / 2.0 - (row + 0.5) * info.resolution
            y = center.y + info.length_y / 2.0 - (column + 0.5) * info.resolution
            nodes = HEIGHTS[round((y - 20.0) / 0.5), round((x - 10.0) / 0.5)]
            np.testing.assert_array_equal(matrix[row, column], nodes)

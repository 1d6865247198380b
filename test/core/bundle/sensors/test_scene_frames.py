# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Frames of a scene: unique, with calibrated sensors and optical frames for CameraInfo."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from world_model_core.bundle.sensors.scene_frames import scene_frames
from world_model_core.bundle.values import (
    CameraConvention,
    CameraModel,
    CameraSpec,
    Distortion,
    LidarSpec,
    SensorCalibration,
    StaticTransform,
)
from world_model_core.frames import Transform, compose, inverse, pose_transform

# Points along x of base_link with the axes of an image.
AHEAD = pose_transform((2.0, 0.0, 1.5), (-0.5, 0.5, -0.5, 0.5))
# The same direction with OpenGL's axes: x right, y up, z back.
AHEAD_OPENGL = pose_transform((2.0, 0.0, 1.5), (0.5, -0.5, -0.5, 0.5))
CAMERA = CameraSpec(
    frame_id='camera_front',
    width=640,
    height=480,
    convention=CameraConvention.OPENCV,
    model=CameraModel.PINHOLE,
    focal=(500.0, 501.0),
    center=(320.0, 240.0),
    distortion=Distortion.RADTAN,
    coefficients=(0.0, 0.0, 0.0, 0.0),
    pose=AHEAD,
    rate=12.0,
)
OPENGL = replace(CAMERA, convention=CameraConvention.OPENGL, pose=AHEAD_OPENGL)
LIDAR = LidarSpec(
    frame_id='lidar_top',
    model='any',
    channels=16,
    horizontal_resolution=0.003,
    vertical_view=(-0.3, 0.3),
    least_range=0.5,
    largest_range=100.0,
    pose=pose_transform((0.0, 0.0, 2.0), (0.0, 0.0, 0.0, 1.0)),
    rate=10.0,
)
NOWHERE = Transform(np.eye(3), np.zeros(3))


def frames_of(calibration, *transforms):
    """Return the frames by child."""
    made = scene_frames(transforms, calibration, 'base_link')
    frames = {each.child_frame_id: each for each in made.transforms}
    assert len(frames) == len(made.transforms)
    return frames, made.optical


@pytest.mark.parametrize('camera', [CAMERA, OPENGL])
def test_the_optical_frame_has_the_axes_of_an_image(camera):
    """Its x is the robot's right, its y down and its z ahead, for any axes of the camera."""
    frames, optical = frames_of(SensorCalibration('1.0.0', {'front': camera}, {}))
    name, pose = optical['front'], NOWHERE
    while name != 'base_link':
        pose, name = compose(pose, frames[name].transform), frames[name].frame_id
    np.testing.assert_allclose(pose.rotation, [[0, 0, 1], [-1, 0, 0], [0, -1, 0]], atol=1e-12)
    np.testing.assert_allclose(pose.translation, (2.0, 0.0, 1.5))


def test_an_existing_optical_frame_is_used():
    """Only a camera with other axes gets an additional frame below its own."""
    _, optical = frames_of(SensorCalibration('1.0.0', {'front': CAMERA, 'rear': OPENGL}, {}))
    assert optical == {'front': 'camera_front', 'rear': 'camera_front_optical'}


def test_the_calibration_takes_precedence():
    """If tf_static has one sensor elsewhere, or not at all, all are placed as calibrated."""
    transforms = (
        StaticTransform('roof', 'camera_front', AHEAD),
        StaticTransform('base_link', 'lidar_top', NOWHERE),
        StaticTransform('base_link', 'imu', NOWHERE),
    )
    frames, _ = frames_of(
        SensorCalibration('1.0.0', {'front': CAMERA}, {'top': LIDAR}), *transforms
    )
    assert set(frames) == {'camera_front', 'lidar_top', 'imu'}
    assert {each.frame_id for each in frames.values()} == {'base_link'}
    assert frames['camera_front'].transform is CAMERA.pose
    assert frames['lidar_top'].transform is LIDAR.pose
    assert frames['imu'] is transforms[2]


def test_a_chain_that_agrees_is_kept():
    """Sensors on a frame of their own stay on it if the calibration agrees."""
    roof = pose_transform((1.0, 0.0, 1.0), (0.0, 0.0, 0.6, 0.8))
    transforms = (
        StaticTransform('base_link', 'roof', roof),
        StaticTransform('roof', 'camera_front', compose(CAMERA.pose, inverse(roof))),
    )
    frames, _ = frames_of(SensorCalibration('1.0.0', {'front': CAMERA}, {}), *transforms)
    assert tuple(frames.values()) == transforms


def test_frames_in_a_circle_end():
    """If frames form a circle, sensors are placed on base_link."""
    transforms = (
        StaticTransform('camera_front', 'roof', NOWHERE),
        StaticTransform('roof', 'camera_front', NOWHERE),
    )
    frames, _ = frames_of(SensorCalibration('1.0.0', {'front': CAMERA}, {}), *transforms)
    assert frames['camera_front'].frame_id == 'base_link'
    assert frames['roof'] is transforms[0]


def test_an_optical_frame_of_the_bundle_is_used():
    """If the bundle has one for a camera with other axes, no other is made."""
    half_turn = pose_transform((0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0))
    own = StaticTransform('camera_front', 'camera_front_optical', half_turn)
    frames, optical = frames_of(SensorCalibration('1.0.0', {'front': OPENGL}, {}), own)
    assert optical == {'front': 'camera_front_optical'}
    assert set(frames) == {'camera_front', 'camera_front_optical'}


@pytest.mark.parametrize(
    'taken',
    [
        StaticTransform('camera_front', 'camera_front_optical', NOWHERE),
        StaticTransform('base_link', 'camera_front_optical', AHEAD),
    ],
)
def test_a_name_that_is_taken_is_left_alone(taken):
    """A frame that only has the name of an optical frame keeps it."""
    frames, optical = frames_of(SensorCalibration('1.0.0', {'front': OPENGL}, {}), taken)
    assert optical == {'front': 'camera_front_optical_optical'}
    assert frames['camera_front_optical'] is taken

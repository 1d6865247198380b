# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Sensors of the vehicle of the example scene: cameras of each model and convention, a LiDAR."""

from __future__ import annotations

import numpy as np

from world_model_core.bundle.values import (
    CameraConvention,
    CameraModel,
    CameraSpec,
    Distortion,
    LidarSpec,
    SensorCalibration,
    StaticTransform,
)
from world_model_core.frames import Transform, rotation_about_z

VERSION = '1.0.0'
BASE = 'base_link'
CAMERA_RATE, LIDAR_RATE = 10.0, 20.0  # [Hz]
# Axes of cameras that look along x of a frame, as columns in it (REP 103: x forward, y left,
# z up): right, down, forward; and right, up, back.
AXES = {
    CameraConvention.OPENCV: np.array(((0.0, 0.0, 1.0), (-1.0, 0.0, 0.0), (0.0, -1.0, 0.0))),
    CameraConvention.OPENGL: np.array(((0.0, 0.0, -1.0), (-1.0, 0.0, 0.0), (0.0, 1.0, 0.0))),
}


def calibration() -> SensorCalibration:
    """Return the calibration of all sensors."""
    cameras = {
        'front': _pinhole('front', 0.0, (2.0, 0.0, 1.5), CameraConvention.OPENCV),
        'left': _fisheye('left', np.pi / 2.0, (1.2, 0.9, 1.4)),
        'right': _fisheye('right', -np.pi / 2.0, (1.2, -0.9, 1.4)),
        'rear': _pinhole('rear', np.pi, (-0.9, 0.0, 1.3), CameraConvention.OPENGL),
    }
    return SensorCalibration(VERSION, cameras, {'top': _lidar()})


def static_transforms(sensors: SensorCalibration) -> tuple[StaticTransform, ...]:
    """Return the poses of all sensors as static transforms."""
    each: list[CameraSpec | LidarSpec] = [*sensors.cameras.values(), *sensors.lidars.values()]
    return tuple(StaticTransform(BASE, sensor.frame_id, sensor.pose) for sensor in each)


def _pinhole(
    name: str, heading: float, position: tuple[float, float, float], convention: CameraConvention
) -> CameraSpec:
    return CameraSpec(
        frame_id=f'camera_{name}',
        width=1280,
        height=720,
        convention=convention,
        model=CameraModel.PINHOLE,
        focal=(900.0, 900.0),
        center=(640.0, 360.0),
        distortion=Distortion.RADTAN,
        coefficients=(-0.05, 0.01, 0.0005, -0.0005),
        pose=_pose(heading, position, convention),
        rate=CAMERA_RATE,
    )


def _fisheye(name: str, heading: float, position: tuple[float, float, float]) -> CameraSpec:
    return CameraSpec(
        frame_id=f'camera_{name}',
        width=960,
        height=960,
        convention=CameraConvention.OPENCV,
        model=CameraModel.FISHEYE,
        focal=(300.0, 300.0),
        center=(480.0, 480.0),
        distortion=Distortion.EQUIDISTANT,
        coefficients=(0.02, -0.005, 0.001, 0.0),
        pose=_pose(heading, position, CameraConvention.OPENCV),
        rate=CAMERA_RATE,
    )


def _lidar() -> LidarSpec:
    return LidarSpec(
        frame_id='lidar_top',
        model='example_32',
        channels=32,
        horizontal_resolution=np.radians(0.2).item(),
        vertical_view=(np.radians(-25.0).item(), np.radians(15.0).item()),
        least_range=0.5,
        largest_range=120.0,
        pose=Transform(np.eye(3), np.array((0.6, 0.0, 2.0))),
        rate=LIDAR_RATE,
    )


def _pose(
    heading: float, position: tuple[float, float, float], convention: CameraConvention
) -> Transform:
    # Rounded: all cameras look along an axis of base_link.
    rotation = np.round(rotation_about_z(heading)) @ AXES[convention]
    return Transform(rotation, np.array(position))

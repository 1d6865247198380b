# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Static frames of a scene: calibrated sensors, and optical frames of cameras."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.bundle.sensors.sensor_poses import poses_in, same_pose, sensors
from world_model_core.bundle.values import CameraConvention, StaticTransform
from world_model_core.frames import Transform

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from world_model_core.bundle.values import CameraSpec, SensorCalibration

# Rotation by 180 degrees about x between the axes of an optical frame (x right, y down, z forward;
# REP 103) and those of OpenGL (x right, y up, z back).
OPTICAL_IN_OPENGL = np.diag((1.0, -1.0, -1.0))
# Suffix of optical frames (REP 103).
OPTICAL_SUFFIX = '_optical'


@dataclass(frozen=True, slots=True, eq=False)
class SceneFrames:
    """
    All static transforms of a scene; each frame is a child at most once.

    Attributes
    ----------
    transforms : tuple of StaticTransform
    optical : mapping of str to str
        Optical frame by the name of a camera (x right, y down, z forward), for CameraInfo.

    """

    transforms: tuple[StaticTransform, ...]
    optical: Mapping[str, str]


def scene_frames(
    transforms: Iterable[StaticTransform], calibration: SensorCalibration, base_link: str
) -> SceneFrames:
    """
    Merge tf_static.json and calibration.yaml.

    The calibration has precedence: unless both agree on all sensors, the poses of all sensors are
    those of the calibration. A camera with OpenGL axes gets an optical frame as a child.
    """
    frames = {each.child_frame_id: each for each in transforms}
    if not _is_consistent(frames, calibration, base_link):
        for _, _, sensor in sensors(calibration):
            frames[sensor.frame_id] = StaticTransform(base_link, sensor.frame_id, sensor.pose)
    optical = {}
    for name, camera in calibration.cameras.items():
        added = _optical_frame(camera, frames)
        optical[name] = camera.frame_id if added is None else added.child_frame_id
        if added is not None:
            frames[added.child_frame_id] = added
    return SceneFrames(tuple(frames.values()), optical)


def _is_consistent(
    frames: Mapping[str, StaticTransform], calibration: SensorCalibration, base_link: str
) -> bool:
    """Return whether the poses of all sensors are equal to those of the calibration."""
    poses = poses_in(base_link, frames.values())
    return all(
        sensor.frame_id in poses and same_pose(poses[sensor.frame_id], sensor.pose)
        for _, _, sensor in sensors(calibration)
    )


def _optical_frame(
    camera: CameraSpec, frames: Mapping[str, StaticTransform]
) -> StaticTransform | None:
    """Return the optical frame of a camera; None if its own frame is optical."""
    if camera.convention is CameraConvention.OPENCV:
        return None
    optical_pose = Transform(OPTICAL_IN_OPENGL, np.zeros(3))
    name = camera.frame_id + OPTICAL_SUFFIX
    while name in frames and not _is_same(frames[name], camera.frame_id, optical_pose):
        name += OPTICAL_SUFFIX
    return StaticTransform(camera.frame_id, name, optical_pose)


def _is_same(given: StaticTransform, parent: str, optical_pose: Transform) -> bool:
    """Return whether a frame of the bundle is equal to the optical frame."""
    return (
        given.frame_id == parent
        and np.allclose(given.transform.rotation, optical_pose.rotation, atol=1e-3)
        and np.allclose(given.transform.translation, optical_pose.translation, atol=1e-3)
    )

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The fixed frames of a scene: sensors as calibrated, and the optical frames of cameras."""

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

# Half a turn about x: the axes of an optical frame (x right, y down, z ahead; REP 103) in those of
# OpenGL (x right, y up, z back), and the other way round.
OPTICAL_IN_OPENGL = np.diag((1.0, -1.0, -1.0))
# REP 103: the suffix of frames that have the axes of a picture.
OPTICAL_SUFFIX = '_optical'


@dataclass(frozen=True, slots=True, eq=False)
class SceneFrames:
    """
    All static transforms of a scene, each frame once as a child.

    Attributes
    ----------
    transforms : tuple of StaticTransform
    optical : mapping of str to str
        From the name of a camera to the frame in which x is right, y down and z ahead: the one
        that a CameraInfo must name.

    """

    transforms: tuple[StaticTransform, ...]
    optical: Mapping[str, str]


def scene_frames(
    told: Iterable[StaticTransform], calibration: SensorCalibration, base_link: str
) -> SceneFrames:
    """
    Join tf_static.json and calibration.yaml.

    The calibration rules: unless tf_static has every sensor where the calibration has it, they are
    all put there. A camera with OpenGL's axes gets an optical frame below its own.
    """
    frames = {each.child_frame_id: each for each in told}
    if not _agree(frames, calibration, base_link):
        for _, _, sensor in sensors(calibration):
            frames[sensor.frame_id] = StaticTransform(base_link, sensor.frame_id, sensor.pose)
    optical = {}
    for name, camera in calibration.cameras.items():
        added = _optical_frame(camera, frames)
        optical[name] = camera.frame_id if added is None else added.child_frame_id
        if added is not None:
            frames[added.child_frame_id] = added
    return SceneFrames(tuple(frames.values()), optical)


def _agree(
    frames: Mapping[str, StaticTransform], calibration: SensorCalibration, base_link: str
) -> bool:
    """Tell whether all sensors are where the calibration has them."""
    poses = poses_in(base_link, frames.values())
    return all(
        sensor.frame_id in poses and same_pose(poses[sensor.frame_id], sensor.pose)
        for _, _, sensor in sensors(calibration)
    )


def _optical_frame(
    camera: CameraSpec, frames: Mapping[str, StaticTransform]
) -> StaticTransform | None:
    """Make the optical frame of a camera, unless its own frame is one already."""
    if camera.convention is CameraConvention.OPENCV:
        return None
    made = Transform(OPTICAL_IN_OPENGL, np.zeros(3))
    name = camera.frame_id + OPTICAL_SUFFIX
    while name in frames and not _is_same(frames[name], camera.frame_id, made):
        name += OPTICAL_SUFFIX
    return StaticTransform(camera.frame_id, name, made)


def _is_same(told: StaticTransform, parent: str, made: Transform) -> bool:
    """Tell whether a frame of the bundle's own is the optical frame."""
    return (
        told.frame_id == parent
        and np.allclose(told.transform.rotation, made.rotation, atol=1e-3)
        and np.allclose(told.transform.translation, made.translation, atol=1e-3)
    )

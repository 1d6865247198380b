# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Checks of poses for mixed conventions: quaternion order, inverse, and camera axes.

These findings are not certain, and therefore not errors: a camera may look up.
"""

from __future__ import annotations

import math
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.bundle.sensors.sensor_poses import base_frame, poses_in, same_pose, sensors
from world_model_core.bundle.values import CameraConvention
from world_model_core.files.file_findings import FileFindings
from world_model_core.files.parsed_document import pointer
from world_model_core.frames import Transform, inverse, quaternion_of, rotation_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from world_model_core.bundle.values import (
        CameraSpec,
        Manifest,
        Metadata,
        SensorCalibration,
        StaticTransform,
    )
    from world_model_core.findings import Findings
    from world_model_core.gaussian import Array

# Cameras within this angle of the vertical look up or down; level cameras roll by less than the
# second angle [rad].
VERTICAL = math.radians(30.0)
ROLLED = math.radians(30.0)
# Maximum number of transforms that are compared with all sensors.
MOST_EXPLAINED = 20
# Rotation between the axes of both conventions: 180 degrees about x.
OTHER_AXES = np.diag((1.0, -1.0, -1.0))


def reordered(rotation: Array) -> Array:
    """Return the rotation whose quaternion has w first instead of last."""
    return rotation_of(np.roll(quaternion_of(rotation), -1))


def camera_directions(
    manifest: Manifest, calibration: SensorCalibration, findings: Findings
) -> None:
    """Report cameras that look straight up or have the identity rotation."""
    file_findings = FileFindings(manifest.paths['sensors/calibration'], findings)
    for name, camera in calibration.cameras.items():
        rotation = camera.pose.rotation
        forward, _ = _view(rotation, camera.convention)
        unturned = np.allclose(rotation, np.eye(3), atol=1e-6)
        if unturned or forward[2] > math.cos(VERTICAL):
            where = pointer('cameras', name, 'extrinsics', 'rotation_quat')
            values = {
                'camera': name,
                'convention': camera.convention.value,
                'found': quaternion_text(rotation),
                'direction': f'[{", ".join(f"{each + 0.0:.3g}" for each in forward)}]',
            }
            file_findings.add('Calibration.CameraLooksVertically', where, **values)


def camera_rig(manifest: Manifest, calibration: SensorCalibration, findings: Findings) -> None:
    """
    Report a rig whose cameras would all be upright with another convention of poses.

    All cameras are checked together: one camera may look down or be rolled, but a wrong convention
    does not make all cameras of a correct rig level.
    """
    cameras = tuple(calibration.cameras.values())
    if not cameras or sum(map(_stands, cameras)) * 2 > len(cameras):
        return
    if len(cameras) == 1 and _looks_down(cameras[0]):
        return
    for code, change in RIG_SUSPICIONS.items():
        if all(_upright(change(each.pose.rotation), each.convention) for each in cameras):
            file = manifest.paths['sensors/calibration']
            found = sum(map(_stands, cameras))
            findings.add(code, file, '/cameras', found=found, count=len(cameras))
            return


RIG_SUSPICIONS: dict[str, Callable[[Array], Array]] = {
    'Calibration.LooksReordered': reordered,
    'Calibration.LooksInverted': lambda rotation: rotation.T,
    'Calibration.LooksLikeOtherAxes': lambda rotation: rotation @ OTHER_AXES,
}


def _view(rotation: Array, convention: CameraConvention) -> tuple[Array, Array]:
    """Return the viewing direction and the upward direction of the image in base_link."""
    sign = 1.0 if convention is CameraConvention.OPENCV else -1.0
    return sign * rotation[:, 2], -sign * rotation[:, 1]


def _upright(rotation: Array, convention: CameraConvention) -> bool:
    """Return whether a camera looks sideways with the top of its image up."""
    forward, top = _view(rotation, convention)
    sideways = math.hypot(forward[0], forward[1])
    if sideways < math.sin(VERTICAL):
        return False
    # `sideways` is the maximum of top[2] for a camera with this tilt.
    return bool(top[2] > math.cos(ROLLED) * sideways)


def _stands(camera: CameraSpec) -> bool:
    return _upright(camera.pose.rotation, camera.convention)


def _looks_down(camera: CameraSpec) -> bool:
    forward, _ = _view(camera.pose.rotation, camera.convention)
    return bool(forward[2] < -math.cos(VERTICAL))


def transform_causes(
    manifest: Manifest,
    calibration: SensorCalibration,
    tf_static: tuple[StaticTransform, ...],
    findings: Findings,
    metadata: Metadata | None = None,
) -> None:
    """Report the probable cause of a transform that deviates from the calibration."""
    file_findings = FileFindings(manifest.paths['sensors/tf_static'], findings)
    poses = poses_in(base_frame(metadata), tf_static)
    indices = {each.child_frame_id: index for index, each in enumerate(tf_static)}
    calibrated = {name: (each.frame_id, each.pose) for _, name, each in sensors(calibration)}
    wrong = (
        (name, frame, its)
        for name, (frame, its) in calibrated.items()
        if frame in poses and frame in indices and not same_pose(poses[frame], its)
    )
    for name, frame, its in islice(wrong, MOST_EXPLAINED):
        where, values = pointer('transforms', indices[frame]), {'sensor': name, 'found': frame}
        for code, change in TRANSFORM_SUSPICIONS.items():
            if same_pose(change(poses[frame]), its):
                file_findings.add(code, where, **values)
        for other, (its_frame, pose) in calibrated.items():
            if its_frame != frame and same_pose(poses[frame], pose):
                file_findings.add('TfStatic.LooksSwapped', where, **values, other=other)


def quaternion_text(rotation: Array) -> str:
    """Format the quaternion of a rotation."""
    return f'[{", ".join(f"{each + 0.0:.6g}" for each in quaternion_of(rotation))}]'


TRANSFORM_SUSPICIONS: dict[str, Callable[[Transform], Transform]] = {
    'TfStatic.LooksReordered': lambda pose: Transform(reordered(pose.rotation), pose.translation),
    'TfStatic.LooksInverted': inverse,
    'TfStatic.LooksTransposed': lambda pose: Transform(pose.rotation.T, pose.translation),
    'TfStatic.LooksLikeOtherAxes': lambda pose: Transform(
        pose.rotation @ OTHER_AXES, pose.translation
    ),
}

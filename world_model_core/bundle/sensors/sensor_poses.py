# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Poses of sensors in the frame of the robot's base, and their comparison."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.frames import Transform, compose

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from world_model_core.bundle.values import (
        CameraSpec,
        LidarSpec,
        Metadata,
        SensorCalibration,
        StaticTransform,
    )

__all__ = ['BASE_LINK', 'base_frame', 'distance_between', 'poses_in', 'same_pose', 'sensors']

BASE_LINK = 'base_link'
# Maximum deviation of a transform from the calibration [m, rad]: both have six decimals or more,
# and a deviation of a millimeter is not due to rounding.
TRANSLATION_TOLERANCE = 1e-4
ROTATION_TOLERANCE = 1e-4


def sensors(calibration: SensorCalibration) -> Iterator[tuple[str, str, CameraSpec | LidarSpec]]:
    """Return group in calibration.yaml, name and specification of all sensors."""
    for name, camera in calibration.cameras.items():
        yield 'cameras', name, camera
    for name, lidar in calibration.lidars.items():
        yield 'lidars', name, lidar


def base_frame(metadata: Metadata | None) -> str:
    """Return the frame of the poses in calibration.yaml."""
    return BASE_LINK if metadata is None else metadata.coordinate_system.base_link_frame


def poses_in(base: str, transforms: Iterable[StaticTransform]) -> dict[str, Transform]:
    """Return the poses in the base of all frames that are connected to it."""
    hanging: dict[str, list[StaticTransform]] = {}
    for each in transforms:
        hanging.setdefault(each.frame_id, []).append(each)
    poses = {base: Transform(np.eye(3), np.zeros(3))}
    waiting = [base]
    while waiting:
        frame = waiting.pop()
        for each in hanging.pop(frame, ()):
            poses[each.child_frame_id] = compose(each.transform, poses[frame])
            waiting.append(each.child_frame_id)
    return poses


def distance_between(one: Transform, other: Transform) -> tuple[float, float]:
    """Return the distance [m] and the angle [rad] between two poses."""
    meters = float(np.linalg.norm(one.translation - other.translation))
    # Accurate for small angles, unlike the arc cosine of the trace.
    chord = float(np.linalg.norm(one.rotation - other.rotation)) / math.sqrt(8.0)
    return meters, 2.0 * math.asin(min(chord, 1.0))


def same_pose(one: Transform, other: Transform) -> bool:
    """Return whether two poses are equal except for rounding."""
    meters, radians = distance_between(one, other)
    return meters <= TRANSLATION_TOLERANCE and radians <= ROTATION_TOLERANCE

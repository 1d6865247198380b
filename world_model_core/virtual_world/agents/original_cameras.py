# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""SIGVerse's names of the cameras of objects; camera numbers are 1 to 9, field of view in deg."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from world_model_core.frames import rotation_of
from world_model_core.virtual_world.agents.original_table import original
from world_model_core.virtual_world.shapes.file_axes import (
    orientation_along,
    orientation_to_wxyz,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.virtual_world.agents.original_access import OriginalAccess
    from world_model_core.virtual_world.agents.original_table import OriginalTable
    from world_model_core.virtual_world.values import Quaternion, Vector

__all__ = ['CAMERA_NAMES']

CAMERA_NAMES: OriginalTable = {}


@original(CAMERA_NAMES, 'getCameraViewPoint(camera=1)', 'camera(number).pose.position')
@original(CAMERA_NAMES, 'getCamPos(camera=1)', 'camera(number).pose.position')
def _position(own: OriginalAccess, camera: int = 1) -> Vector:
    return own.units.from_si(own.object.camera(camera).pose.position)


@original(
    CAMERA_NAMES, 'setCameraViewPoint(position, camera=1)', 'set_camera(number, position=...)'
)
@original(CAMERA_NAMES, 'setCamPos(position, camera=1)', 'set_camera(number, position=...)')
def _set_position(own: OriginalAccess, position: Sequence[float], camera: int = 1) -> None:
    own.object.set_camera(camera, position=own.units.to_si(position))


@original(
    CAMERA_NAMES,
    'getCameraViewVector(camera=1)',
    'the x axis of camera(number).pose.orientation',
)
@original(CAMERA_NAMES, 'getCamDir(camera=1)', 'the x axis of camera(number).pose.orientation')
def _direction(own: OriginalAccess, camera: int = 1) -> Vector:
    axes = rotation_of(own.object.camera(camera).pose.orientation)
    return own.units.from_si(axes[:, 0], 0)


@original(
    CAMERA_NAMES, 'setCameraViewVector(direction, camera=1)', 'set_camera(number, orientation=...)'
)
@original(CAMERA_NAMES, 'setCamDir(direction, camera=1)', 'set_camera(number, orientation=...)')
def _set_direction(own: OriginalAccess, direction: Sequence[float], camera: int = 1) -> None:
    own.object.set_camera(camera, orientation=orientation_along(direction))


@original(CAMERA_NAMES, 'getCamQuaternion(camera=1)', 'camera(number).pose.orientation')
def _quaternion(own: OriginalAccess, camera: int = 1) -> Quaternion:
    return orientation_to_wxyz(own.object.camera(camera).pose.orientation)


@original(CAMERA_NAMES, 'getCamFOV(camera=1)', 'camera(number).vertical_fov')
def _fov(own: OriginalAccess, camera: int = 1) -> float:
    return math.degrees(own.object.camera(camera).vertical_fov)


@original(CAMERA_NAMES, 'setCamFOV(fov, camera=1)', 'set_camera(number, vertical_fov=...)')
def _set_fov(own: OriginalAccess, fov: float, camera: int = 1) -> None:
    own.object.set_camera(camera, vertical_fov=math.radians(fov))


@original(CAMERA_NAMES, 'getCamAS(camera=1)', 'camera(number).aspect_ratio')
def _aspect_ratio(own: OriginalAccess, camera: int = 1) -> float:
    return own.object.camera(camera).aspect_ratio


@original(CAMERA_NAMES, 'setCamAS(aspect_ratio, camera=1)', 'set_camera(number, aspect_ratio=...)')
def _set_aspect_ratio(own: OriginalAccess, aspect_ratio: float, camera: int = 1) -> None:
    own.object.set_camera(camera, aspect_ratio=aspect_ratio)


@original(CAMERA_NAMES, 'getCameraLinkName(camera=1)', 'camera(number).part')
@original(CAMERA_NAMES, 'getCamLink(camera=1)', 'camera(number).part')
def _link(own: OriginalAccess, camera: int = 1) -> str:
    return own.object.camera(camera).part or own.object.parts[0]


@original(CAMERA_NAMES, 'setCamLink(part, camera=1)', 'set_camera(number, part=...)')
def _set_link(own: OriginalAccess, part: str, camera: Any = 1) -> None:
    own.object.set_camera(camera, part=part)

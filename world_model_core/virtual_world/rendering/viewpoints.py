# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""From where images are taken."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from world_model_core.virtual_world.engine.errors import UnknownPartError
from world_model_core.virtual_world.engine.poses import compose
from world_model_core.virtual_world.rendering.contexts import RenderingError

if TYPE_CHECKING:
    from world_model_core.virtual_world.engine.engine import Engine
    from world_model_core.virtual_world.values import Camera, Pose

__all__ = ['Viewpoint', 'numbered_viewpoint', 'viewpoint_of']


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """
    From where an image is taken, by a pinhole camera.

    Attributes
    ----------
    pose : Pose
        In the frame `world`; the camera looks along x, with z up in the image.
    vertical_fov : float
        Above 0 and below pi [rad].
    aspect_ratio : float
        Above 0: tangent of half the horizontal field of view per that of the vertical one. If it
        is the width of the image per height, its pixels are square.

    Raises
    ------
    RenderingError
        A number is not finite, or beyond a limit.

    """

    pose: Pose
    vertical_fov: float
    aspect_ratio: float

    def __post_init__(self) -> None:
        """Reject what has no image."""
        if not 0.0 < self.vertical_fov < math.pi:
            raise RenderingError(
                f'vertical field of view is {self.vertical_fov} rad; it must be above 0 and below '
                f'{math.pi:.4f}'
            )
        if not 0.0 < self.aspect_ratio < math.inf:
            raise RenderingError(f'aspect ratio is {self.aspect_ratio}; it must be above 0')
        if not all(map(math.isfinite, (*self.pose.position, *self.pose.orientation))):
            raise RenderingError(f'pose of the camera is {self.pose}; it must be finite')

    def intrinsics(self, width: int, height: int) -> tuple[float, float, float, float]:
        """
        Return the camera matrix of an image: fx, fy, cx, cy [pixels].

        The center of the upper left pixel is (0, 0), as in OpenCV and ROS.
        """
        half = math.tan(0.5 * self.vertical_fov)
        fx, fy = 0.5 * width / (half * self.aspect_ratio), 0.5 * height / half
        return fx, fy, 0.5 * (width - 1), 0.5 * (height - 1)


def viewpoint_of(engine: Engine, name: str, camera: Camera) -> Viewpoint:
    """
    Return the present viewpoint of a camera of an entity.

    Raises
    ------
    UnknownEntityError, UnknownPartError
        There is no such entity, or it has not the part of the camera.
    RenderingError
        The field of view or the aspect ratio of the camera is invalid.

    """
    pose = compose(engine.part_pose(name, camera.part), camera.pose)
    return Viewpoint(pose, camera.vertical_fov, camera.aspect_ratio)


def numbered_viewpoint(engine: Engine, name: str, number: int) -> Viewpoint:
    """
    Return the present viewpoint of a camera of an entity, by the id of the camera.

    Raises
    ------
    UnknownEntityError, UnknownPartError
        There is no such entity or camera.
    RenderingError
        As `viewpoint_of`.

    """
    for camera in engine.entity(name).cameras:
        if camera.id == number:
            return viewpoint_of(engine, name, camera)
    raise UnknownPartError(f'{name!r} has no camera {number}')

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Distances to what is visible in a virtual world: by rays, as lidars and SIGVerse's sensor."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import mujoco
import numpy as np

from world_model_core.errors import WorldModelError
from world_model_core.frames import pose_transform
from world_model_core.virtual_world.engine.geoms import HIDDEN

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.virtual_world.engine.engine import Engine
    from world_model_core.virtual_world.rendering.viewpoints import Viewpoint
    from world_model_core.virtual_world.values import Pose

__all__ = [
    'SensorRangeError',
    'camera_rays',
    'cast_from_camera',
    'cast_rays',
    'distance_sensor',
    'scan',
]

# Which of MuJoCo's groups of geoms 0 to 5 are seen, by default in all of its programs: not what
# only collides.
SEEN_GROUPS = np.array((1, 1, 1, 0, 0, 0), dtype=np.uint8)
# Pixels of SIGVerse's distance sensor by its number of dimensions: height, width.
SENSOR_SIZES = {0: (1, 1), 1: (1, 320), 2: (240, 320)}
LARGEST_LEVEL = 255


class SensorRangeError(WorldModelError):
    """The range of a distance sensor, or its number of dimensions, is invalid."""


def cast_rays(
    engine: Engine, origin: Array, directions: Array, farthest: float, exclude: str = ''
) -> Array:
    """
    Return the distances to the first visible surfaces of a world, in its present state.

    Parameters
    ----------
    engine : Engine
    origin : array, shape (3,)
        Start of all rays, in the frame `world` [m].
    directions : array, shape (n, 3)
        Unit vectors in the frame `world`.
    farthest : float
        Surfaces beyond are not met [m].
    exclude : str
        Name of an entity that rays pass through: the one that carries the sensor.

    Returns
    -------
    array, shape (n,)
        [m]; infinite where there is nothing.

    Raises
    ------
    UnknownEntityError

    """
    physics, count = engine.physics, len(directions)
    own = physics.handle(exclude).geoms if exclude else slice(0)
    physics.update_poses()
    distances, geoms = np.empty(count), np.empty(count, dtype=np.int32)
    groups = physics.model.geom_group
    # MuJoCo excludes one body at most, and groups.
    kept = groups[own].copy()
    groups[own] = HIDDEN
    try:
        mujoco.mj_multiRay(
            physics.model, physics.data, np.asarray(origin, dtype=np.float64),
            np.ascontiguousarray(directions, dtype=np.float64).ravel(), SEEN_GROUPS, True, -1,
            geoms, distances, None, count, farthest,
        )  # fmt: skip
    finally:
        groups[own] = kept
    missed = (distances < 0.0) | (distances > farthest)
    return np.where(missed, np.inf, distances)


def scan(
    engine: Engine,
    sensor: Pose,
    angles: Array,
    *,
    range_min: float,
    range_max: float,
    exclude: str = '',
) -> Array:
    """
    Return the exact ranges of a planar lidar.

    Parameters
    ----------
    engine : Engine
    sensor : Pose
        In the frame `world`; rays lie in its plane z = 0.
    angles : array, shape (n,)
        From its x axis about its z axis [rad].
    range_min, range_max : float
        [m]
    exclude : str
        Name of the entity that carries the sensor.

    Returns
    -------
    array, shape (n,)
        [m]; +inf where nothing is within `range_max`, -inf where something is nearer than
        `range_min` (REP 117).

    """
    pose = pose_transform(sensor.position, sensor.orientation)
    local = np.stack((np.cos(angles), np.sin(angles), np.zeros_like(angles)), axis=-1)
    found = cast_rays(engine, pose.translation, local @ pose.rotation.T, range_max, exclude)
    return np.where(found < range_min, -np.inf, found)


def camera_rays(viewpoint: Viewpoint, width: int, height: int) -> Array:
    """
    Return unit vectors through the centers of the pixels of an image.

    Parameters
    ----------
    viewpoint : Viewpoint
        Its pose does not count.
    width, height : int
        [pixels]

    Returns
    -------
    array, shape (height, width, 3)
        In the frame of the camera: x forward, y left, z up. The first row is the upper one.

    """
    up = math.tan(viewpoint.vertical_fov / 2.0)
    rows = up * (1.0 - (2.0 * np.arange(height) + 1.0) / height)
    aside = viewpoint.aspect_ratio * up
    columns = aside * (1.0 - (2.0 * np.arange(width) + 1.0) / width)
    left, above = np.meshgrid(columns, rows)
    rays = np.stack((np.ones_like(left), left, above), axis=-1)
    return np.asarray(rays / np.linalg.norm(rays, axis=-1, keepdims=True), dtype=np.float64)


def distance_sensor(
    engine: Engine,
    viewpoint: Viewpoint,
    *,
    start: float,
    end: float,
    dimensions: int = 0,
    exclude: str = '',
) -> NDArray[np.uint8]:
    """
    Return what SIGVerse's distance sensor measures with a camera.

    Parameters
    ----------
    engine : Engine
    viewpoint : Viewpoint
    start, end : float
        Distances along the ray of a pixel that give 0 and 255 [m].
    dimensions : int
        0: the center alone; 1: 320 pixels from left to right; 2: 240 rows of these.
    exclude : str
        Name of the entity that carries the camera.

    Returns
    -------
    array of uint8, shape (1, 1), (1, 320) or (240, 320)
        0 up to `start`, 255 from `end` on and where there is nothing, linear between.

    Raises
    ------
    SensorRangeError
        The range is empty or not finite, or the number of dimensions is not 0, 1 or 2.
    UnknownEntityError

    """
    if not 0.0 <= start < end < math.inf:
        raise SensorRangeError(
            f'start is {start} m and end {end} m; 0 <= start < end must hold, and both be finite'
        )
    if dimensions not in SENSOR_SIZES:
        raise SensorRangeError(f'dimensions is {dimensions}; it must be 0, 1 or 2')
    height, width = SENSOR_SIZES[dimensions]
    directions = camera_rays(viewpoint, width, height)
    found = cast_from_camera(engine, viewpoint.pose, directions, end, exclude)
    share = np.clip((found - start) / (end - start), 0.0, 1.0)
    return np.rint(LARGEST_LEVEL * share).astype(np.uint8)


def cast_from_camera(
    engine: Engine, camera: Pose, directions: Array, farthest: float, exclude: str = ''
) -> Array:
    """
    Return the distances to the first surfaces along rays of a camera.

    Parameters
    ----------
    engine : Engine
    camera : Pose
        In the frame `world`.
    directions : array, shape (..., 3)
        Unit vectors in the frame of the camera, as of `camera_rays`.
    farthest : float
        [m]
    exclude : str
        Name of the entity that carries the camera.

    Returns
    -------
    array, shape (...)
        [m]; infinite where there is nothing.

    """
    pose = pose_transform(camera.position, camera.orientation)
    turned = directions.reshape(-1, 3) @ pose.rotation.T
    found = cast_rays(engine, pose.translation, turned, farthest, exclude)
    return found.reshape(directions.shape[:-1])

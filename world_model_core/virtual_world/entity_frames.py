# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Poses and velocities between the frame `world` and the frames of entities."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.frames import (
    Transform,
    compose,
    inverse,
    pose_transform,
    quaternion_of,
    transform_points,
)
from world_model_core.virtual_world.values import Pose

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.gaussian import Array
    from world_model_core.virtual_world.values import EntityState, Vector

__all__ = ['box_in_frame', 'checked_pose', 'pose_in_frame', 'pose_in_world', 'state_in_world']


def checked_pose(position: Sequence[float], orientation: Sequence[float]) -> Pose:
    """
    Make a pose from numbers of a request.

    Parameters
    ----------
    position : sequence of float, length 3
        [m]
    orientation : sequence of float, length 4
        Quaternion xyzw of any length but zero.

    Raises
    ------
    FrameError
        A number is not finite, or the quaternion is zero.

    """
    return _pose(pose_transform(position, orientation))


def pose_in_world(pose: Pose, frame: Pose) -> Pose:
    """Convert a pose in a frame, which has a pose in `world`, to `world`."""
    return _pose(compose(_transform(pose), _transform(frame)))


def pose_in_frame(pose: Pose, frame: Pose) -> Pose:
    """Convert a pose in `world` to a frame, which has a pose in `world`."""
    return _pose(compose(_transform(pose), inverse(_transform(frame))))


def state_in_world(state: EntityState, frame: Pose) -> EntityState:
    """
    Convert pose and velocities in a frame to `world`.

    The frame has a pose in `world` and is taken as at rest: velocities are turned only.
    """
    turn = _transform(frame).rotation
    return replace(
        state,
        pose=pose_in_world(state.pose, frame),
        linear_velocity=_vector(turn @ np.array(state.linear_velocity)),
        angular_velocity=_vector(turn @ np.array(state.angular_velocity)),
    )


def box_in_frame(corners: tuple[Vector, Vector], frame: Pose) -> tuple[Vector, Vector]:
    """
    Return the smallest box along the axes of a frame around a box along the axes of `world`.

    Parameters
    ----------
    corners : tuple
        Lower and upper corner in `world` [m].
    frame : Pose
        In `world`.

    Returns
    -------
    tuple
        Lower and upper corner in the frame [m].

    """
    every = np.array(list(product(*zip(*corners, strict=True))))
    inside = transform_points(inverse(_transform(frame)), every)
    return _vector(inside.min(axis=0)), _vector(inside.max(axis=0))


def _transform(pose: Pose) -> Transform:
    return pose_transform(pose.position, pose.orientation)


def _pose(transform: Transform) -> Pose:
    x, y, z, w = quaternion_of(transform.rotation).tolist()
    return Pose(_vector(transform.translation), (x, y, z, w))


def _vector(values: Array) -> Vector:
    x, y, z = values.tolist()
    return x, y, z

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Poses in the order of MuJoCo: positions and quaternions wxyz."""

from __future__ import annotations

from typing import TYPE_CHECKING

import mujoco
import numpy as np

from world_model_core.virtual_world.values import Pose

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.virtual_world.values import Quaternion

__all__ = ['compose', 'inverse', 'pose_of', 'wxyz', 'xyzw']


def wxyz(quaternion: Quaternion) -> Quaternion:
    """Reorder a quaternion xyzw for MuJoCo."""
    x, y, z, w = quaternion
    return w, x, y, z


def xyzw(quaternion: Sequence[float]) -> Quaternion:
    """Reorder a quaternion wxyz of MuJoCo."""
    w, x, y, z = quaternion
    return x, y, z, w


def pose_of(position: Sequence[float], quaternion: Sequence[float]) -> Pose:
    """Return the pose of a position [m] and a quaternion wxyz."""
    x, y, z = position
    return Pose((x, y, z), xyzw(quaternion))


def compose(outer: Pose, inner: Pose) -> Pose:
    """Return the pose, in the frame in which `outer` is given, of what has `inner` in `outer`."""
    if inner == Pose():
        return outer
    position, quaternion = np.empty(3), np.empty(4)
    mujoco.mju_mulPose(position, quaternion, *_arrays(outer), *_arrays(inner))
    return pose_of(position.tolist(), quaternion.tolist())


def inverse(pose: Pose) -> Pose:
    """Return the pose of the parent frame in the frame of `pose`."""
    position, quaternion = np.empty(3), np.empty(4)
    mujoco.mju_negPose(position, quaternion, *_arrays(pose))
    return pose_of(position.tolist(), quaternion.tolist())


def _arrays(pose: Pose) -> tuple[np.ndarray, np.ndarray]:
    return np.array(pose.position), np.array(wxyz(pose.orientation))

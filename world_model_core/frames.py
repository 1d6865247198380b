# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Rigid transforms with covariance, which transform sensor data into the map frame.

A transform `a2b` maps points of frame a into frame b: p_b = R p_a + t. It is the pose of a in b.
Its covariance is that of geometry_msgs/PoseWithCovariance: x, y, z, then rotations about the fixed
axes x, y, z of b. The perturbation is on the left of the rotation and is added to the translation:
p_b = Exp(theta) R p_a + t + delta, where (delta, theta) has that covariance. It is not the
perturbation Exp(xi) T of the whole transform, which would rotate t as well.

To first order Exp(theta) v = v - [v]x theta, from which all Jacobians here follow (Barfoot, State
Estimation for Robotics, 2017, section 7.1).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.spatial.transform import Rotation

from world_model_core.errors import WorldModelError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from world_model_core.gaussian import Array

__all__ = [
    'FrameError',
    'Transform',
    'compose',
    'heading_of',
    'inverse',
    'is_covariance',
    'pose_covariances',
    'pose_transform',
    'quaternion_of',
    'rotation_about_z',
    'rotation_of',
    'transform_covariances',
    'transform_points',
    'yaw_of',
]

# Shorter quaternions have no reliable direction: rotations sent as float32 have errors of 1e-7.
SHORTEST_QUATERNION = 1e-6
# Tolerated rounding error of a covariance, relative to its largest element: matrices may have been
# converted to float32 and to text.
ROUNDING = 1e-6


class FrameError(WorldModelError):
    """The numbers of a pose or of its covariance are invalid."""


@dataclass(frozen=True, slots=True, eq=False)
class Transform:
    """
    A rigid transform a2b, the pose of frame a in frame b.

    Attributes
    ----------
    rotation : array, shape (3, 3)
        R: the axes of a, in b.
    translation : array, shape (3,)
        t: the origin of a, in b [m].
    covariance : array, shape (6, 6), optional
        Covariance of (delta, theta), see the module [m^2, m rad, rad^2]; None if exact.

    """

    rotation: Array
    translation: Array
    covariance: Array | None = None


def pose_transform(
    position: ArrayLike, quaternion: ArrayLike, covariance: ArrayLike | None = None
) -> Transform:
    """
    Validate the numbers of a pose and return its transform.

    Parameters
    ----------
    position : array, shape (3,)
        Origin of frame a in frame b [m].
    quaternion : array, shape (4,)
        x, y, z, w: the axes of a in b; any length but zero.
    covariance : array, shape (6, 6) or (36,), optional
        Row by row, as in geometry_msgs/PoseWithCovariance.

    Raises
    ------
    FrameError
        A number is not finite, the quaternion is zero, the covariance is not symmetric or has a
        negative eigenvalue.

    """
    translation = np.array(position, dtype=np.float64).reshape(3)
    if not np.isfinite(translation).all():
        raise FrameError(f'position is {translation.tolist()}; all three must be finite')
    rotation = rotation_of(quaternion)
    if covariance is None:
        return Transform(rotation, translation)
    matrix = np.array(covariance, dtype=np.float64).reshape(6, 6)
    if not is_covariance(matrix):
        raise FrameError(
            f'covariance is {matrix.tolist()}; it must be finite, symmetric and positive '
            'semi-definite'
        )
    return Transform(rotation, translation, matrix)


def is_covariance(matrices: Array) -> NDArray[np.bool_]:
    """
    Return which matrices are finite, symmetric and positive semi-definite, up to rounding.

    Parameters
    ----------
    matrices : array, shape (..., n, n)

    Returns
    -------
    array of bool, shape (...)

    """
    finite = np.asarray(np.isfinite(matrices).all(axis=(-2, -1)))
    clean = np.where(finite[..., None, None], matrices, 0.0)
    # Divided by their largest elements, so that squares do not overflow.
    largest = np.abs(clean).max(axis=(-2, -1), keepdims=True)
    scaled = clean / np.where(largest > 0.0, largest, 1.0)
    skewed = np.abs(scaled - scaled.swapaxes(-1, -2)).max(axis=(-2, -1))
    lowest = np.linalg.eigvalsh(scaled)[..., 0]
    sound: NDArray[np.bool_] = finite & (skewed <= ROUNDING) & (lowest >= -ROUNDING)
    return sound


def rotation_of(quaternion: ArrayLike) -> Array:
    """
    Convert quaternions xyzw, shape (..., 4) and of any norm but zero, to matrices (..., 3, 3).

    Raises
    ------
    FrameError
        A quaternion is zero or not finite.

    """
    given = np.asarray(quaternion, dtype=np.float64)
    lengths = np.linalg.norm(given, axis=-1)
    if not ((lengths > SHORTEST_QUATERNION) & np.isfinite(lengths)).all():
        raise FrameError(f'quaternion is {given.tolist()}; it must be finite and not zero')
    if not given.size:  # SciPy 1.11 has no empty rotations
        return np.empty((*given.shape[:-1], 3, 3))
    matrices = Rotation.from_quat(given.reshape(-1, 4)).as_matrix()
    return np.asarray(matrices, dtype=np.float64).reshape(*given.shape[:-1], 3, 3)


def quaternion_of(rotation: Array) -> Array:
    """Convert rotation matrices, shape (..., 3, 3), to quaternions xyzw (..., 4) with w >= 0."""
    if not rotation.size:
        return np.empty((*rotation.shape[:-2], 4))
    quaternions = Rotation.from_matrix(rotation.reshape(-1, 3, 3)).as_quat()
    signs = np.where(quaternions[:, 3:] < 0.0, -1.0, 1.0)
    return np.asarray(signs * quaternions, dtype=np.float64).reshape(*rotation.shape[:-2], 4)


def rotation_about_z(heading: float | Array) -> Array:
    """Return rotation matrices, shape (..., 3, 3), about z by `heading`, shape (...) [rad]."""
    angle = np.asarray(heading, dtype=np.float64)
    matrices = np.zeros((*angle.shape, 3, 3))
    matrices[..., 0, 0] = matrices[..., 1, 1] = np.cos(angle)
    matrices[..., 1, 0] = np.sin(angle)
    matrices[..., 0, 1] = -matrices[..., 1, 0]
    matrices[..., 2, 2] = 1.0
    return matrices


def heading_of(rotation: Array) -> Array:
    """Return the headings of rotations (..., 3, 3): the angle of the x axis about z [rad]."""
    headings: Array = np.arctan2(rotation[..., 1, 0], rotation[..., 0, 0])
    return headings


def yaw_of(quaternion: Sequence[float]) -> float:
    """Return the angle [rad] of the turned x axis about z: `heading_of` of one quaternion xyzw."""
    x, y, z, w = quaternion
    return math.atan2(2.0 * (w * z + x * y), w * w + x * x - y * y - z * z)


def compose(a2b: Transform, b2c: Transform) -> Transform:
    """
    Return a2c: first `a2b`, then `b2c`.

    The errors of both are assumed to be independent.
    """
    turned = b2c.rotation @ a2b.translation
    covariance: Array | None = None
    if a2b.covariance is not None:
        jacobian = _twice(b2c.rotation)
        covariance = jacobian @ a2b.covariance @ jacobian.T
    if b2c.covariance is not None:
        jacobian = np.eye(6)
        jacobian[:3, 3:] = -_cross(turned)
        added = jacobian @ b2c.covariance @ jacobian.T
        covariance = added if covariance is None else covariance + added
    return Transform(b2c.rotation @ a2b.rotation, turned + b2c.translation, covariance)


def inverse(a2b: Transform) -> Transform:
    """Return the inverse transform b2a."""
    back = a2b.rotation.T
    covariance = a2b.covariance
    if covariance is not None:
        jacobian = -_twice(back)
        jacobian[:3, 3:] = -back @ _cross(a2b.translation)
        covariance = jacobian @ covariance @ jacobian.T
    return Transform(back, -back @ a2b.translation, covariance)


def transform_points(a2b: Transform, points_a: Array) -> Array:
    """Transform points, shape (..., 3) [m], from frame a to frame b."""
    points_b: Array = points_a @ a2b.rotation.T + a2b.translation
    return points_b


def transform_covariances(a2b: Transform, points_a: Array, covariances_a: Array) -> Array:
    """
    Transform covariances of points from frame a to frame b, and add that of the pose of a.

    Parameters
    ----------
    a2b : Transform
    points_a : array, shape (..., 3)
        Points [m]; a rotation error affects distant points most.
    covariances_a : array, shape (..., 3, 3)
        Covariances of the points [m^2].

    Returns
    -------
    array, shape (..., 3, 3)
        In frame b, to first order: R C R^T + J S J^T with J = (I, -[R p_a]x). The correlation of
        points by the shared error of the pose is not included.

    """
    turned = a2b.rotation @ covariances_a @ a2b.rotation.T
    symmetric: Array = 0.5 * (turned + turned.swapaxes(-1, -2))
    return symmetric + pose_covariances(a2b, points_a)


def pose_covariances(a2b: Transform, points_a: Array) -> Array:
    """
    Return the covariances of points in frame b due to the pose of frame a alone.

    Parameters
    ----------
    a2b : Transform
    points_a : array, shape (..., 3)
        [m]

    Returns
    -------
    array, shape (..., 3, 3)
        J S J^T as in `transform_covariances` [m^2]; zero where the pose is exact.

    """
    if a2b.covariance is None:
        return np.zeros((*points_a.shape, 3))
    jacobian = np.zeros((*points_a.shape[:-1], 3, 6))
    jacobian[..., :3] = np.eye(3)
    jacobian[..., 3:] = -_cross(points_a @ a2b.rotation.T)
    spread = jacobian @ a2b.covariance @ jacobian.swapaxes(-1, -2)
    symmetric: Array = 0.5 * (spread + spread.swapaxes(-1, -2))
    return symmetric


def _cross(vectors: Array) -> Array:
    """Return the matrices [v]x, shape (..., 3, 3), of the cross product: [v]x u = v x u."""
    matrices = np.zeros((*vectors.shape, 3))
    x, y, z = np.moveaxis(vectors, -1, 0)
    matrices[..., 2, 1], matrices[..., 0, 2], matrices[..., 1, 0] = x, y, z
    matrices[..., 1, 2], matrices[..., 2, 0], matrices[..., 0, 1] = -x, -y, -z
    return matrices


def _twice(rotation: Array) -> Array:
    """Return the matrix, shape (6, 6), that rotates translation and rotation vector."""
    both = np.zeros((6, 6))
    both[:3, :3] = both[3:, 3:] = rotation
    return both

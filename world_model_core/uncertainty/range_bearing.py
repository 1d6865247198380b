# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Where landmarks are from a robot: range and bearing, the observation function h."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.uncertainty.input_checks import InputError, as_numbers, check_rows

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from world_model_core.gaussian import Array

__all__ = [
    'check_readings',
    'length',
    'observation_jacobian',
    'observe_exactly',
    'place_landmarks',
]


def length(ahead: Array, aside: Array) -> Array:
    """
    Return distances [m] of places ahead and aside [m].

    Simulator and densities both take this one: at the very ends of the view the last bit decides.
    """
    distance: Array = np.sqrt(ahead * ahead + aside * aside)
    return distance


def observe_exactly(poses: ArrayLike, landmarks: ArrayLike) -> Array:
    """
    Measure without any error: z = h(x, landmark).

    A landmark at the robot's own position has range 0 and, by definition, bearing 0.

    Parameters
    ----------
    poses : array_like, shape (n, 3)
        x [m], y [m], theta [rad] in the map frame.
    landmarks : array_like, shape (m, 2)
        x, y [m] in the map frame.

    Returns
    -------
    array, shape (n, m, 2)
        Range [m]; bearing [rad] from the robot's heading, left positive, from -pi to pi.

    Raises
    ------
    InputError
        The shape of an array is wrong, or a value is not finite.

    """
    poses, landmarks = check_rows('poses', poses, 3), check_rows('landmarks', landmarks, 2)
    ahead, aside = place_landmarks(poses, landmarks)
    return np.stack((length(ahead, aside), np.arctan2(aside, ahead)), axis=-1)


def observation_jacobian(poses: ArrayLike, landmarks: ArrayLike) -> Array:
    """
    Differentiate h by the pose.

    Parameters
    ----------
    poses : array_like, shape (n, 3)
    landmarks : array_like, shape (m, 2)

    Returns
    -------
    array, shape (n, m, 2, 3)
        H: rows range, bearing; columns x, y, theta.

    Raises
    ------
    InputError
        The shape of an array is wrong, a value is not finite, or a landmark is at the position of
        the robot itself, where the bearing has no derivative.

    """
    poses, landmarks = check_rows('poses', poses, 3), check_rows('landmarks', landmarks, 2)
    dx = landmarks[:, 0] - poses[:, :1]
    dy = landmarks[:, 1] - poses[:, 1:2]
    squared = dx * dx + dy * dy
    if (squared == 0.0).any():
        robot, landmark = np.argwhere(squared == 0.0)[0].tolist()
        raise InputError(
            f'landmarks[{landmark}] is 0 m from poses[{robot}]; it must be apart from it'
        )
    distance = np.sqrt(squared)
    jacobian = np.zeros((*distance.shape, 2, 3))
    jacobian[..., 0, 0], jacobian[..., 0, 1] = -dx / distance, -dy / distance
    jacobian[..., 1, 0], jacobian[..., 1, 1] = dy / squared, -dx / squared
    jacobian[..., 1, 2] = -1.0
    return jacobian


def check_readings(
    readings: ArrayLike, robots: int, landmarks: int, *, shared: bool = False
) -> Array:
    """
    Reject readings that are not of these robots and landmarks, or infinite.

    Parameters
    ----------
    readings : array_like
        NaN without a reading.
    robots, landmarks : int
    shared : bool
        Whether they may be one list, told of all robots.

    Returns
    -------
    array, shape (robots, landmarks, 2), or (1, landmarks, 2) of one list

    Raises
    ------
    InputError
        So they are.

    """
    read = as_numbers('readings', readings)
    lists = {robots, 1} if shared else {robots}
    if read.ndim != 3 or len(read) not in lists or read.shape[1:] != (landmarks, 2):
        wanted = f'{robots} or 1' if shared else f'{robots}'
        raise InputError(
            f'readings have shape {read.shape}; it must be ({wanted}, {landmarks}, 2)'
        )
    if np.isinf(read).any():
        raise InputError('readings are infinite; they must be finite, or NaN without a reading')
    return read


def place_landmarks(poses: Array, landmarks: Array) -> tuple[Array, Array]:
    """Find how far ahead of each robot and how far to its left landmarks are, shape (n, m)."""
    cos, sin = np.cos(poses[:, 2:]), np.sin(poses[:, 2:])
    dx = landmarks[:, 0] - poses[:, :1]
    dy = landmarks[:, 1] - poses[:, 1:2]
    return cos * dx + sin * dy, cos * dy - sin * dx

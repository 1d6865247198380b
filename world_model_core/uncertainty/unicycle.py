# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
A robot that drives ahead and turns: x' = f(x, u), exactly, and its derivatives.

With constant velocities nu and omega the robot runs along an arc. Its chord points to where the
robot heads half-way, theta + h with h = omega dt / 2, and is nu dt sin(h) / h long. Written so,
f needs no case for a straight line, and loses no digits near one, as the difference of two sines
over omega would (the lecture's form, Ueda, 4.2.5, and Thrun, Burgard and Fox, Probabilistic
Robotics, 5.3).

Headings are not wrapped: two poses that differ by a full turn are the same place reached in
different ways.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from world_model_core.gaussian import Array

# Half-turns [rad] below which the derivative of sin(h) / h is taken from its series: what the
# closed form loses there, 2e-16 / h, is more than the first term left out, h^9 / 4e6.
SMALL = 0.1


def move(poses: Array, velocities: Array, dt: float | Array) -> Array:
    """
    Follow arcs.

    Parameters
    ----------
    poses : array, shape (n, 3)
        x, y [m], theta [rad] in the map's frame.
    velocities : array, shape (n, 2)
        nu [m/s], omega [rad/s], constant in the step.
    dt : float, or array of shape (n,)
        For how long [s].

    Returns
    -------
    array, shape (n, 3)

    """
    half = 0.5 * velocities[:, 1] * dt
    middle = poses[:, 2] + half
    chord = velocities[:, 0] * dt * chord_ratio(half)
    moved = np.empty((len(middle), 3))
    moved[:, 0] = poses[:, 0] + chord * np.cos(middle)
    moved[:, 1] = poses[:, 1] + chord * np.sin(middle)
    moved[:, 2] = middle + half
    return moved


def move_jacobians(poses: Array, velocities: Array, dt: float) -> tuple[Array, Array]:
    """
    Differentiate `move`.

    Parameters
    ----------
    poses : array, shape (n, 3)
    velocities : array, shape (n, 2)
    dt : float

    Returns
    -------
    by_pose : array, shape (n, 3, 3)
        Of the pose after the step by the one before.
    by_velocity : array, shape (n, 3, 2)
        Of the pose after the step by nu and omega.

    """
    half = 0.5 * velocities[:, 1] * dt
    middle = poses[:, 2] + half
    ratio, slope = chord_ratio(half), chord_ratio_slope(half)
    cos, sin = np.cos(middle), np.sin(middle)
    path = velocities[:, 0] * dt
    by_pose = np.tile(np.eye(3), (len(poses), 1, 1))
    by_pose[:, 0, 2] = -path * ratio * sin
    by_pose[:, 1, 2] = path * ratio * cos
    by_velocity = np.zeros((len(poses), 3, 2))
    by_velocity[:, 0, 0] = dt * ratio * cos
    by_velocity[:, 1, 0] = dt * ratio * sin
    by_velocity[:, 0, 1] = 0.5 * dt * path * (slope * cos - ratio * sin)
    by_velocity[:, 1, 1] = 0.5 * dt * path * (slope * sin + ratio * cos)
    by_velocity[:, 2, 1] = dt
    return by_pose, by_velocity


def chord_ratio(half: Array) -> Array:
    """Divide chords by arcs, sin(h) / h, for half-turns h [rad] of any shape."""
    safe = np.where(half == 0.0, 1.0, half)
    ratio: Array = np.where(half == 0.0, 1.0, np.sin(safe) / safe)
    return ratio


def chord_ratio_slope(half: Array) -> Array:
    """Differentiate sin(h) / h by h, for half-turns h [rad] of any shape."""
    small = np.abs(half) < SMALL
    safe = np.where(small, 1.0, half)
    square = half * half
    series = half * (-1 / 3 + square * (1 / 30 + square * (-1 / 840 + square / 45360)))
    slope: Array = np.where(small, series, (np.cos(safe) - np.sin(safe) / safe) / safe)
    return slope

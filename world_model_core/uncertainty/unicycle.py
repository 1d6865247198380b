# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
The exact motion x' = f(x, u) of a unicycle, and its derivatives.

With constant velocities nu and omega the robot moves along an arc. The chord of the arc has the
direction of the robot's heading half-way, theta + h with h = omega dt / 2, and the length
nu dt sin(h) / h. In this form f needs no case for a straight line and loses no digits near one,
unlike the difference of two sines divided by omega (the lecture's form, Ueda, 4.2.5, and Thrun,
Burgard and Fox, Probabilistic Robotics, 5.3).

Headings are not wrapped: two poses that differ by a full turn are the same place, reached by
different paths.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.angles import wrap_angles

if TYPE_CHECKING:
    from world_model_core.gaussian import Array

__all__ = ['chord_ratio', 'chord_ratio_slope', 'commands_between', 'move', 'move_jacobians']

# Half-turns [rad] below which sin(h) / h and its derivative are computed by their series: there,
# the rounding error of the closed form, 2e-16 / h, exceeds the first omitted term, h^9 / 4e6.
SMALL = 0.1


def move(poses: Array, velocities: Array, dt: float | Array, out: Array | None = None) -> Array:
    """
    Move poses along arcs.

    Parameters
    ----------
    poses : array, shape (n, 3)
        x, y [m], theta [rad] in the map frame.
    velocities : array, shape (n, 2)
        nu [m/s], omega [rad/s], constant in the step.
    dt : float, or array of shape (n,)
        Duration [s].
    out : array, shape (n, 3), optional
        Output array.

    Returns
    -------
    array, shape (n, 3)
        `out`, or a new array.

    """
    half = 0.5 * velocities[:, 1] * dt
    middle = poses[:, 2] + half
    cos, sin = _point(middle)
    chord = chord_ratio(half)
    chord *= velocities[:, 0]
    chord *= dt
    cos *= chord
    sin *= chord
    moved = np.empty((len(middle), 3)) if out is None else out
    np.add(poses[:, 0], cos, out=moved[:, 0])
    np.add(poses[:, 1], sin, out=moved[:, 1])
    moved[:, 2] = middle + half
    return moved


def commands_between(before: Array, after: Array, dt: float) -> Array:
    """
    Return the velocities (n, 2), nu [m/s] and omega [rad/s], of arcs from poses to others (n, 3).

    The offset perpendicular to the chord, due to changing velocities, is ignored. Turns by more
    than half a turn are taken for turns in the other direction.
    """
    turns = wrap_angles(after[:, 2] - before[:, 2])
    cos, sin = _point(before[:, 2] + 0.5 * turns)
    chords = (after[:, 0] - before[:, 0]) * cos + (after[:, 1] - before[:, 1]) * sin
    commands: Array = np.column_stack((chords / chord_ratio(0.5 * turns), turns)) / dt
    return commands


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
        Derivative of the pose after the step with respect to the pose before.
    by_velocity : array, shape (n, 3, 2)
        Derivative of the pose after the step with respect to nu and omega.

    """
    half = 0.5 * velocities[:, 1] * dt
    middle = poses[:, 2] + half
    ratio, slope = chord_ratio(half), chord_ratio_slope(half)
    cos, sin = _point(middle)
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
    """Return chord by arc length, sin(h) / h, for half-turns h [rad], shape (n, ...)."""
    square = half * half
    # The series takes a tenth of the time of a sine; its error, h^10 / 4e7, is below rounding.
    ratio: Array = square * (1 / 362880)
    ratio -= 1 / 5040
    ratio *= square
    ratio += 1 / 120
    ratio *= square
    ratio -= 1 / 6
    ratio *= square
    ratio += 1.0
    wide = np.nonzero(square > SMALL * SMALL)
    ratio[wide] = np.sin(half[wide]) / half[wide]
    return ratio


def _point(angle: Array) -> tuple[Array, Array]:
    """
    Return cosines and sines, computed by the tangent of half the angle.

    This is as exact and faster: with AVX-512 numpy computes eight tangents at once, in a
    twentieth of the time of a sine and a cosine; without, a tangent takes less time than both.
    """
    tangent = 0.5 * angle
    np.tan(tangent, out=tangent)
    # In place: allocating memory takes longer than these few products.
    square = tangent * tangent
    part = 1.0 + square
    np.divide(1.0, part, out=part)
    tangent *= part
    tangent *= 2.0
    np.subtract(1.0, square, out=square)
    square *= part
    return square, tangent


def chord_ratio_slope(half: Array) -> Array:
    """Return the derivative of sin(h) / h for half-turns h [rad] of any shape."""
    small = np.abs(half) < SMALL
    safe = np.where(small, 1.0, half)
    square = half * half
    series = half * (-1 / 3 + square * (1 / 30 + square * (-1 / 840 + square / 45360)))
    slope: Array = np.where(small, series, (np.cos(safe) - np.sin(safe) / safe) / safe)
    return slope

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Occlusion of the ball by robots, as seen from the cameras."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from world_model_core.gaussian import Array

# Largest robot allowed: 0.18 m in diameter, 0.15 m high (Rules of the SSL 2024, 3.4.2).
ROBOT_RADIUS = 0.09
ROBOT_HEIGHT = 0.15
# An orange golf ball, 43 mm in diameter (Rules of the SSL).
BALL_RADIUS = 0.0215


def hidden_by(ball: Array, robots: Array, cameras: Sequence[Array]) -> int | None:
    """
    Find the robot that hides the ball from all cameras.

    Parameters
    ----------
    ball : array, shape (3,)
        Expected ball position [m], field frame.
    robots : array, shape (n, 2)
        Centers of the robots [m], field frame.
    cameras : sequence of array, shape (3,)
        Positions of the cameras [m], field frame. Without cameras, only a ball within a robot's
        outline is hidden.

    Returns
    -------
    int or None
        Index of the nearest robot that hides the ball from the first camera, if each camera's line
        of sight is blocked by a robot; else None.

    """
    if not len(robots):
        return None
    distances = np.hypot(*(robots - ball[:2]).T)
    if not cameras:
        blocked = [distances <= ROBOT_RADIUS]
    else:
        blocked = [_blocked(ball, robots, camera) for camera in cameras]
    if not all(mask.any() for mask in blocked):
        return None
    return int(np.where(blocked[0], distances, np.inf).argmin())


def _blocked(ball: Array, robots: Array, camera: Array) -> NDArray[np.bool_]:
    """Return which robots block the line of sight from the camera to the ball, (n,)."""
    reach = min(1.0, max(0.0, ROBOT_HEIGHT - ball[2]) / max(camera[2] - ball[2], 1e-9))
    step = reach * (camera[:2] - ball[:2])
    length = float(step @ step)
    along = (robots - ball[:2]) @ step / max(length, 1e-12)
    nearest = ball[:2] + np.clip(along, 0.0, 1.0)[:, None] * step
    return np.asarray(np.hypot(*(robots - nearest).T) <= ROBOT_RADIUS)

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Viewpoints from which all of a place is seen, and one from behind what moves in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.view.scene import Viewpoint

if TYPE_CHECKING:
    from world_model_core.frames import Transform
    from world_model_core.gaussian import Array

__all__ = ['behind', 'overviews']

UP = np.array((0.0, 0.0, 1.0))
# Where the center of a place is seen from, as parts of its diagonal: from above and from the side.
VIEWS = np.array(((0.0, -0.3, 0.55), (-0.3, -0.45, 0.25)))


def overviews(low: Array, high: Array) -> tuple[Viewpoint, Viewpoint]:
    """Return the views of a box from above and from the side; its corners, shape (3,) [m]."""
    center, span = (low + high) / 2.0, float(np.linalg.norm((high - low)[:2]))
    above, side = (_viewpoint(center + span * direction, center) for direction in VIEWS)
    return above, side


def behind(pose: Transform, distance: float, height: float) -> Viewpoint:
    """Return the view over what has a pose, x ahead, from behind and above it [m]."""
    place, ahead = pose.translation, pose.rotation[:, 0]
    return _viewpoint(place - distance * ahead + height * UP, place + ahead)


def _viewpoint(position: Array, target: Array) -> Viewpoint:
    (x, y, z), (u, v, w) = position.tolist(), target.tolist()
    return Viewpoint((x, y, z), (u, v, w))

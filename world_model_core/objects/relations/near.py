# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The relation "near": a limit on the gap between two boxes, relative to their sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.objects.relations.box_overlaps import box_distance

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.objects.relations.boxes import Boxes

    Mask: TypeAlias = NDArray[np.bool_]

__all__ = ['LOOSELY_NEAR', 'MOST_NEAR', 'is_near', 'near_limit']

# The largest gap that is near is the sum of both half diagonals, within these limits [m]: a cup is
# near the spoon next to it, a chair is near a table one step away. The loose sense doubles it.
LEAST_NEAR, MOST_NEAR = 0.3, 1.0
LOOSELY_NEAR = 2.0


def near_limit(subjects: Boxes, anchors: Boxes) -> Array:
    """Return the largest gap at which boxes are near each other [m], element by element."""
    reach: Array = _half_diagonals(subjects) + _half_diagonals(anchors)
    return np.clip(reach, LEAST_NEAR, MOST_NEAR)


def is_near(subjects: Boxes, anchors: Boxes, loose: bool) -> Mask:
    """Check whether the gap between boxes is within `near_limit`, element by element."""
    limit = near_limit(subjects, anchors) * (LOOSELY_NEAR if loose else 1.0)
    # Inscribed and circumscribed circles decide most pairs at a tenth of the cost.
    outer = subjects.footprint_radii + anchors.footprint_radii
    inner = (subjects.sizes[..., :2].min(axis=-1) + anchors.sizes[..., :2].min(axis=-1)) / 2.0
    away = subjects.centers - anchors.centers
    level = np.maximum(np.hypot(away[..., 0], away[..., 1]) - inner, 0.0)
    upright = np.abs(away[..., 2]) - (subjects.sizes[..., 2] + anchors.sizes[..., 2]) / 2.0
    upright = np.maximum(upright, 0.0)
    near: Mask = np.hypot(level, upright) <= limit
    unsure = ~near & (np.hypot(np.maximum(level + inner - outer, 0.0), upright) <= limit)
    limits = np.broadcast_to(limit, unsure.shape)[unsure]
    near[unsure] = box_distance(subjects.where(unsure), anchors.where(unsure)) <= limits
    return near


def _half_diagonals(boxes: Boxes) -> Array:
    """Return the distances from centers to corners [m]."""
    radii: Array = np.linalg.norm(boxes.sizes, axis=-1) / 2.0
    return radii

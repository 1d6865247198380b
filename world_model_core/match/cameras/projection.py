# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Projection from a camera through a point onto the carpet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.gaussian import Array

# Least height of a camera above a visible point [m].
CLEARANCE = 0.1


def project_to_carpet(position: Array, camera: Sequence[float]) -> tuple[Array, Array]:
    """
    Project a point along the ray from a camera onto the carpet.

    With C the camera and P the point: C + (P - C) Cz / (Cz - Pz). This is where ssl-vision, which
    assumes that every ball is on the carpet, reports a flying ball.

    Parameters
    ----------
    position : array, shape (3,)
        Position of the point [m], field frame.
    camera : sequence of float
        Camera center (x, y, z) [m], field frame; at least 0.1 m above the point, else clipped.

    Returns
    -------
    shadow : array, shape (2,)
        Position on the carpet [m], field frame.
    slope : array, shape (2, 3)
        Derivative of `shadow` with respect to the point.

    """
    x, y, z = camera
    stretch = z / max(z - position[2], CLEARANCE)
    aside = position[:2] - (x, y)
    slope = np.zeros((2, 3))
    slope[0, 0] = slope[1, 1] = stretch
    slope[:, 2] = aside * (stretch * stretch / z)
    shadow: Array = np.array((x, y)) + stretch * aside
    return shadow, slope

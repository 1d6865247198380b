# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Where a camera shows on the carpet what is above it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.gaussian import Array

# Nothing is seen that is not this far below a camera [m].
CLEARANCE = 0.1


def project_to_carpet(position: Array, camera: Sequence[float]) -> tuple[Array, Array]:
    """
    Follow the ray from a camera through a point on to the carpet.

    With C the camera and P the point: C + (P - C) Cz / (Cz - Pz), which is how ssl-vision, which
    takes every ball to lie on the carpet, sees a flying one.

    Parameters
    ----------
    position : array, shape (3,)
        Of the point [m], field frame.
    camera : sequence of float
        Its centre (x, y, z) [m], field frame; higher than the point by 0.1 m, or taken so.

    Returns
    -------
    shadow : array, shape (2,)
        [m], field frame.
    slope : array, shape (2, 3)
        Its derivative by the point.

    """
    x, y, z = camera
    stretch = z / max(z - position[2], CLEARANCE)
    aside = position[:2] - (x, y)
    slope = np.zeros((2, 3))
    slope[0, 0] = slope[1, 1] = stretch
    slope[:, 2] = aside * (stretch * stretch / z)
    shadow: Array = np.array((x, y)) + stretch * aside
    return shadow, slope

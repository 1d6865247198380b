# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A push by which a user of the window moves a thing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from world_model_core.gaussian import Array

__all__ = ['push_force']


def push_force(viewpoint: ArrayLike, position: ArrayLike, impulse: float, step: float) -> Array:
    """
    Return the force of a push away from a viewpoint, along the floor.

    Parameters
    ----------
    viewpoint, position : array, shape (3,)
        Of the camera and of the thing, in the frame `world` [m].
    impulse : float
        [N s]
    step : float
        Duration of the physics step in which the force acts [s].

    Returns
    -------
    array, shape (3,)
        In the frame `world` [N]; from right above, along x.

    """
    away = np.subtract(position, viewpoint)
    away[2] = 0.0
    length = float(np.hypot(away[0], away[1]))
    direction = away / length if length > 0.0 else np.array((1.0, 0.0, 0.0))
    force: Array = impulse / step * direction
    return force

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What stands or drives on the carpet and may touch a ball."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array

# A ball this near to where a robot or a post may touch it counts as touched [m].
TOUCHING = 0.04
# What moves away from a robot at less than this is still pushed or dribbled by it [m/s].
LEAVING = 0.5


class Obstacles(NamedTuple):
    """
    Robots and goal posts, about now.

    Parameters
    ----------
    places : array, shape (n, 2)
        Their centres [m], field frame.
    velocities : array, shape (n, 3)
        vx, vy [m/s], field frame, and turn rates [rad/s].
    reaches : array, shape (n,)
        Distances at which they touch a ball, centre to centre [m].

    """

    places: Array
    velocities: Array
    reaches: Array

    def touch(self, x: float, y: float) -> bool:
        """Tell whether a ball at (x, y) [m] is touched, or is about to be."""
        return bool(self._near(x, y).any())

    def hold(self, x: float, y: float, vx: float, vy: float) -> bool:
        """Tell whether a ball at (x, y) [m] goes with what touches it, by its velocity [m/s]."""
        near = self._near(x, y)
        if not near.any():
            return False
        away = (x, y) - self.places[near]
        moving = self.velocities[near]
        hull = moving[:, :2] + moving[:, 2:] * away[:, ::-1] * (-1.0, 1.0)
        along = ((vx, vy) - hull) * away
        speeds = along.sum(axis=1) / np.maximum(np.hypot(away[:, 0], away[:, 1]), 1e-6)
        return bool((speeds < LEAVING).any())

    def _near(self, x: float, y: float) -> NDArray[np.bool_]:
        dx, dy = self.places[:, 0] - x, self.places[:, 1] - y
        return np.asarray(np.hypot(dx, dy) < self.reaches + TOUCHING)


NOTHING_AROUND = Obstacles(np.empty((0, 2)), np.empty((0, 3)), np.empty(0))

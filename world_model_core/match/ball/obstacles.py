# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Contact of the ball with robots and the walls of the goals."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.match.ball.walls import Wall

# A ball within this margin of contact counts as touched [m].
TOUCHING = 0.04
# A ball that leaves a robot slower than this is still pushed or dribbled [m/s].
LEAVING = 0.5


class Obstacles(NamedTuple):
    """
    Current robots, and the walls of the goals.

    Parameters
    ----------
    places : array, shape (n, 2)
        Centers [m], field frame.
    velocities : array, shape (n, 3)
        vx, vy [m/s], field frame, and turn rates [rad/s].
    reaches : array, shape (n,)
        Distances between centers at which they touch a ball [m].
    walls : tuple of Wall
        Posts included.

    """

    places: Array
    velocities: Array
    reaches: Array
    walls: tuple[Wall, ...] = ()

    def touch(self, x: float, y: float) -> bool:
        """Return whether a robot touches, or is about to touch, a ball at (x, y) [m]."""
        return bool(self._near(x, y).any())

    def has_wall_at(self, x: float, y: float) -> bool:
        """Return whether a wall touches, or is about to touch, a ball at (x, y) [m]."""
        return any(wall.gap((x, y)) < TOUCHING for wall in self.walls)

    def hold(self, x: float, y: float, vx: float, vy: float) -> bool:
        """Return whether a ball at (x, y) [m] moves with the robot that touches it."""
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


NO_OBSTACLES = Obstacles(np.empty((0, 2)), np.empty((0, 3)), np.empty(0))

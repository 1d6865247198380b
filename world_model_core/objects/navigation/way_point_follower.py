# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Way point follower: selects the way point to which the robot is sent."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from world_model_core.objects.answer import WayPoint

__all__ = ['REACH', 'WayPointFollower']

# Rule of the challenge: a way point is reached within this distance [m].
REACH = 1.0


class WayPointFollower:
    """
    Steps through way points in their order.

    Parameters
    ----------
    way_points : tuple of WayPoint
        At least one.

    """

    def __init__(self, way_points: tuple[WayPoint, ...]) -> None:
        self._way_points = way_points
        self._index = 0

    @property
    def target(self) -> WayPoint:
        """Present way point; the last one stays."""
        return self._way_points[self._index]

    def advance(self, x: float, y: float) -> bool:
        """
        Update with the position (x, y) [m] of the robot; return whether the target has changed.

        One call advances by one way point at most, so that each of them is published.
        """
        last = self._index == len(self._way_points) - 1
        if last or math.hypot(self.target.x - x, self.target.y - y) > REACH:
            return False
        self._index += 1
        return True

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Which way point a robot on its way is to be sent to now."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from world_model_core.objects.answer import WayPoint

# The challenge's rule: the next way point counts once the robot is this near to one [m].
REACH = 1.0


class WayPointFollower:
    """
    Leads along way points, in their order.

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
        """Where to go now; at the end the last one stays."""
        return self._way_points[self._index]

    def advance(self, x: float, y: float) -> bool:
        """
        Take the robot's place (x, y) [m] into account; tell whether the target is another one.

        A robot that is near to several in a row is sent to one after the other, call by call, so
        that whoever drives it sees each of them.
        """
        last = self._index == len(self._way_points) - 1
        if last or math.hypot(self.target.x - x, self.target.y - y) > REACH:
            return False
        self._index += 1
        return True

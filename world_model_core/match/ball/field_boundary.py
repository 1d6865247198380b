# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Where predicted trajectories end: at the goals, and at the boards around the field."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from world_model_core.match.ball.occlusion import BALL_RADIUS
from world_model_core.match.ball.walls import boards, goal_walls

if TYPE_CHECKING:
    from world_model_core.match.ball.walls import Vector, Wall
    from world_model_core.match.ssl.geometry_values import FieldSize


class Obstruction(NamedTuple):
    """An end of a straight path: `distance` and `height` [m] up to it, and its normal (x, y)."""

    distance: float
    height: float
    normal: Vector


class FieldBoundary(NamedTuple):
    """
    The walls at which a ball is assumed to stop: how far they throw it back is unknown.

    Parameters
    ----------
    goals : tuple of Wall
    boards : tuple of Wall
        A ball that flies over them has left the field.
    corner : tuple of float
        Largest |x| and |y| of a ball within the boards [m].

    """

    goals: tuple[Wall, ...]
    boards: tuple[Wall, ...]
    corner: Vector

    @classmethod
    def of_field(cls, field: FieldSize) -> FieldBoundary:
        """Return the boundary of a field."""
        around = boards(field)
        x, y = around[0].start
        return cls(goal_walls(field), around, (x - BALL_RADIUS, y - BALL_RADIUS))

    def nearest_inside(self, place: Vector) -> Vector:
        """Return the nearest point within the boards to a position (x, y) [m]."""
        (x, y), (reach_x, reach_y) = place, self.corner
        return min(max(x, -reach_x), reach_x), min(max(y, -reach_y), reach_y)

    def obstructions(self, start: Vector, end: Vector) -> list[Obstruction]:
        """Return the walls on a straight path between two points (x, y) [m], nearest first."""
        if self.nearest_inside(start) != start:
            normal = start[0] - end[0], start[1] - end[1]
            return [Obstruction(0.0, math.inf, normal)]
        length, found = math.dist(start, end), []
        for wall in (*self.goals, *self.boards):
            bounce = wall.bounce(start, end)
            if bounce is not None:
                height = wall.height if wall in self.goals else math.inf
                found.append(Obstruction(bounce.share * length, height, bounce.normal))
        return sorted(found)

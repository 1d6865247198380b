# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The walls that stop or reflect a ball: those of the goals, posts included, and the boards."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from world_model_core.match.ball.occlusion import BALL_RADIUS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.match.ssl.geometry_values import FieldSize

__all__ = ['Bounce', 'Wall', 'boards', 'find_bounce', 'goal_walls']

Vector = tuple[float, float]

# Thickness of the walls of a goal, which are outside its inner width and depth, and their height
# where vision does not send it (Rules of the SSL 2024, 2.3 "Goals") [m].
GOAL_THICKNESS, GOAL_HEIGHT = 0.02, 0.155
# Height of the boards around the field (Rules of the SSL 2024, 2.1) [m].
BOARD_HEIGHT = 0.1


class Bounce(NamedTuple):
    """A bounce at a `share` (0 to 1) of a path; `normal` (x, y) points away from the wall."""

    share: float
    normal: Vector


@dataclass(frozen=True, slots=True)
class Wall:
    """
    An upright wall with rounded ends.

    Parameters
    ----------
    start, end : tuple of float
        Ends (x, y) of its center line [m], field frame.
    thickness, height : float
        [m].

    """

    start: Vector
    end: Vector
    thickness: float
    height: float

    @property
    def reach(self) -> float:
        """Distance of the center of a ball from the center line when they touch [m]."""
        return 0.5 * self.thickness + BALL_RADIUS

    def gap(self, place: Vector) -> float:
        """Return the distance between the surfaces of a ball at (x, y) [m] and of the wall."""
        return math.hypot(*self._offset(place)) - self.reach

    def bounce(self, start: Vector, end: Vector) -> Bounce | None:
        """Return the first bounce of a ball on the straight path between two points [m]."""
        offset = self._offset(start)
        if math.hypot(*offset) <= self.reach:
            return _facing(0.0, offset, start, end)
        shares = sorted(
            share for share in self._crossings(complex(*start), complex(*end)) if 0 <= share <= 1
        )
        for share in shares:
            there = tuple(a + share * (b - a) for a, b in zip(start, end, strict=True))
            offset = self._offset((there[0], there[1]))
            if math.hypot(*offset) <= self.reach * (1.0 + 1e-9):
                return _facing(share, offset, start, end)
        return None

    def _offset(self, place: Vector) -> Vector:
        """Return the vector from the nearest point of the center line to a point [m]."""
        start, end, point = complex(*self.start), complex(*self.end), complex(*place)
        along = end - start
        share = ((point - start) * along.conjugate()).real / abs(along) ** 2
        gap = point - start - min(max(share, 0.0), 1.0) * along
        return gap.real, gap.imag

    def _crossings(self, start: complex, end: complex) -> list[float]:
        """Return the shares of a path at which it meets the outline, extended beyond it."""
        ends = complex(*self.start), complex(*self.end)
        axis = (ends[1] - ends[0]) / abs(ends[1] - ends[0])
        step, across = end - start, (end - start) * axis.conjugate()
        found = []
        if across.imag:
            beside = ((start - ends[0]) * axis.conjugate()).imag
            found += [(sign * self.reach - beside) / across.imag for sign in (-1.0, 1.0)]
        for center in ends:
            # |start + share step - center|^2 = reach^2
            a, b = abs(step) ** 2, ((start - center) * step.conjugate()).real
            root = b * b - a * (abs(start - center) ** 2 - self.reach**2)
            if a and root >= 0.0:
                found.append((-b - math.sqrt(root)) / a)
        return found


def _facing(share: float, offset: Vector, start: Vector, end: Vector) -> Bounce | None:
    """Return a bounce if the path leads into the wall, and not along or away from it."""
    length = math.hypot(*offset)
    dx, dy = end[0] - start[0], end[1] - start[1]
    if dx * offset[0] + dy * offset[1] >= 0.0 or not length:
        return None
    return Bounce(share, (offset[0] / length, offset[1] / length))


def goal_walls(field: FieldSize) -> tuple[Wall, ...]:
    """Return the back wall and the two side walls of both goals; the sides end in the posts."""
    half = 0.5 * GOAL_THICKNESS
    side = 0.5 * field.goal_width + half
    front, back = 0.5 * field.length + half, 0.5 * field.length + field.goal_depth + half
    height = GOAL_HEIGHT if field.goal_height is None else field.goal_height
    return tuple(
        Wall((sign * x0, y0), (sign * x1, y1), GOAL_THICKNESS, height)
        for sign in (1.0, -1.0)
        for x0, y0, x1, y1 in (
            (back, -side, back, side),
            (front, side, back, side),
            (front, -side, back, -side),
        )
    )


def boards(field: FieldSize) -> tuple[Wall, ...]:
    """Return the boards at the outer edge of the boundary of the field."""
    behind_goal = field.boundary_width_goal_line
    x = 0.5 * field.length + (field.boundary_width if behind_goal is None else behind_goal)
    y = 0.5 * field.width + field.boundary_width
    corners = ((x, y), (-x, y), (-x, -y), (x, -y))
    return tuple(
        Wall(corner, corners[index - 1], 0.0, BOARD_HEIGHT) for index, corner in enumerate(corners)
    )


def find_bounce(walls: Sequence[Wall], start: Vector, end: Vector) -> Bounce | None:
    """
    Return the first bounce of a ball that moves straight along the carpet.

    Parameters
    ----------
    walls : sequence of Wall
    start, end : tuple of float
        Position of the center of the ball (x, y) [m], field frame.

    Returns
    -------
    Bounce or None
        None where the path meets no wall, or leads away from the one that it touches.

    """
    found = [bounce for wall in walls if (bounce := wall.bounce(start, end)) is not None]
    return min(found, key=lambda bounce: bounce.share, default=None)

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The field of a match as marks: carpet, lines, arcs, goals and boards."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.match.ball.walls import boards, goal_walls
from world_model_core.view.batches import UPRIGHT, Boxes, Lines
from world_model_core.view.colors import BOARD, CARPET, WALL, WHITE, array_of
from world_model_core.view.poses import heading_quaternions

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.match.ball.walls import Wall
    from world_model_core.match.ssl.geometry_values import FieldArc, FieldSize
    from world_model_core.view.batches import Colors
    from world_model_core.view.scene import Marks

__all__ = ['Pitch', 'chords']

# Largest angle of a chord of an arc, and most chords of an arc whose angles make no sense.
ARC_STEP, MOST_CHORDS = math.radians(6.0), 120
# Heights of the lines above the carpet, so that they are not hidden by it [m].
LINE_HEIGHT = 0.004
CARPET_THICKNESS = 0.02
# Boards are drawn at least this thick [m].
LEAST_THICKNESS = 0.03


@dataclass(frozen=True, eq=False)
class Pitch:
    """
    A field; its marks are the same objects each time.

    Attributes
    ----------
    size : FieldSize
        With lines and arcs.

    """

    size: FieldSize

    @property
    def length(self) -> float:
        """Length of the carpet along x [m]."""
        beyond = self.size.boundary_width_goal_line
        margin = self.size.boundary_width if beyond is None else beyond
        return self.size.length + 2.0 * margin

    @property
    def width(self) -> float:
        """Width of the carpet along y [m]."""
        return self.size.width + 2.0 * self.size.boundary_width

    @cached_property
    def marks(self) -> Marks:
        """Carpet, lines, goals and boards."""
        return {
            'match/field/carpet': self._carpet(),
            'match/field/lines': self._lines(),
            'match/field/goals': _boxes('goal', goal_walls(self.size), array_of(WALL)),
            'match/field/boards': _boxes('board', boards(self.size), array_of(BOARD)),
        }

    def _carpet(self) -> Boxes:
        center = (0.0, 0.0, -0.5 * CARPET_THICKNESS)
        size = (self.length, self.width, CARPET_THICKNESS)
        return Boxes(('field',), np.array([center]), UPRIGHT, np.array([size]), array_of(CARPET))

    def _lines(self) -> Lines:
        straight = [(line.start, line.end) for line in self.size.lines]
        parts = [np.array(straight).reshape(-1, 2, 2), *map(chords, self.size.arcs)]
        return Lines(on_ground(np.concatenate(parts)), array_of(WHITE), 2.0)


def chords(arc: FieldArc) -> Array:
    """Return the chords of an arc, shape (n, 2, 2) [m]."""
    turn = arc.end - arc.start
    count = math.ceil(min(max(abs(turn) / ARC_STEP, 1.0), MOST_CHORDS)) + 1
    angles = np.linspace(arc.start, arc.end, count)
    points = np.array(arc.center) + arc.radius * np.column_stack((np.cos(angles), np.sin(angles)))
    return np.stack((points[:-1], points[1:]), axis=1)


def on_ground(points: Array) -> Array:
    """Return points (..., 2) at the height of lines, (..., 3) [m]."""
    raised = np.full((*points.shape[:-1], 3), LINE_HEIGHT)
    raised[..., :2] = points
    return raised


def _boxes(name: str, walls: tuple[Wall, ...], color: Colors) -> Boxes:
    """Return walls as boxes that stand on the ground."""
    starts, ends = (np.array([getattr(wall, end) for wall in walls]) for end in ('start', 'end'))
    steps, heights = ends - starts, np.array([wall.height for wall in walls])
    thicknesses = np.maximum([wall.thickness for wall in walls], LEAST_THICKNESS)
    lengths = np.hypot(*steps.T) + thicknesses
    return Boxes(
        (name,) * len(walls),
        np.column_stack((0.5 * (starts + ends), 0.5 * heights)),
        heading_quaternions(np.arctan2(steps[:, 1], steps[:, 0])),
        np.column_stack((lengths, thicknesses, heights)),
        color,
    )

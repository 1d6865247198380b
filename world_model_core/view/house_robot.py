# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The robot in a house: where it is and where it has been."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.frames import heading_of
from world_model_core.objects.navigation.costmap import ROBOT_RADIUS
from world_model_core.view.batches import UPRIGHT, Cylinders, Lines, Meshes
from world_model_core.view.colors import HOUSE_ROBOT, PATH, WHITE, array_of
from world_model_core.view.poses import heading_quaternions
from world_model_core.view.shapes import ARROW

if TYPE_CHECKING:
    from world_model_core.frames import Transform
    from world_model_core.gaussian import Array
    from world_model_core.view.scene import Marks

__all__ = ['ROBOT', 'RobotPath', 'robot_marks']

# Id of the robot.
ROBOT = 'robot'
# Height of the drawn body if the pose is on the floor [m].
LEAST_HEIGHT = 0.3
# The path is drawn at this height above the floor [m].
ON_FLOOR = 0.03
# Shortest part of a path [m]; the robot has jumped if a part is longer: a break is drawn.
SPACING, LONGEST = 0.05, 1.0
# Parts of a path that become one batch, which then does not change, and most of these.
CHUNK, MOST_CHUNKS = 200, 50


@dataclass(frozen=True, slots=True, eq=False)
class RobotPath:
    """
    Where a robot has been; empty at first.

    Attributes
    ----------
    last : array, shape (2,), or None
        Newest position [m].
    parts : array, shape (n, 2, 2)
        Newest parts of the path, fewer than `CHUNK` [m].
    chunks : tuple of Lines
        Older parts.
    number : int
        Chunks that have been finished, including those that were dropped.

    """

    last: Array | None = None
    parts: Array | None = None
    chunks: tuple[Lines, ...] = ()
    number: int = 0

    def extended(self, place: Array) -> RobotPath:
        """Return the path to another position, shape (2,) [m]; near ones are skipped."""
        if self.last is None:
            return RobotPath(place, None, self.chunks, self.number)
        length = float(np.linalg.norm(place - self.last))
        if length < SPACING:
            return self
        if length > LONGEST:
            return RobotPath(place, self.parts, self.chunks, self.number)
        part = np.stack((self.last, place))[None]
        parts = part if self.parts is None else np.concatenate((self.parts, part))
        if len(parts) < CHUNK:
            return RobotPath(place, parts, self.chunks, self.number)
        chunks = (*self.chunks, _lines(parts))[-MOST_CHUNKS:]
        return RobotPath(place, None, chunks, self.number + 1)

    def marks(self) -> Marks:
        """Return the path as lines on the floor."""
        first = self.number - len(self.chunks)
        marks = {f'house/path/{first + k}': chunk for k, chunk in enumerate(self.chunks)}
        if self.parts is not None:
            marks['house/path/newest'] = _lines(self.parts)
        return marks


def _lines(parts: Array) -> Lines:
    points = np.full((len(parts), 2, 3), ON_FLOOR)
    points[..., :2] = parts
    return Lines(points, array_of(PATH))


def robot_marks(pose: Transform) -> Marks:
    """
    Return a robot as a cylinder from the floor to its pose, with an arrow of its heading.

    Parameters
    ----------
    pose : Transform
        Of the robot's sensor or base in the map.

    """
    x, y, z = pose.translation.tolist()
    height = max(z, LEAST_HEIGHT)
    heading = heading_quaternions(np.atleast_1d(heading_of(pose.rotation)))
    return {
        'house/robot/body': Cylinders(
            (ROBOT,),
            np.array(((x, y, height / 2.0),)),
            UPRIGHT,
            np.array((ROBOT_RADIUS,)),
            np.array((height,)),
            array_of(HOUSE_ROBOT),
        ),
        'house/robot/heading': Meshes(
            ARROW,
            (ROBOT,),
            np.array(((x, y, height + 0.02),)),
            heading,
            np.array(((2.0 * ROBOT_RADIUS, 0.12, 0.03),)),
            array_of(WHITE),
        ),
    }

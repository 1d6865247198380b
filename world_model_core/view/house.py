# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A house as a scene: its objects, the robot that maps them, and the answer to a question."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.frames import heading_of
from world_model_core.objects.values import ObjectState
from world_model_core.view.batches import UPRIGHT, Cylinders, Labels, Lines, Points
from world_model_core.view.colors import ANCHOR, ANSWER, CAMERA, FLOOR, SCAN, WAY, array_of
from world_model_core.view.frusta import frustum_lines
from world_model_core.view.house_objects import (
    HouseObjects,
    box_of,
    describe_object,
)
from world_model_core.view.house_robot import ROBOT, RobotPath, robot_marks
from world_model_core.view.overviews import behind, overviews
from world_model_core.view.scene import Row

if TYPE_CHECKING:
    from collections.abc import Mapping

    from world_model_core.frames import Transform
    from world_model_core.gaussian import Array
    from world_model_core.objects.values import MapObject
    from world_model_core.view.colors import Color
    from world_model_core.view.frusta import CameraFrustum
    from world_model_core.view.house_answer import HouseAnswer
    from world_model_core.view.scene import Marks, Viewpoint

__all__ = ['HouseFloor', 'HouseScene', 'scan_points']

NAME = 'house'
# Distance of the outline of a lit object from its box [m], and height of the pin above it [m].
GAP, PIN = 0.03, 0.6
# Width of lit lines [px].
LIT = 4.0
# The way and its goals are drawn at this height [m]; the radius of a goal.
ON_FLOOR, GOAL_RADIUS = 0.04, 0.2
# Depth of the frustum of a camera [m].
DEPTH = 0.6
# The squares of the floor, which face the viewer, are drawn below what lies on it [m].
LOWERED = 0.06
# Size of a square of the floor, and of a point of a scan [m].
SQUARE, SCAN_POINT = 0.1, 0.02
MOST_SCAN_POINTS = 3_000
# Objects that are lit at most.
MOST_LIT = 200
# What is looked at as long as nothing is known [m].
EMPTY = np.array(((-4.0, -4.0, 0.0), (4.0, 4.0, 2.0)))
# The robot is seen from behind at this distance and from this height [m].
BEHIND, OVER = 2.0, 1.5
# Parts of the positions that may be outliers on either side [%].
OUTLIERS = 1.0
UP = np.array((0.0, 0.0, 1.0))
# Edges of a box between its corners, whose numbers are binary: x, y, z.
EDGES = np.array(
    [(corner, corner | axis) for axis in (1, 2, 4) for corner in range(8) if not corner & axis]
)
CORNERS = np.array([[(corner >> axis) & 1 for axis in range(3)] for corner in range(8)]) - 0.5


@dataclass(frozen=True, slots=True, eq=False)
class HouseFloor:
    """The floor where a robot can drive, as marks: squares about places, shape (n, 2) [m]."""

    places: Array
    marks: Marks = field(init=False)

    def __post_init__(self) -> None:
        """Create the marks."""
        heights = np.full(len(self.places), -LOWERED)
        positions = np.column_stack((self.places, heights))
        color = array_of(FLOOR)
        object.__setattr__(self, 'marks', {f'{NAME}/floor': Points(positions, color, SQUARE)})


def scan_points(points: Array) -> Points:
    """Return a scan of surfaces, shape (n, 3) [m], thinned evenly."""
    step = max(1, -(-len(points) // MOST_SCAN_POINTS))
    # A view of a part would keep the whole scan for as long as the state is kept.
    return Points(points[::step].copy(), array_of(SCAN), SCAN_POINT)


@dataclass(frozen=True, slots=True, eq=False)
class HouseScene:
    """
    The state of a house at a time.

    Attributes
    ----------
    time_ns : int
        [ns].
    size_bytes : int
        Memory that the state takes beyond what it shares with the states before it.
    objects : HouseObjects
    floor : HouseFloor or None
    scan : Points or None
        What the robot's scanner sees.
    robot : Transform or None
        Pose of the robot in the map.
    path : RobotPath
        Where the robot has been.
    camera : CameraFrustum or None
        The robot's camera.
    answer : HouseAnswer or None
        The question and its answer; None before a question.

    """

    time_ns: int
    size_bytes: int
    objects: HouseObjects
    floor: HouseFloor | None = None
    scan: Points | None = None
    robot: Transform | None = None
    path: RobotPath = field(default_factory=RobotPath)
    camera: CameraFrustum | None = None
    answer: HouseAnswer | None = None

    @property
    def name(self) -> str:
        """First part of the names of its marks."""
        return NAME

    def marks(self) -> Marks:
        """Return what is to be seen."""
        return {
            **({} if self.floor is None else self.floor.marks),
            **({} if self.scan is None else {f'{NAME}/scan': self.scan}),
            **self.objects.marks,
            **self.path.marks(),
            **({} if self.robot is None else robot_marks(self.robot)),
            **self._camera_marks(),
            **self._answer_marks(),
        }

    def status(self) -> tuple[Row, ...]:
        """Return the numbers of objects, the question and its answer."""
        counts = (
            Row(f'objects_{state.value}', str(self.objects.count(state)))
            for state in (ObjectState.CONFIRMED, ObjectState.TENTATIVE, ObjectState.MISSING)
        )
        return (*counts, *(() if self.answer is None else self.answer.rows()))

    def describe(self, item: str) -> tuple[Row, ...]:
        """Return what is known of an object or of the robot."""
        if item == ROBOT and self.robot is not None:
            x, y, _ = self.robot.translation
            heading = np.degrees(float(heading_of(self.robot.rotation)))
            return (
                Row('position', f'{x:.2f}, {y:.2f} m'),
                Row('heading', f'{heading:.0f}°'),
            )
        thing = self.objects.by_name.get(item)
        return () if thing is None else tuple(describe_object(thing))

    def viewpoints(self) -> tuple[Viewpoint, ...]:
        """Return the views from above, from the side, and from behind the robot."""
        above, side = overviews(*self._bounds())
        return (above, side, side if self.robot is None else behind(self.robot, BEHIND, OVER))

    def position_of(self, item: str) -> Array | None:
        """Return the position of an object or of the robot [m], shape (3,), or None."""
        if item == ROBOT:
            return None if self.robot is None else self.robot.translation
        thing = self.objects.by_name.get(item)
        return None if thing is None else np.asarray(thing.position)

    def _bounds(self) -> tuple[Array, Array]:
        """Return the lowest and the highest corner of all objects but outliers, (3,) each [m]."""
        known = self.objects.places
        if self.robot is not None:
            known = np.concatenate((known, self.robot.translation[None]))
        if not len(known):
            return EMPTY[0], EMPTY[1]
        low, high = np.percentile(known, (OUTLIERS, 100.0 - OUTLIERS), axis=0)
        return low - 1.0, high + 1.0

    def _camera_marks(self) -> Marks:
        if self.camera is None:
            return {}
        return {f'{NAME}/view': frustum_lines((self.camera,), DEPTH, CAMERA)}

    def _answer_marks(self) -> Marks:
        """Light the objects of the answer and their anchors, and draw the way."""
        if self.answer is None:
            return {}
        answered = {each.id: str(n) for n, each in enumerate(self.answer.objects, start=1)}
        anchors = {
            each.id: anchor.phrase for anchor in self.answer.anchors for each in anchor.objects
        }
        reasons = {thing: phrase for thing, phrase in anchors.items() if thing not in answered}
        return {
            **self._lit('answer', answered, ANSWER),
            **self._lit('anchors', reasons, ANCHOR),
            **self._way_marks(self.answer),
        }

    def _lit(self, kind: str, texts: Mapping[str, str], color: Color) -> Marks:
        """Return outlines and pins with texts of objects that are in the map, by their ids."""
        known = {
            self.objects.names[each]: text
            for each, text in texts.items()
            if each in self.objects.names
        }
        names = tuple(known)[:MOST_LIT]
        if not names:
            return {}
        things = [self.objects.by_name[each] for each in names]
        lines = np.concatenate([_outline(each) for each in things])
        tops = np.array([_top(each) for each in things]) + (PIN + 0.05) * UP
        return {
            f'{NAME}/{kind}': Lines(lines, array_of(color), LIT),
            f'{NAME}/{kind}/labels': Labels(names, tops, tuple(known[each] for each in names)),
        }

    def _way_marks(self, answer: HouseAnswer) -> Marks:
        if not len(answer.way):
            return {}
        start = () if self.robot is None else (self.robot.translation[:2],)
        places = np.full((len(answer.way) + len(start), 3), ON_FLOOR)
        places[:, :2] = (*start, *answer.way)
        goals = places[len(start) :][list(answer.is_goal)]
        ids = tuple(f'goal {number}' for number in range(1, len(goals) + 1))
        color = array_of(WAY)
        marks: dict[str, Lines | Cylinders | Labels] = {
            f'{NAME}/way/goals': Cylinders(
                ids, goals, UPRIGHT, np.array([GOAL_RADIUS]), np.array([ON_FLOOR]), color
            ),
            f'{NAME}/way/labels': Labels(ids, goals + 0.3 * UP, ids),
        }
        if len(places) > 1:
            pairs = np.stack((places[:-1], places[1:]), axis=1)
            marks[f'{NAME}/way/line'] = Lines(pairs, color, LIT)
        return marks


def _outline(thing: MapObject) -> Array:
    """Return the edges of a box around an object and a pin above it, shape (13, 2, 3) [m]."""
    sizes = box_of(thing) + 2.0 * GAP
    heading = thing.heading or 0.0
    cosine, sine = np.cos(heading), np.sin(heading)
    x, y, z = (CORNERS * sizes).T
    corners = np.column_stack((cosine * x - sine * y, sine * x + cosine * y, z)) + thing.position
    top = _top(thing)
    pin = np.stack((top, top + PIN * UP))
    return np.concatenate((corners[EDGES], pin[None]))


def _top(thing: MapObject) -> Array:
    """Return the middle of the upper side of an object's outline [m], shape (3,)."""
    return np.asarray(thing.position + (box_of(thing)[2] / 2.0 + GAP) * UP)

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""From an instruction to way points."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.objects.answer import InstructionAnswer, WayPoint
from world_model_core.objects.answering.parse_score import AVOIDING
from world_model_core.objects.answering.phrases import describe, say_object
from world_model_core.objects.navigation.approach import MOST_STANDOFF, pass_gap, stands_at
from world_model_core.objects.navigation.convex import distances, find_gap
from world_model_core.objects.navigation.ground import OBSTACLE, ROBOT_RADIUS
from world_model_core.objects.navigation.object_selection import Casting
from world_model_core.objects.navigation.route import find_way
from world_model_core.objects.navigation.zones import find_crossed, make_costly, zones_of
from world_model_core.objects.query import Action

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.objects.answering.resolution import Resolver
    from world_model_core.objects.navigation.ground import Ground
    from world_model_core.objects.query import Instruction, Step

# A gap narrower than a robot [m].
NARROW = 0.5


def plan(
    query: Instruction, resolver: Resolver, weights: Array, ground: Ground, robot: Array | None
) -> InstructionAnswer:
    """
    Lead a robot from step to step, keeping clear of what is to be avoided.

    Parameters
    ----------
    query : Instruction
    resolver : Resolver
    weights : array, shape (S,)
        Of the worlds.
    ground : Ground
        Where it can drive.
    robot : array, shape (3,), optional
        Its pose, where the way begins.

    """
    casting = Casting(resolver, weights)
    steps = [step for step in query.steps if step.action in AVOIDING]
    zones = tuple(zone for step in steps for zone in zones_of(step, casting))
    pilot = _Pilot(make_costly(ground, zones), None if robot is None else np.asarray(robot)[:2])
    for step in query.steps:
        if step.action is Action.VIA_BETWEEN:
            pilot.pass_between(step, casting)
        elif step.action not in AVOIDING:
            pilot.go_to(step, casting)
    crossed = find_crossed(pilot.way, zones)
    notes = [*casting.notes, *pilot.notes]
    notes += [f'the way cannot keep clear of {zone.words}' for zone in crossed]
    if robot is None:
        notes.append('where the robot is, is not known: the way begins at its first goal')
    points = tuple(pilot.way_points)
    return InstructionAnswer(query, points, casting.probability, casting.objects, tuple(notes))


class _Pilot:
    """Drives over a ground in thought, and writes down where it was."""

    def __init__(self, ground: Ground, start: Array | None) -> None:
        self._ground, self._place = ground, start
        self._start = start
        self.way_points: list[WayPoint] = []
        self.notes: list[str] = []

    @property
    def way(self) -> Array:
        """Where it was [m], shape (m, 2), the start included."""
        points = [(point.x, point.y) for point in self.way_points]
        if self._start is not None:
            points.insert(0, (float(self._start[0]), float(self._start[1])))
        return np.array(points).reshape(-1, 2)

    def go_to(self, step: Step, casting: Casting) -> None:
        """Stand at an object, facing it."""
        target = step.targets[0]
        row = casting.cast(target, self._place)
        outline, each = casting.outline(row), casting.object(row)
        reason = f'{step.action.value} {say_object(each)}, "{describe(target)}"'
        stands = stands_at(self._ground, outline)
        self._lead(stands.places, stands.penalties, reason, np.asarray(each.position[:2]))
        apart = float(distances(self._here(), outline))
        if apart > MOST_STANDOFF + self._ground.cell:
            self.notes.append(f'there is no way closer than {apart:.1f} m to {say_object(each)}')

    def pass_between(self, step: Step, casting: Casting) -> None:
        """Pass through where two objects are nearest to each other, to the other side."""
        rows = casting.cast_pair(step.targets)
        names = ' and '.join(say_object(casting.object(row)) for row in rows)
        gap = find_gap(*(casting.outline(row) for row in rows))
        centers = [np.asarray(casting.object(row).position[:2]) for row in rows]
        if gap.width < NARROW:
            self.notes.append(f'between {names} there are only {gap.width:.1f} m')
        elif gap.width > 2.0 * ROBOT_RADIUS and self._ground.costs_at(gap.middle) >= OBSTACLE:
            self.notes.append(f'something stands between {names}')
        places = pass_gap(self._ground, gap, centers[1] - centers[0], self._place)
        for place in places:
            inside = place is gap.middle
            reason = f'{step.action.value} {names}' if inside else f'to pass between {names}'
            self._lead(place[None], np.zeros(1), reason, None, is_goal=inside)

    def _lead(
        self,
        places: Array,
        penalties: Array,
        reason: str,
        facing: Array | None,
        *,
        is_goal: bool = True,
    ) -> None:
        """Go to the best of some places, over way points where it does not go straight."""
        if self._place is None:
            end = places[None, int(penalties.argmin())]
        else:
            found = find_way(self._ground, self._place, places, penalties)
            if found is None:
                self.notes.append(f'no way is known: {reason}')
            end = places[None, int(penalties.argmin())] if found is None else found
        for point in end[:-1]:
            self._note(point, f'on the way: {reason}', is_goal=False)
        self._note(end[-1], reason, is_goal=is_goal, facing=facing)

    def _note(
        self, point: Array, reason: str, *, is_goal: bool, facing: Array | None = None
    ) -> None:
        """Write down a way point; without anything to face, it faces the way that it came."""
        x, y = point.tolist()
        ahead = self._ahead(point) if facing is None else facing - point
        theta = float(np.arctan2(ahead[1], ahead[0]))
        self.way_points.append(WayPoint(x, y, theta, reason, is_goal))
        self._place = point

    def _ahead(self, point: Array) -> Array:
        return np.zeros(2) if self._place is None else point - self._place

    def _here(self) -> Array:
        return np.zeros(2) if self._place is None else self._place

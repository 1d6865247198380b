# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Answers to instructions: selected objects and a route past them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.objects.answer import InstructionAnswer
from world_model_core.objects.answering.answer_wording import UNKNOWN_START, entered_zone
from world_model_core.objects.answering.object_selection import ObjectSelection
from world_model_core.objects.answering.query_text import object_text, phrase_text
from world_model_core.objects.navigation.convex_outlines import convex_hull
from world_model_core.objects.navigation.costmap import ROBOT_RADIUS
from world_model_core.objects.navigation.keepout_zones import (
    NEAR,
    KeepoutZone,
    add_keepout_costs,
    find_crossed_zones,
)
from world_model_core.objects.navigation.route_planner import RoutePlanner
from world_model_core.objects.query import AVOIDING_ACTIONS, Action

if TYPE_CHECKING:
    from collections.abc import Iterator

    from world_model_core.gaussian import Array
    from world_model_core.objects.answering.phrase_resolution import PhraseResolver
    from world_model_core.objects.navigation.costmap import Costmap
    from world_model_core.objects.query import InstructionQuery, InstructionStep

__all__ = ['answer_instruction']


def answer_instruction(
    query: InstructionQuery,
    resolver: PhraseResolver,
    weights: Array,
    costmap: Costmap,
    robot: Array | None,
) -> InstructionAnswer:
    """
    Plan a route that follows an instruction and keeps clear of everything to be avoided.

    Parameters
    ----------
    query : InstructionQuery
    resolver : PhraseResolver
    weights : array, shape (S,)
        Weights of the posterior samples.
    costmap : Costmap
        Where the robot can drive.
    robot : array, shape (3,), optional
        Pose of the robot at the start of the route: x, y [m], heading [rad].

    """
    selection = ObjectSelection(resolver, weights)
    steps = [step for step in query.steps if step.action in AVOIDING_ACTIONS]
    zones = tuple(zone for step in steps for zone in _keepout_zones(step, selection))
    start = None if robot is None else np.asarray(robot)[:2]
    planner = RoutePlanner(add_keepout_costs(costmap, zones), start)
    for step in query.steps:
        if step.action is Action.VIA_BETWEEN:
            _pass_between(step, selection, planner)
        elif step.action not in AVOIDING_ACTIONS:
            _go_to(step, selection, planner)
    crossed = find_crossed_zones(planner.route, zones)
    notes = [*selection.notes, *planner.notes]
    notes += [entered_zone(zone.words) for zone in crossed]
    if robot is None:
        notes.append(UNKNOWN_START)
    points = tuple(planner.way_points)
    return InstructionAnswer(query, points, selection.probability, selection.objects, tuple(notes))


def _go_to(step: InstructionStep, selection: ObjectSelection, planner: RoutePlanner) -> None:
    """Select the object of a step and drive to it."""
    target = step.targets[0]
    row = selection.select(target, planner.position)
    each = selection.object(row)
    reason = f'{step.action.value} {object_text(each)}, "{phrase_text(target)}"'
    center = np.asarray(each.position[:2])
    planner.go_to(selection.outline(row), center, object_text(each), reason)


def _pass_between(
    step: InstructionStep, selection: ObjectSelection, planner: RoutePlanner
) -> None:
    """Select the two objects of a step and drive through the gap between them."""
    first, second = selection.select_pair(step.targets)
    names = _pair_text(first, second, selection)
    planner.pass_between(
        (selection.outline(first), selection.outline(second)),
        (selection.center(first), selection.center(second)),
        names,
        f'{step.action.value} {names}',
    )


def _keepout_zones(step: InstructionStep, selection: ObjectSelection) -> Iterator[KeepoutZone]:
    """Generate the zones that a step forbids."""
    if step.action is Action.AVOID_BETWEEN:
        if all(selection.exists(target) for target in step.targets):
            yield _zone_between(step, selection)
        return
    for target in step.targets:
        for row in selection.select_all(target):
            named = object_text(selection.object(row))
            if step.action is Action.AVOID_NEAR:
                yield KeepoutZone(selection.outline(row), NEAR, f'the area near {named}')
            else:
                yield KeepoutZone(selection.outline(row), ROBOT_RADIUS, named)


def _zone_between(step: InstructionStep, selection: ObjectSelection) -> KeepoutZone:
    """Forbid the convex hull of two objects."""
    first, second = selection.select_pair(step.targets)
    outline = convex_hull(np.concatenate([selection.outline(first), selection.outline(second)]))
    return KeepoutZone(outline, 0.0, f'the path between {_pair_text(first, second, selection)}')


def _pair_text(first: int, second: int, selection: ObjectSelection) -> str:
    return ' and '.join(object_text(selection.object(row)) for row in (first, second))

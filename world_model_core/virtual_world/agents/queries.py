# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Answers what a controller asks in the middle of a handler.

The world answers from its present state: what the handler has written is not in it yet. Queries
that need images are answered by `rendered_queries`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from world_model_core.virtual_world.agents.collisions import collisions_of
from world_model_core.virtual_world.agents.value_kinds import ValueKind, check_values
from world_model_core.virtual_world.engine.errors import (
    GraspError,
    InvalidStateError,
    UnknownPartError,
)
from world_model_core.virtual_world.rendering.distances import cast_from_camera, distance_sensor
from world_model_core.virtual_world.rendering.viewpoints import numbered_viewpoint
from world_model_core.virtual_world.values import Cylinder, Sphere

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from world_model_core.virtual_world.agents.value_kinds import ValueTypes
    from world_model_core.virtual_world.engine.engine import Engine

__all__ = ['CAMERA', 'Method', 'answer', 'checked_arguments']


class Method(NamedTuple):
    """
    A query.

    Attributes
    ----------
    arguments : tuple of tuple
        Name and kind of each.
    answer : callable
        Answers with an engine, the name of the agent and the arguments.

    """

    arguments: ValueTypes
    answer: Callable[..., Any]


CAMERA = ('camera', ValueKind.WHOLE)
# Joints that are nearer to each other point nowhere [m].
SHORTEST_POINTER = 1e-5


def checked_arguments(
    method: str, expected: ValueTypes, arguments: Mapping[str, object]
) -> tuple[Any, ...]:
    """
    Check and convert the arguments of a query.

    Returns
    -------
    tuple
        In the order of their types.

    Raises
    ------
    InvalidStateError
        One is missing, not known or wrong.

    """
    names = tuple(name for name, _ in expected)
    if arguments.keys() != set(names):
        given, needed = (
            ', '.join(sorted(each)) or 'none' for each in (map(str, arguments), names)
        )
        raise InvalidStateError(
            f'query {method!r} has the arguments {given[:200]}; it needs {needed}'
        )
    values = tuple(arguments[name] for name in names)
    return check_values(f'query {method!r}', expected, values)


def answer(engine: Engine, agent: str, method: str, arguments: Mapping[str, object]) -> Any:
    """
    Answer a query that needs no image.

    Parameters
    ----------
    engine : Engine
    agent : str
        Name of the entity whose controller asks.
    method : str
    arguments : mapping of str to value

    Returns
    -------
    plain value
        None, bool, int, float, str, bytes, and tuples of them.

    Raises
    ------
    EngineError, RenderingError, SensorRangeError
        There is no such query, entity, part, joint or camera, or an argument is invalid.

    """
    known = _METHODS.get(method)
    if known is None:
        raise UnknownPartError(f'there is no query {method!r}; there are {", ".join(_METHODS)}')
    return known.answer(engine, agent, *checked_arguments(method, known.arguments, arguments))


def _boxes(engine: Engine, _agent: str) -> Any:
    return tuple((name, engine.shape_boxes(name).astype('<f8').tobytes()) for name in engine.names)


def _joint_position(engine: Engine, _agent: str, name: str, joint: str) -> Any:
    return engine.joint_position(name, joint)


def _joint_of(engine: Engine, _agent: str, name: str, part: str) -> Any:
    return engine.joint_of(name, part)


def _part_radius(engine: Engine, _agent: str, name: str, part: str) -> Any:
    parts = engine.entity(name).parts
    own = (each for each in parts if each.name == (part or parts[0].name))
    geometries = (shape.geometry for each in own for shape in each.shapes)
    rounds = (each.radius for each in geometries if isinstance(each, (Cylinder, Sphere)))
    return next(rounds, 0.0)


def _joint_force(engine: Engine, _agent: str, name: str, joint: str) -> Any:
    return tuple((each.part, each.force, each.torque) for each in engine.joint_forces(name, joint))


def _contacts(engine: Engine, _agent: str, name: str) -> Any:
    engine.entity(name)
    found = collisions_of({name}, engine.touching).get(name, ())
    return tuple((each.other, each.other_part, each.own_part) for each in found)


def _grasp_obstacle(engine: Engine, _agent: str, name: str, part: str, thing: str) -> Any:
    """Return number and text of the reason why a hand cannot grasp a thing, or None."""
    try:
        engine.check_grasp(name, part, thing)
    except GraspError as error:
        return error.reason.value, str(error)
    return None


def _pointed_objects(engine: Engine, _agent: str, name: str, first: str, second: str) -> Any:
    """Order the entities ahead of two joints by the distance of their spheres from the line."""
    start = np.array(engine.joint_position(name, first))
    ahead = np.array(engine.joint_position(name, second)) - start
    length = float(np.linalg.norm(ahead))
    found = []
    for other in engine.names if length > SHORTEST_POINTER else ():
        lower, upper = engine.bounds(other)
        radius = 0.5 * math.dist(lower, upper)
        offset = engine.root_state_of(other).pose.position - start
        along = float(offset @ ahead) / length
        beside = math.sqrt(max(float(offset @ offset) - along * along, 0.0))
        if along > 0.0 and other != name:
            found.append((max(beside - radius, 0.0), other))
    return tuple(other for _, other in sorted(found))


def _distance(engine: Engine, agent: str, number: int, farthest: float) -> Any:
    pose = numbered_viewpoint(engine, agent, number).pose
    ahead = np.array([[1.0, 0.0, 0.0]])
    return float(cast_from_camera(engine, pose, ahead, farthest, agent)[0])


def _distance_sensor(engine: Engine, agent: str, number: int, *values: Any) -> Any:
    start, end, dimensions = values
    viewpoint = numbered_viewpoint(engine, agent, number)
    levels = distance_sensor(
        engine, viewpoint, start=start, end=end, dimensions=dimensions, exclude=agent
    )
    return levels.tobytes()


_NAME, _JOINT = ('name', ValueKind.TEXT), ('joint', ValueKind.TEXT)
_PART = ('part', ValueKind.TEXT)
_METHODS = {
    'boxes': Method((), _boxes),
    'joint_of': Method((_NAME, _PART), _joint_of),
    'part_radius': Method((_NAME, _PART), _part_radius),
    'joint_position': Method((_NAME, _JOINT), _joint_position),
    'joint_force': Method((_NAME, _JOINT), _joint_force),
    'contacts': Method((_NAME,), _contacts),
    'grasp_obstacle': Method((_NAME, _PART, ('thing', ValueKind.TEXT)), _grasp_obstacle),
    'pointed_objects': Method(
        (_NAME, ('first', ValueKind.TEXT), ('second', ValueKind.TEXT)), _pointed_objects
    ),
    'distance': Method((CAMERA, ('farthest', ValueKind.NUMBER)), _distance),
    'distance_sensor': Method(
        (
            CAMERA,
            ('start', ValueKind.NUMBER),
            ('end', ValueKind.NUMBER),
            ('dimensions', ValueKind.WHOLE),
        ),
        _distance_sensor,
    ),
}

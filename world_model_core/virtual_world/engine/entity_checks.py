# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Checks of entities before they enter a world: readers and services may pass any numbers."""

from __future__ import annotations

import math
from dataclasses import astuple
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.virtual_world.engine.errors import InvalidEntityError
from world_model_core.virtual_world.values import JointKind, LineSet, Plane, TriangleMesh

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from world_model_core.virtual_world.values import Entity, Joint, Part, Pose, Shape

__all__ = ['LARGEST_NUMBER', 'check_entity']

# Beyond these, squares and products of lengths, speeds and masses lose all digits [SI units].
LARGEST_NUMBER = 1e9
# Shorter axes and quaternions have no direction.
SHORTEST = 1e-6


def check_entity(entity: Entity) -> None:
    """
    Check the names and numbers of an entity.

    Raises
    ------
    InvalidEntityError
        It says which part, value and limit.

    """
    where = f'entity {entity.name!r}'
    if not entity.name or '/' in entity.name or '\0' in entity.name:
        raise InvalidEntityError(
            f'name of entity is {entity.name!r}; it must not be empty or contain "/"'
        )
    _check_pose(where, entity.pose)
    _check_numbers(f'velocity of {where}', (*entity.linear_velocity, *entity.angular_velocity))
    if entity.mass is not None:
        _check_numbers(f'mass of {where}', [entity.mass], least=0.0)
    if entity.model is None:
        _check_tree(where, entity.parts)
        for part in entity.parts:
            _check_part(f'part {part.name!r} of {where}', part)


def _check_tree(where: str, parts: Sequence[Part]) -> None:
    """Check that parts are a tree from the first, and all names differ."""
    if not parts:
        raise InvalidEntityError(f'{where} has no part')
    if parts[0].parent or parts[0].joint:
        raise InvalidEntityError(f'the first part of {where} has a parent or a joint')
    present: set[str] = set()
    for part in parts:
        if not part.name or part.name in present:
            raise InvalidEntityError(f'{where} has two parts of the name {part.name!r}, or none')
        if present and part.parent not in present:
            raise InvalidEntityError(
                f'part {part.name!r} of {where} has the parent {part.parent!r}; it must be listed '
                'before'
            )
        present.add(part.name)
    joints = [part.joint.name for part in parts if part.joint is not None]
    if '' in joints or len(set(joints)) < len(joints):
        raise InvalidEntityError(f'joints of {where} are {joints}; all names must differ')


def _check_part(where: str, part: Part) -> None:
    _check_pose(where, part.pose)
    if part.mass is not None:
        _check_numbers(f'mass of {where}', [part.mass], least=0.0)
    _check_numbers(f'center of mass of {where}', part.center_of_mass or ())
    _check_numbers(f'inertia of {where}', part.inertia or ())
    if part.joint is not None:
        _check_joint(f'joint {part.joint.name!r} of {where}', part.joint)
    for number, shape in enumerate(part.shapes):
        _check_shape(f'shape {number} of {where}', shape)


def _check_joint(where: str, joint: Joint) -> None:
    _check_numbers(f'anchor of {where}', joint.anchor)
    _check_numbers(f'damping of {where}', [joint.damping], least=0.0)
    if joint.kind is not JointKind.BALL:
        _check_direction(f'axis of {where}', joint.axis)
    lower = 0.0 if joint.kind is JointKind.BALL else joint.lower
    if not lower < joint.upper:
        raise InvalidEntityError(
            f'limits of {where} are {lower} and {joint.upper}; the lower must be less'
        )


def _check_shape(where: str, shape: Shape) -> None:
    _check_pose(where, shape.pose)
    geometry = shape.geometry
    if isinstance(geometry, TriangleMesh):
        _check_array(f'vertices of {where}', geometry.vertices)
        triangles = geometry.triangles
        if not len(triangles) or triangles.min() < 0 or triangles.max() >= len(geometry.vertices):
            raise InvalidEntityError(
                f'{where} has {len(triangles)} triangles of {len(geometry.vertices)} vertices; '
                'it must have triangles, all of whose vertices exist'
            )
    elif not isinstance(geometry, (LineSet, Plane)):
        sizes = np.ravel(np.hstack(astuple(geometry))).tolist()
        _check_numbers(f'size of {where}', sizes, least=SHORTEST)


def _check_array(what: str, numbers: np.ndarray) -> None:
    if not (np.abs(numbers) <= LARGEST_NUMBER).all():
        raise InvalidEntityError(f'{what} must be from -{LARGEST_NUMBER:g} to {LARGEST_NUMBER:g}')


def _check_pose(where: str, pose: Pose) -> None:
    _check_numbers(f'pose of {where}', chain(pose.position, pose.orientation))
    _check_direction(f'orientation of {where}', pose.orientation)


def _check_direction(what: str, vector: Sequence[float]) -> None:
    _check_numbers(what, vector)
    if math.hypot(*vector) < SHORTEST:
        raise InvalidEntityError(f'{what} is {list(vector)}; it must not be zero')


def _check_numbers(what: str, numbers: Iterable[float], least: float = -LARGEST_NUMBER) -> None:
    values = list(numbers)
    # Comparisons with NaN are false.
    if not all(least <= value <= LARGEST_NUMBER for value in values):
        raise InvalidEntityError(
            f'{what} is {values}; it must be from {least:g} to {LARGEST_NUMBER:g}'
        )

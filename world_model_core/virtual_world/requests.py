# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Rules for requests to change a world: names, frames, poses and velocities of entities."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from world_model_core.errors import WorldModelError
from world_model_core.virtual_world.engine.errors import NameTakenError

if TYPE_CHECKING:
    from collections.abc import Collection

    from world_model_core.virtual_world.values import Entity, EntityState, Pose, World

__all__ = [
    'FixedEntityError',
    'InvalidNameError',
    'InvalidNamespaceError',
    'InvalidPoseError',
    'UnknownPoseError',
    'UnsupportedRequestError',
    'check_bounds',
    'check_name',
    'choose_name',
    'merged_state',
]

LONGEST_NAME = 100
STANDING = (0.0, 0.0, 0.0)


class UnsupportedRequestError(WorldModelError):
    """A request asks for what this simulator does not have."""


class FixedEntityError(WorldModelError):
    """An entity that is fixed to the world shall move."""


class InvalidNameError(WorldModelError):
    """A name cannot be that of an entity."""


class InvalidNamespaceError(WorldModelError):
    """A namespace is not valid in ROS."""


class InvalidPoseError(WorldModelError):
    """A pose is in an unknown frame, or outside of the world."""


class UnknownPoseError(WorldModelError):
    """The world has no named pose with this name."""


def check_name(name: str) -> None:
    """
    Check the name of an entity.

    Raises
    ------
    InvalidNameError
        It is empty, too long, or contains "/" or a control character.

    """
    if not 0 < len(name) <= LONGEST_NAME or '/' in name or not name.isprintable():
        raise InvalidNameError(
            f'name is {name[:LONGEST_NAME]!r}; it must have 1 to {LONGEST_NAME} printable '
            'characters without "/"'
        )


def choose_name(wanted: str, taken: Collection[str], *, rename: bool) -> str:
    """
    Return the name of a new entity.

    Parameters
    ----------
    wanted : str
    taken : collection of str
        Names of other entities.
    rename : bool
        Whether a number is added if the name is taken or empty.

    Raises
    ------
    InvalidNameError
        The name is not valid, or is empty without `rename`.
    NameTakenError
        It is taken, without `rename`.

    """
    name = wanted or ('entity' if rename else '')
    check_name(name)
    if name not in taken:
        return name
    if not rename:
        raise NameTakenError(f'name {name!r} is taken')
    return next(each for n in range(len(taken) + 1) if (each := f'{name}_{n + 1}') not in taken)


def check_bounds(pose: Pose, world: World) -> None:
    """
    Check that a pose is within the bounds of a world, if it has any.

    Raises
    ------
    InvalidPoseError
        It is outside.

    """
    if world.bounds is None:
        return
    lower, upper = world.bounds
    inside = zip(lower, pose.position, upper, strict=True)
    if not all(low <= value <= high for low, value, high in inside):
        raise InvalidPoseError(
            f'position is {pose.position} m; it must be within {lower} and {upper}, the bounds of '
            'the world'
        )


def merged_state(
    present: EntityState, wanted: EntityState, entity: Entity, *, pose: bool, twist: bool
) -> EntityState:
    """
    Return the state of an entity after a request.

    Parameters
    ----------
    present, wanted : EntityState
        In the frame `world`.
    entity : Entity
    pose, twist : bool
        What is taken from the wanted state; joints are as at present.

    Raises
    ------
    FixedEntityError
        The entity cannot move, but shall have a velocity.

    """
    moves = (wanted.linear_velocity, wanted.angular_velocity) != (STANDING, STANDING)
    if twist and moves and not entity.movable:
        raise FixedEntityError(f'{entity.name!r} is fixed; it can have no velocity')
    merged = replace(present, pose=wanted.pose) if pose else present
    if not twist:
        return merged
    return replace(
        merged,
        linear_velocity=wanted.linear_velocity,
        angular_velocity=wanted.angular_velocity,
    )

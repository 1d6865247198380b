# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The objects of a world as a controller knows them, kept up to date by changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.virtual_world.agents.events import AgentError
from world_model_core.virtual_world.agents.state_changes import ObjectState
from world_model_core.virtual_world.values import JointKind, JointState, Pose

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.virtual_world.agents.state_changes import ObjectProperties, StateChanges
    from world_model_core.virtual_world.values import Vector

__all__ = ['ChangesError', 'KnownObjects']

# Numbers of an object without those of its joints and parts, and of a part; see `StateArrays`.
_MOTION, _POSE = 13, 7
# Numbers of the position and the velocity of a joint.
_WIDTHS = {JointKind.BALL: (4, 3), JointKind.HINGE: (1, 1), JointKind.SLIDE: (1, 1)}


class ChangesError(AgentError):
    """Changes do not fit the objects that are known."""


class KnownObjects(Mapping[str, ObjectState]):
    """All objects of a world by their names; the state of one is made when it is asked for."""

    def __init__(self) -> None:
        self._properties: dict[str, ObjectProperties] = {}
        self._lengths: dict[str, int] = {}
        self._numbers: dict[str, Array] = {}
        self._states: dict[str, ObjectState] = {}

    def update(self, changes: StateChanges) -> None:
        """
        Apply changes to what is known.

        Raises
        ------
        ChangesError
            There are too many or too few numbers, or an object is unknown.

        """
        for name in changes.removed:
            for table in (self._properties, self._lengths, self._numbers, self._states):
                table.pop(name, None)
        for name, properties in changes.described.items():
            self._properties[name] = properties
            self._lengths[name] = _length(properties)
            self._states.pop(name, None)
        self._move(changes)

    def __getitem__(self, name: str) -> ObjectState:
        """Return the state of an object."""
        if name not in self._states:
            self._states[name] = _state(self._properties[name], self._numbers[name].tolist())
        return self._states[name]

    def __iter__(self) -> Iterator[str]:
        """Return the names of all objects, in the order in which they became known."""
        return iter(self._properties)

    def __len__(self) -> int:
        """Return the number of objects."""
        return len(self._properties)

    def _move(self, changes: StateChanges) -> None:
        """Replace the numbers of the objects that have moved."""
        if unknown := [name for name in changes.moved if name not in self._lengths]:
            raise ChangesError(f'object {unknown[0]!r} moved and was not described')
        needed = 8 * sum(self._lengths[name] for name in changes.moved)
        if len(changes.numbers) != needed:
            raise ChangesError(f'changes have {len(changes.numbers)} bytes; needed are {needed}')
        numbers = np.frombuffer(changes.numbers, '<f8')
        start = 0
        for name in changes.moved:
            end = start + self._lengths[name]
            self._numbers[name] = numbers[start:end]
            self._states.pop(name, None)
            start = end
        for name in changes.described:
            if len(self._numbers.get(name, ())) != self._lengths[name]:
                raise ChangesError(f'object {name!r} was described anew and has no numbers of it')


def _length(properties: ObjectProperties) -> int:
    """Return how many numbers an object has."""
    joints = sum(sum(_WIDTHS[kind]) for kind in properties.joints.values())
    return _MOTION + joints + _POSE * len(properties.parts)


def _state(properties: ObjectProperties, numbers: list[float]) -> ObjectState:
    """Return the state of an object from its numbers."""
    joints, at = {}, _MOTION
    for name, kind in properties.joints.items():
        middle = at + _WIDTHS[kind][0]
        end = middle + _WIDTHS[kind][1]
        joints[name] = JointState(tuple(numbers[at:middle]), tuple(numbers[middle:end]))
        at = end
    parts = {
        name: _pose(numbers, at + _POSE * number) for number, name in enumerate(properties.parts)
    }
    linear, angular = _vector(numbers, 7), _vector(numbers, 10)
    return ObjectState(properties, _pose(numbers, 0), linear, angular, joints, parts)


def _pose(numbers: Sequence[float], at: int) -> Pose:
    x, y, z, w = numbers[at + 3 : at + _POSE]
    return Pose(_vector(numbers, at), (x, y, z, w))


def _vector(numbers: Sequence[float], at: int) -> Vector:
    x, y, z = numbers[at : at + 3]
    return x, y, z

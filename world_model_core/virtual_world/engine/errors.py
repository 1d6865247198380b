# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Errors of the physics of a virtual world; this module needs no MuJoCo."""

from __future__ import annotations

from enum import Enum

from world_model_core.errors import WorldModelError

__all__ = [
    'DivergedError',
    'EngineError',
    'GraspError',
    'GraspReason',
    'InvalidEntityError',
    'InvalidStateError',
    'NameTakenError',
    'SnapshotError',
    'SnapshotVersionError',
    'UnknownEntityError',
    'UnknownPartError',
    'WrongModeError',
]


class EngineError(WorldModelError):
    """A command to a virtual world is invalid, or its physics failed."""


class UnknownEntityError(EngineError):
    """No entity has the name."""


class UnknownPartError(EngineError):
    """An entity has no part, joint, attribute or state of the name."""


class NameTakenError(EngineError):
    """Another entity has the name."""


class InvalidEntityError(EngineError):
    """An entity cannot be put into a world."""


class InvalidStateError(EngineError):
    """A pose, velocity, force or joint value is invalid or beyond a limit."""


class WrongModeError(EngineError):
    """The mode of the entity does not allow the command."""


class GraspReason(Enum):
    """Why a hand cannot grasp a thing: the results of SIGVerse's GRASP_OBJECT."""

    NO_OBJECT = 1
    ALREADY_GRASPING = 2
    ALREADY_GRASPED = 3
    NOT_GRASPABLE = 4
    TOO_FAR = 5


class GraspError(EngineError):
    """
    A hand cannot grasp a thing.

    Attributes
    ----------
    reason : GraspReason

    """

    def __init__(self, reason: GraspReason, message: str) -> None:
        self.reason = reason
        super().__init__(message)


class SnapshotError(EngineError):
    """Bytes are not a snapshot of a world, or a world cannot be stored in one."""


class SnapshotVersionError(SnapshotError):
    """A snapshot has another format, or is of another version of MuJoCo."""


class DivergedError(EngineError):
    """
    The physics diverged. The world is in its state before the step.

    Attributes
    ----------
    entity, part : str
        Where MuJoCo found a value that is not finite or beyond 1e10; empty: unknown.
    step : int
        Number of the physics step since time 0, from 1.

    """

    def __init__(self, entity: str, part: str, step: int, reason: str) -> None:
        self.entity, self.part, self.step = entity, part, step
        super().__init__(
            f'physics diverged at part {part!r} of {entity!r} in step {step}: {reason}; the state '
            'before the step was restored'
        )

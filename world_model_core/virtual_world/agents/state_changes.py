# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""States of objects as controllers read them: sent whole once, and then what has changed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from world_model_core.virtual_world.values import (
        Camera,
        JointKind,
        JointState,
        Pose,
        Vector,
        Wheels,
    )

__all__ = ['NO_CHANGES', 'ObjectProperties', 'ObjectState', 'StateChanges']


@dataclass(frozen=True, slots=True)
class ObjectProperties:
    """
    What of an entity changes by commands only.

    Attributes
    ----------
    category : str
    movable, dynamics, gravity, collides, graspable : bool
    grasp_radius : float
        [m]
    mass : float
        Of all parts [kg].
    parts : tuple of str
        Names of all parts, the root first.
    joints : mapping of str to JointKind
        Hinges, slides and ball joints.
    attributes : mapping of str to str, float or bool
    states : mapping of str to str
    cameras : tuple of Camera
    wheels : Wheels, optional
    grasps : mapping of str to str
        Names of the things that it holds, by the names of its parts that hold them.

    """

    category: str
    movable: bool
    dynamics: bool
    gravity: bool
    collides: bool
    graspable: bool
    grasp_radius: float
    mass: float
    parts: tuple[str, ...]
    joints: Mapping[str, JointKind] = field(default_factory=dict)
    attributes: Mapping[str, str | float | bool] = field(default_factory=dict)
    states: Mapping[str, str] = field(default_factory=dict)
    cameras: tuple[Camera, ...] = ()
    wheels: Wheels | None = None
    grasps: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ObjectState:
    """
    All that a controller can read of an entity.

    Attributes
    ----------
    properties : ObjectProperties
    pose : Pose
        Of the frame of the entity, in the frame `world`.
    linear_velocity, angular_velocity : tuple of float
        Of its root, in the frame `world` [m/s, rad/s].
    joints : mapping of str to JointState
        By their names.
    parts : mapping of str to Pose
        In the frame `world`, by the names of the parts, the root first.

    """

    properties: ObjectProperties
    pose: Pose
    linear_velocity: Vector
    angular_velocity: Vector
    joints: Mapping[str, JointState]
    parts: Mapping[str, Pose]


@dataclass(frozen=True, slots=True)
class StateChanges:
    """
    What has changed in a world since a controller last saw it.

    Attributes
    ----------
    described : mapping of str to ObjectProperties
        Objects that are new, or whose properties have changed.
    moved : tuple of str
        Objects that are new, or that have moved.
    numbers : bytes
        Of the moved objects, one after the other: float64, little-endian; see
        `StateArrays`.
    removed : tuple of str

    """

    described: Mapping[str, ObjectProperties] = field(default_factory=dict)
    moved: tuple[str, ...] = ()
    numbers: bytes = b''
    removed: tuple[str, ...] = ()


NO_CHANGES = StateChanges()

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Contents of packets that read and change simulation objects; times are in seconds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from world_model_core.sigverse.objects import PacketObject


__all__ = [
    'AddForce',
    'AddForceAtPosition',
    'AddJointTorque',
    'ConnectJoint',
    'GetAllEntities',
    'GetAllEntitiesResult',
    'GetEntity',
    'GetEntityResult',
    'GetJointForce',
    'GetJointForceResult',
    'GetObjectNames',
    'GetObjectNamesResult',
    'PartForce',
    'ReleaseJoint',
    'SetDynamicsMode',
    'SetGravityMode',
    'SetJointAngle',
    'SetJointQuaternion',
    'SetJointVelocity',
    'SetMass',
    'SetPartVelocity',
    'TimedEntity',
    'UpdateEntities',
]


@dataclass(frozen=True, slots=True)
class GetObjectNames:
    """A request for the names of objects of a type."""

    object_type: int


@dataclass(frozen=True, slots=True)
class GetObjectNamesResult:
    """Names of objects."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GetEntity:
    """A request for an object."""

    name: str


@dataclass(frozen=True, slots=True)
class GetEntityResult:
    """A RequestResult, the simulated time, and the object; None: there is none."""

    result: int
    time: float
    entity: PacketObject | None


@dataclass(frozen=True, slots=True)
class TimedEntity:
    """An object at a simulated time."""

    time: float
    entity: PacketObject


@dataclass(frozen=True, slots=True)
class GetAllEntities:
    """A request for all objects."""


@dataclass(frozen=True, slots=True)
class GetAllEntitiesResult:
    """All objects."""

    entities: tuple[TimedEntity, ...]


@dataclass(frozen=True, slots=True)
class UpdateEntities:
    """Objects whose state is to be set."""

    entities: tuple[TimedEntity, ...]


@dataclass(frozen=True, slots=True)
class ConnectJoint:
    """A joint to be made between parts of two objects."""

    joint: str
    agent: str
    agent_part: str
    target: str
    target_part: str


@dataclass(frozen=True, slots=True)
class ReleaseJoint:
    """A joint that was connected, and is to be removed."""

    agent: str
    joint: str


@dataclass(frozen=True, slots=True)
class GetJointForce:
    """A request for the forces at a joint."""

    agent: str
    joint: str


@dataclass(frozen=True, slots=True)
class PartForce:
    """Force and torque on a part, in units of the file."""

    part: str
    force: tuple[float, ...]
    torque: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class GetJointForceResult:
    """Forces on both parts of a joint; None: there is none."""

    forces: tuple[PartForce, ...] | None


@dataclass(frozen=True, slots=True)
class SetJointAngle:
    """An angle that a joint is to have [rad]."""

    agent: str
    joint: str
    angle: float


@dataclass(frozen=True, slots=True)
class SetJointQuaternion:
    """A rotation wxyz that a joint is to have, or by which it is to be turned."""

    agent: str
    joint: str
    orientation: tuple[float, ...]
    offset: bool


@dataclass(frozen=True, slots=True)
class AddJointTorque:
    """A torque on a joint during the next step."""

    agent: str
    joint: str
    torque: float


@dataclass(frozen=True, slots=True)
class SetJointVelocity:
    """A velocity [rad/s] that a joint is to have, and the largest torque for it."""

    agent: str
    joint: str
    velocity: float
    largest: float


@dataclass(frozen=True, slots=True)
class SetPartVelocity:
    """A velocity [rad/s] that a part is to have, and the largest torque for it."""

    agent: str
    part: str
    velocity: float
    largest: float


@dataclass(frozen=True, slots=True)
class AddForce:
    """A force during the next step; `relative`: in the frame of the object."""

    name: str
    force: tuple[float, ...]
    relative: bool


@dataclass(frozen=True, slots=True)
class AddForceAtPosition:
    """A force on a point; each in the frame of the object or of the world."""

    name: str
    force: tuple[float, ...]
    position: tuple[float, ...]
    position_relative: bool
    force_relative: bool


@dataclass(frozen=True, slots=True)
class SetMass:
    """A mass that an object is to have [kg]."""

    name: str
    mass: float


@dataclass(frozen=True, slots=True)
class SetGravityMode:
    """Whether gravity is to act on an object."""

    name: str
    on: bool


@dataclass(frozen=True, slots=True)
class SetDynamicsMode:
    """Whether physics are to move an object."""

    name: str
    on: bool

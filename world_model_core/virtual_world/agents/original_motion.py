# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""SIGVerse's names of positions, velocities, forces and modes of objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from world_model_core.virtual_world.agents.original_table import original, unavailable
from world_model_core.virtual_world.shapes.file_axes import (
    orientation_from_axis_angle,
    orientation_from_wxyz,
    orientation_to_wxyz,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.virtual_world.agents.original_access import OriginalAccess
    from world_model_core.virtual_world.agents.original_table import OriginalTable
    from world_model_core.virtual_world.values import Quaternion, Vector

__all__ = ['MOTION_NAMES']

MOTION_NAMES: OriginalTable = {}


def _vector(values: Sequence[Any]) -> Sequence[float]:
    """Return three numbers that are given one by one or as one vector."""
    return values[0] if len(values) == 1 else values


@original(MOTION_NAMES, 'getPosition()', 'position')
def _position(own: OriginalAccess) -> Vector:
    return own.units.from_si(own.object.position)


@original(MOTION_NAMES, 'setPosition(x, y, z)', 'position = ...')
def _set_position(own: OriginalAccess, *vector: Any) -> None:
    own.object.position = own.units.to_si(_vector(vector))


@original(MOTION_NAMES, 'getRotation()', 'orientation')
def _rotation(own: OriginalAccess) -> Quaternion:
    return orientation_to_wxyz(own.object.orientation)


@original(MOTION_NAMES, 'setRotation(rotation)', 'orientation = ...')
def _set_rotation(own: OriginalAccess, rotation: Sequence[float]) -> None:
    own.object.orientation = orientation_from_wxyz(rotation)


@original(
    MOTION_NAMES,
    'setAxisAndAngle(ax, ay, az, angle, direct=1.0)',
    'orientation = ..., or rotate(axis, angle, relative=True) if direct is not 1',
)
def _set_axis_and_angle(
    own: OriginalAccess, ax: float, ay: float, az: float, *angle_and_direct: float
) -> None:
    angle, direct = (*angle_and_direct, 1.0)[:2]
    if direct == 1.0:
        own.object.orientation = orientation_from_axis_angle((ax, ay, az, angle))
    else:
        own.object.rotate(own.units.to_si((ax, ay, az), 0), angle, relative=True)


@original(MOTION_NAMES, 'getLinearVelocity()', 'linear_velocity')
def _linear_velocity(own: OriginalAccess) -> Vector:
    return own.units.from_si(own.object.linear_velocity)


@original(MOTION_NAMES, 'setLinearVelocity(vx, vy, vz)', 'linear_velocity = ...')
def _set_linear_velocity(own: OriginalAccess, *vector: Any) -> None:
    own.object.linear_velocity = own.units.to_si(_vector(vector))


@original(MOTION_NAMES, 'getAngularVelocity()', 'angular_velocity')
def _angular_velocity(own: OriginalAccess) -> Vector:
    return own.units.from_si(own.object.angular_velocity, 0)


@original(MOTION_NAMES, 'setAngularVelocity(x, y, z)', 'angular_velocity = ...')
def _set_angular_velocity(own: OriginalAccess, *vector: Any) -> None:
    own.object.angular_velocity = own.units.to_si(_vector(vector), 0)


@original(MOTION_NAMES, 'addForce(fx, fy, fz)', 'add_force(force)')
@original(
    MOTION_NAMES, 'setForce(fx, fy, fz)', 'add_force(force); earlier forces of the step stay'
)
def _add_force(own: OriginalAccess, *force: Any) -> None:
    own.object.add_force(own.units.to_si(_vector(force)))


@original(MOTION_NAMES, 'addRelForce(fx, fy, fz)', 'add_force(force, relative=True)')
def _add_relative_force(own: OriginalAccess, *force: Any) -> None:
    own.object.add_force(own.units.to_si(_vector(force)), relative=True)


@original(MOTION_NAMES, 'addForceAtPos(fx, fy, fz, px, py, pz)', 'add_force(force, at)')
def _add_force_at(own: OriginalAccess, *values: float) -> None:
    force, at = own.units.to_si(values[:3]), own.units.to_si(values[3:])
    own.object.add_force(force, at)


@original(
    MOTION_NAMES,
    'addForceAtRelPos(fx, fy, fz, px, py, pz)',
    'add_force(force, at, at_relative=True)',
)
def _add_force_at_relative(own: OriginalAccess, *values: float) -> None:
    force, at = own.units.to_si(values[:3]), own.units.to_si(values[3:])
    own.object.add_force(force, at, at_relative=True)


@original(
    MOTION_NAMES, 'addRelForceAtPos(fx, fy, fz, px, py, pz)', 'add_force(force, at, relative=True)'
)
def _add_relative_force_at(own: OriginalAccess, *values: float) -> None:
    force, at = own.units.to_si(values[:3]), own.units.to_si(values[3:])
    own.object.add_force(force, at, relative=True)


@original(
    MOTION_NAMES,
    'addRelForceAtRelPos(fx, fy, fz, px, py, pz)',
    'add_force(force, at, relative=True, at_relative=True)',
)
def _add_relative_force_at_relative(own: OriginalAccess, *values: float) -> None:
    force, at = own.units.to_si(values[:3]), own.units.to_si(values[3:])
    own.object.add_force(force, at, relative=True, at_relative=True)


@original(MOTION_NAMES, 'addForceToParts(part, fx, fy, fz)', 'add_force(force, part=part)')
def _add_force_to_part(own: OriginalAccess, part: str, *force: Any) -> None:
    own.object.add_force(own.units.to_si(_vector(force)), part=part)


@original(MOTION_NAMES, 'setAccel(ax, ay, az)', 'add_force(mass * acceleration)')
def _add_acceleration(own: OriginalAccess, *vector: Any) -> None:
    acceleration = own.units.to_si(_vector(vector))
    own.object.add_force([own.object.mass * each for each in acceleration])


@original(MOTION_NAMES, 'addTorque(x, y, z)', 'add_torque(torque)')
@original(
    MOTION_NAMES, 'setTorque(x, y, z)', 'add_torque(torque); earlier torques of the step stay'
)
def _add_torque(own: OriginalAccess, *torque: Any) -> None:
    own.object.add_torque(own.units.to_si(_vector(torque), 2))


@original(MOTION_NAMES, 'getMass()', 'mass')
def _mass(own: OriginalAccess) -> float:
    return own.object.mass


@original(MOTION_NAMES, 'setMass(mass)', 'mass = ...')
def _set_mass(own: OriginalAccess, mass: float) -> None:
    own.object.mass = mass


@original(MOTION_NAMES, 'getGravityMode()', 'gravity')
def _gravity(own: OriginalAccess) -> bool:
    return own.object.gravity


@original(MOTION_NAMES, 'setGravityMode(on)', 'gravity = ...')
def _set_gravity(own: OriginalAccess, on: bool) -> None:
    own.object.gravity = on


@original(MOTION_NAMES, 'getDynamicsMode()', 'dynamics')
def _dynamics(own: OriginalAccess) -> bool:
    return own.object.dynamics


@original(MOTION_NAMES, 'setDynamicsMode(on)', 'dynamics = ...')
def _set_dynamics(own: OriginalAccess, on: bool) -> None:
    own.object.dynamics = on


@original(MOTION_NAMES, 'setCollisionEnable(on)', 'collides = ...')
def _set_collides(own: OriginalAccess, on: bool) -> None:
    own.object.collides = on


unavailable(
    MOTION_NAMES,
    'forces act for one physics step, and are not kept',
    'getForce()',
    'getAccel()',
    'getTorque()',
)

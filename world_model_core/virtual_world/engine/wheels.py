# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Differential drive: velocities of the base and of its wheels, and motion along the floor."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from world_model_core.frames import yaw_of
from world_model_core.virtual_world.engine.errors import InvalidStateError, WrongModeError
from world_model_core.virtual_world.values import JointKind, Pose

if TYPE_CHECKING:
    from world_model_core.virtual_world.engine.physics import Physics
    from world_model_core.virtual_world.values import Quaternion, Wheels

__all__ = [
    'BaseVelocity',
    'WheelVelocities',
    'base_velocity',
    'check_wheels',
    'move_base',
    'wheel_velocities',
]


class WheelVelocities(NamedTuple):
    """Angular velocities of both wheels; positive is forward [rad/s]."""

    left: float
    right: float


class BaseVelocity(NamedTuple):
    """Velocity of a base along its x axis [m/s], and about the vertical [rad/s]."""

    linear: float
    angular: float


def check_wheels(physics: Physics, name: str, wheels: Wheels) -> None:
    """
    Check the wheels of an entity.

    Raises
    ------
    InvalidStateError
        The radius or the separation is not above 0.
    UnknownPartError
        There is no such joint.
    WrongModeError
        A joint is not a hinge, or the entity is fixed to the world.

    """
    for what, value in (('radius', wheels.radius), ('separation', wheels.separation)):
        if not 0.0 < value < math.inf:
            raise InvalidStateError(
                f'{what} of wheels of {name!r} is {value} m; it must be above 0'
            )
    for joint in wheels.joints or ():
        if (kind := physics.joint(name, joint).kind) is not JointKind.HINGE:
            raise WrongModeError(f'wheel {joint!r} of {name!r} is a {kind.value}, not a hinge')
    if not physics.handle(name).free:
        raise WrongModeError(f'entity {name!r} is fixed to the world: it cannot drive')


def base_velocity(wheels: Wheels, velocities: WheelVelocities) -> BaseVelocity:
    """Return the velocity of a base whose wheels roll without slip."""
    left, right = (wheels.radius * velocity for velocity in velocities)
    return BaseVelocity((left + right) / 2.0, (right - left) / wheels.separation)


def wheel_velocities(wheels: Wheels, velocity: BaseVelocity) -> WheelVelocities:
    """Return the velocities of wheels that roll without slip under a moving base."""
    turn = 0.5 * wheels.separation * velocity.angular
    left, right = velocity.linear - turn, velocity.linear + turn
    return WheelVelocities(left / wheels.radius, right / wheels.radius)


def move_base(pose: Pose, velocity: BaseVelocity, dt: float) -> Pose:
    """
    Move a base along its arc on the floor; its height and its tilt stay.

    Parameters
    ----------
    pose : Pose
        In the frame `world`.
    velocity : BaseVelocity
        Constant in the step.
    dt : float
        Duration [s].

    """
    x, y, z = pose.position
    # As `unicycle.move`, which takes ten times as long for a single pose.
    half = 0.5 * velocity.angular * dt
    chord = velocity.linear * dt * (math.sin(half) / half if half else 1.0)
    ahead = yaw_of(pose.orientation) + half
    turned = _turn(pose.orientation, 2.0 * half)
    return Pose((x + chord * math.cos(ahead), y + chord * math.sin(ahead), z), turned)


def _turn(orientation: Quaternion, angle: float) -> Quaternion:
    """Rotate about the vertical of the frame `world`, by `angle` [rad]."""
    x, y, z, w = orientation
    cos, sin = math.cos(0.5 * angle), math.sin(0.5 * angle)
    turned = (cos * x - sin * y, cos * y + sin * x, cos * z + sin * w, cos * w - sin * z)
    length = math.hypot(*turned)
    return (turned[0] / length, turned[1] / length, turned[2] / length, turned[3] / length)

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Grasps, connections and wheels of the entities of a running world."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from world_model_core.virtual_world.engine.errors import InvalidStateError, WrongModeError
from world_model_core.virtual_world.engine.joint_commands import JointCommands
from world_model_core.virtual_world.engine.wheels import (
    BaseVelocity,
    WheelVelocities,
    base_velocity,
    check_wheels,
    wheel_velocities,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from world_model_core.virtual_world.engine.welds import PartName
    from world_model_core.virtual_world.values import Wheels

__all__ = ['Manipulation']


class Manipulation(JointCommands):
    """Commands that join entities, and that drive robots: a part of Engine."""

    @property
    def grasps(self) -> Mapping[PartName, str]:
        """Things by the hands that hold them: names of entity and part."""
        return self._grasping.grasps

    @property
    def connections(self) -> Mapping[str, tuple[PartName, PartName]]:
        """Both parts of each connection, by its name."""
        return self._grasping.connections

    def grasp(self, holder: str, part: str, thing: str) -> None:
        """
        Hold a thing by a part of an entity; they do not collide meanwhile.

        A thing without dynamics moves with the hand, too.

        Raises
        ------
        UnknownEntityError, UnknownPartError
            There is no such hand.
        GraspError
            The thing does not exist, cannot be grasped, is held, or is beyond its grasp radius;
            or the hand holds another.

        """
        self._grasping.grasp(holder, part, thing)

    def check_grasp(self, holder: str, part: str, thing: str) -> None:
        """
        Check that a part of an entity could hold a thing.

        Raises
        ------
        UnknownEntityError, UnknownPartError, GraspError
            See `grasp`.

        """
        self._grasping.check(holder, part, thing)

    def set_graspable(self, name: str, on: bool) -> None:
        """Set whether hands can grasp an entity; a hand that holds it keeps it."""
        self._composition.entities[name] = replace(self.entity(name), graspable=on)

    def set_grasp_radius(self, name: str, radius: float) -> None:
        """
        Set the largest distance of a hand that can grasp an entity [m].

        Raises
        ------
        InvalidStateError
            It is below 0.

        """
        entity = self.entity(name)
        if not 0.0 <= radius < math.inf:
            raise InvalidStateError(
                f'grasp radius of {name!r} is {radius} m; it must be 0 or above'
            )
        self._composition.entities[name] = replace(entity, grasp_radius=radius)

    def release(self, holder: str, part: str) -> None:
        """Let the thing go that a part holds; nothing happens if it holds none."""
        self._grasping.release(holder, part)

    def connect(self, name: str, first: PartName, second: PartName) -> None:
        """
        Hold two parts together, under a name.

        Raises
        ------
        UnknownEntityError, UnknownPartError
            There is no such part.
        NameTakenError
            Another connection has the name, or it is empty.
        WrongModeError
            Both parts are the same.

        """
        self._grasping.connect(name, first, second)

    def disconnect(self, name: str) -> None:
        """
        Let the parts of a connection go.

        Raises
        ------
        UnknownEntityError
            No connection has the name.

        """
        self._grasping.disconnect(name)

    def set_wheels(self, name: str, wheels: Wheels) -> None:
        """
        Give an entity wheels.

        Raises
        ------
        InvalidStateError
            The radius or the separation is not above 0.
        UnknownPartError
            There is no such joint.
        WrongModeError
            The entity is fixed to the world.

        """
        check_wheels(self.physics, name, wheels)
        self._composition.entities[name] = replace(self.entity(name), wheels=wheels)

    def set_wheel_velocities(self, name: str, left: float, right: float) -> None:
        """
        Drive by the velocities of both wheels, until the next [rad/s].

        Without dynamics the base is moved along the floor.

        Raises
        ------
        InvalidStateError
            A velocity is not finite.
        WrongModeError
            The entity has no wheels, or it has dynamics and its wheels have no joints.

        """
        wheels, velocities = self._wheels(name), WheelVelocities(left, right)
        if not all(map(math.isfinite, velocities)):
            raise InvalidStateError(
                f'wheel velocities of {name!r} are {left} and {right} rad/s; they must be finite'
            )
        if not self.entity(name).dynamics:
            self._drives.set(name, base_velocity(wheels, velocities))
            return
        if wheels.joints is None:
            raise WrongModeError(f'entity {name!r} has dynamics, and no joints of its wheels')
        for joint, velocity in zip(wheels.joints, velocities, strict=True):
            self.set_joint_target(name, joint, velocity=velocity)

    def drive(self, name: str, linear: float, angular: float) -> None:
        """
        Drive a base forward [m/s] and about the vertical [rad/s], until the next velocities.

        Raises
        ------
        InvalidStateError
            A velocity is not finite.
        WrongModeError
            The entity has no wheels, or it has dynamics and its wheels have no joints.

        """
        velocities = wheel_velocities(self._wheels(name), BaseVelocity(linear, angular))
        self.set_wheel_velocities(name, *velocities)

    def _wheels(self, name: str) -> Wheels:
        if (wheels := self.entity(name).wheels) is None:
            raise WrongModeError(f'entity {name!r} has no wheels')
        check_wheels(self.physics, name, wheels)
        return wheels

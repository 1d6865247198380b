# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""States of the entities of a running world, and commands to them."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.virtual_world.engine.drives import Drives
from world_model_core.virtual_world.engine.errors import (
    InvalidStateError,
    UnknownEntityError,
    UnknownPartError,
    WrongModeError,
)
from world_model_core.virtual_world.engine.grasping import Grasping
from world_model_core.virtual_world.engine.gyroscopes import GyroscopicTorques
from world_model_core.virtual_world.engine.joint_targets import (
    JointTarget,
    JointTargets,
    TargetKind,
)
from world_model_core.virtual_world.engine.limits import LimitStops
from world_model_core.virtual_world.engine.modes import Modes
from world_model_core.virtual_world.engine.states import States
from world_model_core.virtual_world.values import EntityState, JointKind, JointState

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.virtual_world.engine.composition import Composition
    from world_model_core.virtual_world.engine.physics import Physics
    from world_model_core.virtual_world.values import Entity, Pose, Vector

__all__ = ['EntityCommands']


class EntityCommands:
    """
    Commands to the entities of a running world by their names: a part of Engine.

    Attributes
    ----------
    physics : Physics

    """

    physics: Physics
    _composition: Composition
    _states: States
    _modes: Modes
    _targets: JointTargets
    _drives: Drives
    _grasping: Grasping

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all entities."""
        return tuple(self._composition.entities)

    def entity(self, name: str) -> Entity:
        """Return an entity with its present modes, attributes and states."""
        if (found := self._composition.entities.get(name)) is None:
            raise UnknownEntityError(f'no entity has the name {name!r}')
        return found

    def state_of(self, name: str) -> EntityState:
        """Return pose, velocities and joints of an entity."""
        return self._states.of(name)

    def root_state_of(self, name: str) -> EntityState:
        """Return pose and velocities of an entity, without its joints."""
        return self._states.root_of(name)

    def set_state(self, name: str, state: EntityState) -> None:
        """
        Set pose, velocities and the given joints of an entity.

        The velocities of an entity without dynamics stay 0.

        Raises
        ------
        InvalidStateError, UnknownPartError
        WrongModeError
            The entity is fixed to the world, and the pose differs; or a hand holds it.

        """
        self._grasping.check_free(name)
        self._states.set(name, state)
        self._grasping.follow(name)
        self._modes.hold_present_poses()

    def part_names(self, name: str) -> tuple[str, ...]:
        """Return the names of the parts of an entity, the root first."""
        return tuple(self.physics.handle(name).parts)

    def part_pose(self, name: str, part: str) -> Pose:
        """Return the pose of a part in the frame `world`."""
        return self._states.part_pose(name, part)

    def bounds(self, name: str) -> tuple[Vector, Vector]:
        """Return the lower and upper corner of a box around an entity, frame `world` [m]."""
        return self._states.bounds(name)

    def shape_boxes(self, name: str) -> Array:
        """Return lower and upper corners of the box around each shape, (n, 2, 3), in `world`."""
        return self._states.shape_boxes(name)

    def set_dynamics(self, name: str, on: bool) -> None:
        """Let an entity move by forces, or hold its pose."""
        self._change(name, replace(self.entity(name), dynamics=on))

    def set_gravity(self, name: str, on: bool) -> None:
        """Set whether an entity has weight."""
        self._change(name, replace(self.entity(name), gravity=on))

    def set_collides(self, name: str, on: bool) -> None:
        """Set whether an entity collides."""
        self._change(name, replace(self.entity(name), collides=on))

    def set_mass(self, name: str, mass: float) -> None:
        """
        Set the mass of a whole entity [kg]; its parts and inertias are scaled.

        Raises
        ------
        InvalidStateError
            The mass is not above 0.

        """
        self.entity(name)
        if not 0.0 < mass < math.inf:
            raise InvalidStateError(f'mass of {name!r} is {mass} kg; it must be above 0')
        self._modes.masses[name] = mass
        self._modes.apply(name)

    def set_attribute(self, name: str, attribute: str, value: str | float | bool) -> None:
        """
        Set the value of an attribute.

        Raises
        ------
        UnknownPartError
            The entity has no such attribute.

        """
        entity = self.entity(name)
        if (present := entity.attributes.get(attribute)) is None:
            raise UnknownPartError(f'entity {name!r} has no attribute {attribute!r}')
        changed = {**entity.attributes, attribute: replace(present, value=value)}
        self._composition.entities[name] = replace(entity, attributes=changed)

    def show_state(self, name: str, state: str, value: str) -> None:
        """
        Set the value of a state, which selects the visible shapes.

        Raises
        ------
        UnknownPartError
            The entity has no such state.

        """
        entity = self.entity(name)
        if state not in entity.states:
            raise UnknownPartError(f'entity {name!r} has no state {state!r}')
        self._change(name, replace(entity, states={**entity.states, state: value}))

    def apply_wrench(
        self,
        name: str,
        part: str,
        force: Vector,
        torque: Vector = (0.0, 0.0, 0.0),
        at: Vector | None = None,
    ) -> None:
        """
        Apply a force and a torque to a part in the next physics step.

        Parameters
        ----------
        name, part : str
            Of the entity and the part; an empty part is the root.
        force, torque : tuple of float
            In the frame `world` [N, N m].
        at : tuple of float, optional
            Where the force acts, in the frame `world` [m]; None: at the center of mass.

        Raises
        ------
        InvalidStateError
            A number is not finite.
        WrongModeError
            The entity has no dynamics, or is fixed to the world.

        """
        physics, body = self.physics, self.physics.body(name, part)
        self._require_dynamics(name)
        wrench = np.array([*force, *torque], dtype=np.float64)
        if at is not None:
            physics.update_poses()
            wrench[3:] += np.cross(np.subtract(at, physics.data.xipos[body]), force)
        if not np.isfinite(wrench).all():
            raise InvalidStateError(f'wrench on {name!r} is {wrench.tolist()}; it must be finite')
        self._modes.push(name, part, wrench)

    def set_joint_target(
        self,
        name: str,
        joint: str,
        *,
        position: float | None = None,
        velocity: float | None = None,
        torque: float | None = None,
    ) -> None:
        """
        Drive a hinge or slide to a position, a velocity or by a torque, until the next target.

        Without dynamics, the joint has the position at once.

        Parameters
        ----------
        name, joint : str
            Of the entity and the joint.
        position, velocity, torque : float, optional
            Exactly one of them [rad or m, rad/s or m/s, N m or N].

        Raises
        ------
        InvalidStateError
            Not exactly one finite value is given, or the position is beyond the limits.
        WrongModeError
            The joint is a ball joint, or the entity has no dynamics and gets no position.

        """
        handle = self.physics.joint(name, joint)
        given = {
            kind: value
            for kind, value in zip(TargetKind, (position, velocity, torque), strict=True)
            if value is not None
        }
        if len(given) != 1 or not all(map(math.isfinite, given.values())):
            raise InvalidStateError(
                f'target of joint {joint!r} of {name!r} has {len(given)} values; it must have one '
                'finite position, velocity or torque'
            )
        if handle.kind is JointKind.BALL:
            raise WrongModeError(f'joint {joint!r} of {name!r} is a ball joint: it has no target')
        ((kind, value),) = given.items()
        if kind is TargetKind.POSITION:
            self._check_limits(name, joint, value)
        if self.entity(name).dynamics:
            self._targets.set(name, joint, JointTarget(kind, value))
            return
        if kind is not TargetKind.POSITION:
            raise WrongModeError(f'entity {name!r} has no dynamics: its joints get positions only')
        present = self.state_of(name)
        joints = {joint: JointState((value,), (0.0,))}
        self.set_state(name, replace(present, joints=joints))

    def _act_on(self, composition: Composition) -> None:
        """Create all that acts on the entities of a composition."""
        self._composition, self.physics = composition, composition.physics
        self._states = States(self.physics, composition.offsets, composition.part_frames)
        # Before the modes, which set other masses.
        GyroscopicTorques(self.physics)
        self._modes = Modes(self.physics, composition.entities)
        self._targets = JointTargets(self.physics)
        LimitStops(self.physics)
        self._drives = Drives(self.physics, self._modes, composition.offsets)
        self._grasping = Grasping(composition, self._states, self._modes)

    def _change(self, name: str, entity: Entity) -> None:
        self._composition.entities[name] = entity
        self._modes.apply(name)

    def _require_dynamics(self, name: str) -> None:
        handle = self.physics.handle(name)
        if not self.entity(name).dynamics:
            raise WrongModeError(f'entity {name!r} has no dynamics: forces have no effect')
        if handle.dofs.start == handle.dofs.stop:
            raise WrongModeError(f'entity {name!r} is fixed to the world')

    def _check_limits(self, name: str, joint: str, position: float) -> None:
        model, index = self.physics.model, self.physics.joint(name, joint).index
        lower, upper = model.jnt_range[index].tolist()
        if model.jnt_limited[index] and not lower <= position <= upper:
            raise InvalidStateError(
                f'position of joint {joint!r} of {name!r} is {position}; it must be from {lower} '
                f'to {upper}'
            )

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""States of the entities of a running world, and commands to them."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.virtual_world.engine.builder import LEAST_MASS
from world_model_core.virtual_world.engine.drives import Drives
from world_model_core.virtual_world.engine.entity_checks import LARGEST_NUMBER
from world_model_core.virtual_world.engine.errors import (
    InvalidStateError,
    UnknownEntityError,
    UnknownPartError,
    WrongModeError,
)
from world_model_core.virtual_world.engine.grasping import Grasping
from world_model_core.virtual_world.engine.gyroscopes import GyroscopicTorques
from world_model_core.virtual_world.engine.joint_targets import JointTargets
from world_model_core.virtual_world.engine.limits import LimitStops
from world_model_core.virtual_world.engine.modes import Modes
from world_model_core.virtual_world.engine.state_arrays import StateArrays
from world_model_core.virtual_world.engine.states import States

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.virtual_world.engine.composition import Composition
    from world_model_core.virtual_world.engine.physics import Physics
    from world_model_core.virtual_world.engine.welds import PartName
    from world_model_core.virtual_world.values import Camera, Entity, EntityState, Pose, Vector

__all__ = ['EntityCommands']

# Least and largest width of a picture per height.
ASPECT_RATIOS = (0.01, 100.0)


class EntityCommands:
    """
    Commands to the entities of a running world by their names: a part of Engine.

    Attributes
    ----------
    physics : Physics
    state_arrays : StateArrays

    """

    physics: Physics
    state_arrays: StateArrays
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

    @property
    def jointed_parts(self) -> tuple[PartName, ...]:
        """Names of entity and part of all parts of entities with joints."""
        handles = self.physics.handles
        return tuple(
            (name, part)
            for name, handle in handles.items()
            if handle.jointed
            for part in handle.parts
        )

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
        """Let an entity move by forces, or hold its pose; its joints lose their velocities."""
        if self.entity(name).dynamics is not on:
            self._change(name, replace(self.entity(name), dynamics=on))
            self._targets.change_mode(name)

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
            The mass is less than the least that MuJoCo accepts of a moving body, or too large.

        """
        self.entity(name)
        if not LEAST_MASS <= mass <= LARGEST_NUMBER:
            raise InvalidStateError(
                f'mass of {name!r} is {mass} kg; it must be from {LEAST_MASS:g} to '
                f'{LARGEST_NUMBER:g}'
            )
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

    def set_camera(self, name: str, camera: Camera) -> None:
        """
        Change the camera of an entity that has the same number.

        Raises
        ------
        InvalidStateError
            The field of view is not between 0 and pi, or the aspect ratio not from 0.01 to 100.
        UnknownPartError
            The entity has no camera of this number, or no part that is to carry it.

        """
        entity = self.entity(name)
        self.physics.body(name, camera.part)
        if not 0.0 < camera.vertical_fov < math.pi:
            raise InvalidStateError(
                f'vertical field of view of camera {camera.id} of {name!r} is '
                f'{camera.vertical_fov} rad; it must be between 0 and pi'
            )
        if not ASPECT_RATIOS[0] <= camera.aspect_ratio <= ASPECT_RATIOS[1]:
            raise InvalidStateError(
                f'aspect ratio of camera {camera.id} of {name!r} is {camera.aspect_ratio}; it '
                f'must be from {ASPECT_RATIOS[0]} to {ASPECT_RATIOS[1]}'
            )
        if camera.id not in {each.id for each in entity.cameras}:
            raise UnknownPartError(f'entity {name!r} has no camera {camera.id}')
        cameras = tuple(camera if each.id == camera.id else each for each in entity.cameras)
        self._composition.entities[name] = replace(entity, cameras=cameras)

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

    def _act_on(self, composition: Composition) -> None:
        """Create all that acts on the entities of a composition."""
        self._composition, self.physics = composition, composition.physics
        self._states = States(self.physics, composition.offsets, composition.part_frames)
        self.state_arrays = StateArrays(self.physics, composition.offsets, composition.part_frames)
        # Before the modes, which set other masses.
        GyroscopicTorques(self.physics)
        self._modes = Modes(self.physics, composition.entities)
        self._targets = JointTargets(self.physics, self._modes)
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

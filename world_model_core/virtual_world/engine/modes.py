# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Modes of entities: dynamics, gravity, collisions, mass and visible states, without compiling."""

from __future__ import annotations

from typing import TYPE_CHECKING

import mujoco
import numpy as np

from world_model_core.virtual_world.engine.geoms import HIDDEN, VISIBLE
from world_model_core.virtual_world.values import ShapeUse

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from world_model_core.gaussian import Array
    from world_model_core.virtual_world.engine.handles import Handle, JointHandle
    from world_model_core.virtual_world.engine.physics import Physics
    from world_model_core.virtual_world.values import Entity

__all__ = ['Modes']

# What an entity without dynamics adds to its inertia, so that others cannot push it within a step
# [kg, kg m^2].
HELD_INERTIA = 1e6
# Contacts and grasps of it are as stiff as if it weighed this much: where it slides along the
# floor they would otherwise throw it upward, and what it carries with it [kg, kg m^2].
HELD_WEIGHT = 1e3


class Modes:
    """
    Applies the modes of entities to the model.

    Parameters
    ----------
    physics : Physics
    entities : mapping of str to Entity
        Present entities, whose modes are applied; the owner changes it.

    Attributes
    ----------
    masses : dict of str to float
        Masses that were set for whole entities, by their names [kg].

    """

    def __init__(self, physics: Physics, entities: Mapping[str, Entity]) -> None:
        self._physics = physics
        self._entities = entities
        self.masses: dict[str, float] = {}
        self._carried: frozenset[str] = frozenset()
        self._wrenches: list[tuple[str, str, Array]] = []
        physics.compiled.append(self._bind)
        self._bind()

    def _bind(self) -> None:
        """Apply the modes of all entities to a model that was compiled."""
        model = self._physics.model
        self._body_mass = model.body_mass.copy()
        self._body_inertia = model.body_inertia.copy()
        self._subtree_mass = model.body_subtreemass.copy()
        self._body_invweight = model.body_invweight0.copy()
        self._dof_invweight = model.dof_invweight0.copy()
        self._armature = model.dof_armature.copy()
        self._inertia = model.dof_M0 - model.dof_armature
        self._contype = model.geom_contype.copy()
        self._conaffinity = model.geom_conaffinity.copy()
        self._weights = np.zeros((model.nbody, 6))
        self.apply_all()

    def apply_all(self) -> None:
        """Apply the modes of all entities, and hold those without dynamics where they are now."""
        for name in self._physics.handles:
            self._apply(name)
        self.hold_present_poses()

    def apply(self, name: str) -> None:
        """Apply the modes of an entity, which have changed."""
        self._apply(name)
        self._physics.wake_all()
        self.hold_present_poses()

    def holds(self, name: str) -> bool:
        """Return whether an entity has no dynamics, and no hand carries it."""
        return not self._entities[name].dynamics and name not in self._carried

    def carry(self, names: frozenset[str]) -> None:
        """Let entities without dynamics move with the hands that carry them, and no others."""
        changed, self._carried = names ^ self._carried, names
        for name in changed:
            if name in self._physics.handles:
                self._apply(name)
        if changed:
            self.hold_present_poses()

    def hold_present_poses(self) -> None:
        """Hold entities without dynamics where they are now."""
        held = [
            handle
            for name, handle in self._physics.handles.items()
            if self.holds(name) and handle.dofs.stop > handle.dofs.start
        ]
        self._held_qpos = _indices([handle.qpos for handle in held])
        self._held_dofs = _indices([handle.dofs for handle in held])
        data = self._physics.data
        self._held_values = data.qpos[self._held_qpos]
        self._held_velocities = np.zeros(len(self._held_dofs))
        data.qvel[self._held_dofs] = 0.0
        physics = self._physics
        physics.run_after_steps(self._hold, on=len(held) > 0)

    def move(self, name: str, qpos: Sequence[float], qvel: Sequence[float]) -> None:
        """
        Move the root of an entity that is held in the next physics step.

        Parameters
        ----------
        name : str
        qpos : sequence of float
            Pose after the step, of 7 numbers, as in data.qpos.
        qvel : sequence of float
            Velocity in the step and after it, of 6 numbers, as in data.qvel.

        """
        handle = self._physics.handles[name]
        place = int(np.searchsorted(self._held_qpos, handle.qpos.start))
        dof = int(np.searchsorted(self._held_dofs, handle.dofs.start))
        self._held_values[place : place + 7] = qpos
        self._held_velocities[dof : dof + 6] = qvel
        self._physics.data.qvel[handle.dofs.start : handle.dofs.start + 6] = qvel

    def move_joint(self, joint: JointHandle, velocity: float) -> None:
        """
        Move a joint of an entity that is held in the next physics step, up to its limits.

        Parameters
        ----------
        joint : JointHandle
            A hinge or slide.
        velocity : float
            [rad/s or m/s]

        """
        model, data = self._physics.model, self._physics.data
        start, step = float(data.qpos[joint.qpos]), float(model.opt.timestep)
        end = start + velocity * step
        if model.jnt_limited[joint.index]:
            lower, upper = model.jnt_range[joint.index].tolist()
            end = min(max(end, min(lower, start)), max(upper, start))
        place = int(np.searchsorted(self._held_qpos, joint.qpos))
        dof = int(np.searchsorted(self._held_dofs, joint.dof))
        self._held_values[place] = end
        self._held_velocities[dof] = data.qvel[joint.dof] = (end - start) / step

    def push(self, name: str, part: str, wrench: Array) -> None:
        """
        Apply a force and a torque to a part in the next physics step.

        Parameters
        ----------
        name, part : str
            Of the entity and the part.
        wrench : array, shape (6,)
            Force at the center of mass [N] and torque [N m] in the frame `world`.

        """
        self._wrenches.append((name, part, wrench))
        self._physics.run_before_steps(self._push, on=True)

    @property
    def wrenches(self) -> tuple[tuple[str, str, Array], ...]:
        """Entity, part, and force and torque for the next step."""
        return tuple(self._wrenches)

    def forget(self, name: str) -> None:
        """Forget mass and forces of an entity."""
        self.masses.pop(name, None)
        self._wrenches = [each for each in self._wrenches if each[0] != name]

    def reset(self) -> None:
        """Forget all masses and forces, and apply the modes of all entities."""
        self.replace({}, ())

    def replace(
        self, masses: Mapping[str, float], wrenches: Iterable[tuple[str, str, Array]]
    ) -> None:
        """Replace all masses and forces, and apply the modes of all entities."""
        self.masses = dict(masses)
        self._wrenches.clear()
        self._physics.run_before_steps(self._push, on=False)
        for wrench in wrenches:
            self.push(*wrench)
        self.apply_all()

    def _push(self) -> None:
        physics = self._physics
        for name, part, wrench in self._wrenches:
            physics.data.xfrc_applied[physics.body(name, part)] += wrench
        self._wrenches.clear()
        physics.run_before_steps(self._push, on=False)
        physics.run_after_steps(self._end_push, on=True)

    def _end_push(self) -> None:
        physics = self._physics
        physics.data.xfrc_applied[:] = self._weights
        physics.run_after_steps(self._end_push, on=False)

    def _hold(self) -> None:
        data = self._physics.data
        data.qpos[self._held_qpos] = self._held_values
        data.qvel[self._held_dofs] = self._held_velocities

    def _apply(self, name: str) -> None:
        entity, handle = self._entities[name], self._physics.handles[name]
        self._apply_inertia(name, handle)
        self._apply_gravity(entity, handle)
        self._apply_shapes(entity, handle)

    def _apply_inertia(self, name: str, handle: Handle) -> None:
        """Scale masses and inertias, and what MuJoCo derives from them; hold what is held."""
        model, bodies, dofs = self._physics.model, handle.bodies, handle.dofs
        ratio = 1.0
        if name in self.masses:
            ratio = self.masses[name] / self._body_mass[bodies].sum()
        model.body_mass[bodies] = ratio * self._body_mass[bodies]
        model.body_inertia[bodies] = ratio * self._body_inertia[bodies]
        model.body_subtreemass[bodies] = ratio * self._subtree_mass[bodies]
        if not self.holds(name):
            model.dof_armature[dofs] = self._armature[dofs]
            model.body_invweight0[bodies] = self._body_invweight[bodies] / ratio
            model.dof_invweight0[dofs] = self._dof_invweight[dofs] / ratio
        else:
            model.dof_armature[dofs] = HELD_INERTIA
            model.body_invweight0[bodies] = 1.0 / HELD_WEIGHT
            model.dof_invweight0[dofs] = 1.0 / HELD_WEIGHT
        # MuJoCo reads the inertia of single free bodies from here.
        model.dof_M0[dofs] = ratio * self._inertia[dofs] + model.dof_armature[dofs]

    def _apply_gravity(self, entity: Entity, handle: Handle) -> None:
        """Set forces against the weight; gravcomp has no effect in a model compiled without."""
        model, bodies = self._physics.model, handle.bodies
        self._weights[bodies] = 0.0
        if not entity.gravity:
            self._weights[bodies, :3] = -np.outer(model.body_mass[bodies], model.opt.gravity)
        self._physics.data.xfrc_applied[bodies] = self._weights[bodies]

    def _apply_shapes(self, entity: Entity, handle: Handle) -> None:
        """Set which geoms collide and which are seen."""
        model, geoms = self._physics.model, handle.geoms
        collides = int(entity.collides)
        model.geom_contype[geoms] = self._contype[geoms] * collides
        model.geom_conaffinity[geoms] = self._conaffinity[geoms] * collides
        for part in entity.parts:
            for number, shape in enumerate(part.shapes):
                if shape.state and shape.use is not ShapeUse.COLLISION:
                    geom = f'{entity.name}/{part.name}#{number}'
                    self._show(geom, visible=entity.shows(shape))

    def _show(self, geom: str, *, visible: bool) -> None:
        found = mujoco.mj_name2id(self._physics.model, mujoco.mjtObj.mjOBJ_GEOM, geom)
        if found >= 0:  # lines have no geom
            self._physics.model.geom_group[found] = VISIBLE if visible else HIDDEN


def _indices(ranges: list[slice]) -> np.ndarray:
    return np.concatenate(
        [np.arange(each.start, each.stop) for each in ranges] or [np.empty(0)]
    ).astype(np.intp)

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Commands to the joints of the entities of a running world, and where they are."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import mujoco
import numpy as np

from world_model_core.virtual_world.engine.entity_commands import EntityCommands
from world_model_core.virtual_world.engine.errors import InvalidStateError, WrongModeError
from world_model_core.virtual_world.engine.joint_targets import JointTarget, TargetKind
from world_model_core.virtual_world.values import JointForce, JointKind, JointState

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.virtual_world.engine.handles import JointHandle
    from world_model_core.virtual_world.values import Vector

__all__ = ['JointCommands']


class JointCommands(EntityCommands):
    """Commands to joints: a part of Engine."""

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

        Without dynamics, the joint has the position at once, or moves with the velocity up to its
        limits.

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
            The joint is a ball joint, or the entity has no dynamics and gets a torque.

        """
        self._axial_joint(name, joint)
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
        ((kind, value),) = given.items()
        if kind is TargetKind.POSITION:
            self._check_limits(name, joint, value)
        held = not self.entity(name).dynamics
        if held and kind is TargetKind.TORQUE:
            raise WrongModeError(f'entity {name!r} has no dynamics: its joints get no torques')
        if not held or kind is TargetKind.VELOCITY:
            self._targets.set(name, joint, JointTarget(kind, value))
            return
        self._targets.drop(name, joint)
        present = self.root_state_of(name)
        joints = {joint: JointState((value,), (0.0,))}
        self.set_state(name, replace(present, joints=joints))

    def add_joint_torque(self, name: str, joint: str, torque: float) -> None:
        """
        Apply a torque [N m] to a hinge or a force [N] to a slide in the next physics step.

        It acts on both parts of the joint, in opposite directions.

        Raises
        ------
        InvalidStateError
            It is not finite.
        WrongModeError
            The entity has no dynamics, or the joint is a ball joint.

        """
        handle = self._axial_joint(name, joint)
        physics = self.physics
        physics.update_poses()
        axis = torque * physics.data.xaxis[handle.index]
        anchor = self.joint_position(name, joint)
        child = physics.model.jnt_bodyid[handle.index]
        for body, vector in ((child, axis), (physics.model.body_parentid[child], -axis)):
            entity, part = physics.owners[body]
            x, y, z = vector.tolist()
            if entity and handle.kind is JointKind.HINGE:
                self.apply_wrench(entity, part, (0.0, 0.0, 0.0), (x, y, z))
            elif entity:
                self.apply_wrench(entity, part, (x, y, z), at=anchor)

    def joint_of(self, name: str, part: str) -> str:
        """Return the name of the joint that moves a part; empty: it is fixed to its parent."""
        body, joints = self.physics.body(name, part), self.physics.model.jnt_bodyid
        jointed = self.physics.handle(name).jointed.values()
        return next((each.name for each in jointed if joints[each.index] == body), '')

    def joint_position(self, name: str, joint: str) -> Vector:
        """Return where the anchor of a joint is, in the frame `world` [m]."""
        index = self.physics.joint(name, joint).index
        self.physics.update_poses()
        return _vector(self.physics.data.xanchor[index])

    def joint_forces(self, name: str, joint: str) -> tuple[JointForce, JointForce]:
        """
        Return what a joint exerted in the last physics step on its child and its parent part.

        Raises
        ------
        WrongModeError
            The entity has no dynamics.

        """
        index = self.physics.joint(name, joint).index
        if not self.entity(name).dynamics:
            raise WrongModeError(f'entity {name!r} has no dynamics: its joints exert no forces')
        physics, anchor = self.physics, self.joint_position(name, joint)
        model, data = physics.model, physics.data
        mujoco.mj_rnePostConstraint(model, data)
        child = model.jnt_bodyid[index]
        # Of the parent on the child, about the center of mass of the whole tree.
        torque, force = data.cfrc_int[child, :3], data.cfrc_int[child, 3:]
        torque = torque + np.cross(data.subtree_com[model.body_rootid[child]] - anchor, force)
        parent = physics.owners[model.body_parentid[child]][1]
        return (
            JointForce(physics.owners[child][1], _vector(force), _vector(torque)),
            JointForce(parent, _vector(-force), _vector(-torque)),
        )

    def _axial_joint(self, name: str, joint: str) -> JointHandle:
        """Return a hinge or slide."""
        handle = self.physics.joint(name, joint)
        if handle.kind is JointKind.BALL:
            raise WrongModeError(
                f'joint {joint!r} of {name!r} is a ball joint: it has no target and no torque'
            )
        return handle

    def _check_limits(self, name: str, joint: str, position: float) -> None:
        model, index = self.physics.model, self.physics.joint(name, joint).index
        lower, upper = model.jnt_range[index].tolist()
        if model.jnt_limited[index] and not lower <= position <= upper:
            raise InvalidStateError(
                f'position of joint {joint!r} of {name!r} is {position}; it must be from {lower} '
                f'to {upper}'
            )


def _vector(values: Array) -> Vector:
    x, y, z = values.tolist()
    return x, y, z

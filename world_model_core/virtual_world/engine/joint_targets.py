# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Targets of joints: positions, velocities and torques."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

import mujoco
import numpy as np

from world_model_core.virtual_world.engine.builder import SERVO_IMPEDANCE, SERVO_TIME

if TYPE_CHECKING:
    from collections.abc import Mapping

    from world_model_core.virtual_world.engine.handles import JointHandle
    from world_model_core.virtual_world.engine.modes import Modes
    from world_model_core.virtual_world.engine.physics import Physics

__all__ = ['JointTarget', 'JointTargets', 'TargetKind']

# A servo accelerates by k e - b v with k = 1 / (d T)^2 and b = 2 / (d T); an error e of b / k for
# each unit of velocity therefore makes it a servo of velocity [s].
ERROR_PER_VELOCITY = 2.0 * SERVO_IMPEDANCE[0] * SERVO_TIME


class TargetKind(Enum):
    """What a joint is driven to."""

    POSITION = 'position'
    VELOCITY = 'velocity'
    TORQUE = 'torque'


@dataclass(frozen=True, slots=True)
class JointTarget:
    """A target [rad or m, rad/s or m/s, N m or N]."""

    kind: TargetKind
    value: float


class JointTargets:
    """
    Drives hinges and slides by the constraints that the builder adds.

    A constraint is stable for all masses and steps, unlike a controller with gains. Targets stay
    until they are replaced. Joints of entities that are held are moved by their velocities, up to
    their limits.

    Parameters
    ----------
    physics : Physics
    modes : Modes

    Attributes
    ----------
    all : dict of tuple of str to JointTarget
        By the names of entity and joint.

    """

    def __init__(self, physics: Physics, modes: Modes) -> None:
        self._physics = physics
        self._modes = modes
        self.all: dict[tuple[str, str], JointTarget] = {}
        physics.compiled.append(self.apply)
        self.apply()

    def set(self, name: str, joint: str, target: JointTarget) -> None:
        """Set the target of a joint."""
        self.all[name, joint] = target
        self.apply()
        self._physics.wake(name)

    def replace(self, targets: Mapping[tuple[str, str], JointTarget]) -> None:
        """Replace all targets."""
        self.all = dict(targets)
        self.apply()

    def drop(self, name: str, joint: str) -> None:
        """Forget the target of a joint, if it has one."""
        if self.all.pop((name, joint), None) is not None:
            self.apply()

    def change_mode(self, name: str) -> None:
        """Apply the targets of an entity that is held from now on, or no longer: it stands."""
        own = {key: each for key, each in self.all.items() if key[0] == name}
        for key, target in own.items():
            if target.kind is TargetKind.VELOCITY:
                del self.all[key]
        if own:
            self.apply()

    def forget(self, name: str) -> None:
        """Forget the targets of an entity."""
        self.all = {key: each for key, each in self.all.items() if key[0] != name}

    def apply(self) -> None:
        """Apply all targets to the model."""
        physics = self._physics
        model, data = physics.model, physics.data
        data.qfrc_applied[:] = 0.0
        for name, handle in physics.handles.items():
            for joint in handle.jointed:
                if (servo := self._servo(name, joint)) >= 0:
                    data.eq_active[servo] = False
        moving: list[tuple[int, int, float]] = []
        self._turned: list[tuple[JointHandle, float]] = []
        for (name, joint), target in self.all.items():
            found, servo = physics.joint(name, joint), self._servo(name, joint)
            if target.kind is TargetKind.TORQUE:
                data.qfrc_applied[found.dof] = target.value
                continue
            if target.kind is TargetKind.VELOCITY and self._modes.holds(name):
                self._turned.append((found, target.value))
                continue
            data.eq_active[servo] = True
            if target.kind is TargetKind.POSITION:
                model.eq_data[servo, 0] = target.value - model.qpos0[found.qpos]
            else:
                moving.append((servo, found.qpos, target.value))
        self._servos, self._qpos = (
            np.array([each[column] for each in moving], dtype=np.intp) for column in (0, 1)
        )
        self._leads = np.array([ERROR_PER_VELOCITY * value for _, _, value in moving])
        self._leads -= model.qpos0[self._qpos]
        physics.run_before_steps(self._follow, on=bool(moving))
        physics.run_before_steps(self._turn, on=bool(self._turned))

    def _servo(self, name: str, joint: str) -> int:
        found = mujoco.mj_name2id(
            self._physics.model, mujoco.mjtObj.mjOBJ_EQUALITY, f'{name}/{joint}'
        )
        return int(found)

    def _follow(self) -> None:
        """Move the targets of joints that have a velocity ahead of them."""
        physics = self._physics
        targets = physics.data.qpos[self._qpos] + self._leads
        physics.model.eq_data[self._servos, 0] = targets

    def _turn(self) -> None:
        """Move the joints of entities that are held."""
        for joint, velocity in self._turned:
            self._modes.move_joint(joint, velocity)

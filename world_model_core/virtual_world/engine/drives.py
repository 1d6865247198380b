# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Robots whose base is moved along the floor, as SIGVerse's setWheelVelocity does."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from world_model_core.frames import yaw_of
from world_model_core.virtual_world.engine.poses import compose, inverse, pose_of, wxyz
from world_model_core.virtual_world.engine.wheels import move_base

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from world_model_core.virtual_world.engine.modes import Modes
    from world_model_core.virtual_world.engine.physics import Physics
    from world_model_core.virtual_world.engine.wheels import BaseVelocity
    from world_model_core.virtual_world.values import Pose, Quaternion, Vector

__all__ = ['Drives']


class Drives:
    """
    Moves bases without dynamics with their velocities, until they get others.

    A base follows its arc exactly, through whatever stands there. It has its velocity during the
    step, so that it pushes others and carries what it holds.

    Parameters
    ----------
    physics : Physics
    modes : Modes
    offsets : mapping of str to Pose
        Of the root part of each entity, in the frame of the entity.

    """

    def __init__(self, physics: Physics, modes: Modes, offsets: Mapping[str, Pose]) -> None:
        self._physics = physics
        self._modes = modes
        self._offsets = offsets
        self._velocities: dict[str, BaseVelocity] = {}

    @property
    def velocities(self) -> Mapping[str, BaseVelocity]:
        """Velocities of bases by the names of the entities."""
        return self._velocities

    def replace(self, velocities: Mapping[str, BaseVelocity]) -> None:
        """Replace the velocities of all bases."""
        self._velocities = {
            name: velocity for name, velocity in velocities.items() if any(velocity)
        }
        self._physics.run_before_steps(self._move, on=bool(self._velocities))

    def set(self, name: str, velocity: BaseVelocity) -> None:
        """Set the velocity of a base."""
        self.replace({**self._velocities, name: velocity})
        self._modes.hold_present_poses()

    def forget(self, name: str) -> None:
        """Forget the velocity of an entity."""
        self.replace({each: found for each, found in self._velocities.items() if each != name})

    def _move(self) -> None:
        """Move all bases without dynamics to the ends of their arcs in the next step."""
        for name, velocity in self._velocities.items():
            if self._modes.holds(name):
                self._modes.move(name, *self._moved(name, velocity))

    def _moved(self, name: str, velocity: BaseVelocity) -> tuple[Sequence[float], Sequence[float]]:
        """Return pose and velocity of a root part after the step, as in data.qpos and qvel."""
        physics, offset = self._physics, self._offsets[name]
        start = physics.handles[name].qpos.start
        values = physics.data.qpos[start : start + 7].tolist()
        root = pose_of(values[:3], values[3:])
        frame = move_base(
            compose(root, inverse(offset)), velocity, float(physics.model.opt.timestep)
        )
        root = compose(frame, offset)
        heading = yaw_of(frame.orientation)
        x, y = root.position[0] - frame.position[0], root.position[1] - frame.position[1]
        qvel = (
            velocity.linear * math.cos(heading) - velocity.angular * y,
            velocity.linear * math.sin(heading) + velocity.angular * x,
            0.0,
            # MuJoCo has angular velocities in the frame of the body: here of the vertical.
            *(velocity.angular * each for each in _vertical(root.orientation)),
        )
        return (*root.position, *wxyz(root.orientation)), qvel


def _vertical(orientation: Quaternion) -> Vector:
    """Return the upward direction in the frame of a body."""
    x, y, z, w = orientation
    return 2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Applies to a running world what controllers have written."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from world_model_core.virtual_world.agents.writes import check_mode, checked_values
from world_model_core.virtual_world.values import Camera, EntityState, JointState, Pose, Wheels

if TYPE_CHECKING:
    from collections.abc import Callable

    from world_model_core.virtual_world.agents.writes import Write
    from world_model_core.virtual_world.engine.engine import Engine
    from world_model_core.virtual_world.values import Quaternion, Vector

__all__ = ['apply']


def apply(engine: Engine, write: Write) -> None:
    """
    Apply a write, which may come from anybody.

    Raises
    ------
    EngineError
        The world refuses it: an unknown entity, attribute, part, joint or state, an invalid value,
        or one that the present mode does not allow. The world is as before.

    """
    values = checked_values(write.entity, write.attribute, write.value)
    check_mode(write.entity, write.attribute, dynamics=engine.entity(write.entity).dynamics)
    _COMMANDS[write.attribute](engine, write.entity, *values)


def _set_position(engine: Engine, name: str, position: Vector) -> None:
    orientation = engine.root_state_of(name).pose.orientation
    engine.set_state(name, EntityState(Pose(position, orientation)))


def _set_orientation(engine: Engine, name: str, orientation: Quaternion) -> None:
    position = engine.root_state_of(name).pose.position
    engine.set_state(name, EntityState(Pose(position, orientation)))


def _set_linear_velocity(engine: Engine, name: str, velocity: Vector) -> None:
    present = engine.root_state_of(name)
    engine.set_state(name, replace(present, linear_velocity=velocity))


def _set_angular_velocity(engine: Engine, name: str, velocity: Vector) -> None:
    present = engine.root_state_of(name)
    engine.set_state(name, replace(present, angular_velocity=velocity))


def _set_joint_quaternion(engine: Engine, name: str, joint: str, orientation: Quaternion) -> None:
    turned = {joint: JointState(orientation, (0.0, 0.0, 0.0))}
    engine.set_state(name, replace(engine.root_state_of(name), joints=turned))


def _set_camera(engine: Engine, name: str, number: int, part: str, *values: Any) -> None:
    position, orientation, vertical_fov, aspect_ratio = values
    pose = Pose(position, orientation)
    engine.set_camera(name, Camera(number, part, pose, vertical_fov, aspect_ratio))


def _set_wheels(engine: Engine, name: str, radius: float, separation: float, *joints: str) -> None:
    left, right = joints
    hinges = (left, right) if left or right else None
    engine.set_wheels(name, Wheels(radius, separation, hinges))


_COMMANDS: dict[str, Callable[..., None]] = {
    'position': _set_position,
    'orientation': _set_orientation,
    'linear_velocity': _set_linear_velocity,
    'angular_velocity': _set_angular_velocity,
    'dynamics': lambda engine, name, on: engine.set_dynamics(name, on),
    'gravity': lambda engine, name, on: engine.set_gravity(name, on),
    'collides': lambda engine, name, on: engine.set_collides(name, on),
    'mass': lambda engine, name, mass: engine.set_mass(name, mass),
    'graspable': lambda engine, name, on: engine.set_graspable(name, on),
    'grasp_radius': lambda engine, name, radius: engine.set_grasp_radius(name, radius),
    'attribute': lambda engine, *values: engine.set_attribute(*values),
    'state': lambda engine, *values: engine.show_state(*values),
    'wrench': lambda engine, *values: engine.apply_wrench(*values),
    'joint_angle': lambda engine, name, joint, angle: engine.set_joint_target(
        name, joint, position=angle
    ),
    'joint_quaternion': _set_joint_quaternion,
    'joint_target': lambda engine, name, joint, angle: engine.set_joint_target(
        name, joint, position=angle
    ),
    'joint_velocity': lambda engine, name, joint, velocity: engine.set_joint_target(
        name, joint, velocity=velocity
    ),
    'joint_torque': lambda engine, *values: engine.add_joint_torque(*values),
    'connection': lambda engine, name, connection, part, other, other_part: engine.connect(
        connection, (name, part), (other, other_part)
    ),
    'disconnection': lambda engine, _name, connection: engine.disconnect(connection),
    'grasp': lambda engine, *values: engine.grasp(*values),
    'release': lambda engine, *values: engine.release(*values),
    'camera': _set_camera,
    'wheels': _set_wheels,
    'wheel_velocities': lambda engine, *values: engine.set_wheel_velocities(*values),
}

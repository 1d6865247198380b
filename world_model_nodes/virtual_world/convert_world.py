# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Conversion of poses, velocities and joints of entities to standard messages and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from sensor_msgs.msg import JointState as JointStateMessage

from world_model_core.virtual_world.commands import check_finite, joint_commands
from world_model_nodes.runtime.convert import header

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from geometry_msgs.msg import Twist, Vector3, Wrench

    from world_model_core.gaussian import Array
    from world_model_core.virtual_world.commands import JointCommand
    from world_model_core.virtual_world.values import EntityState, JointState, Pose, Vector


def pose_rows(poses: Iterable[Pose]) -> Array:
    """Return poses as an array, shape (n, 7): x, y, z [m] and quaternion xyzw."""
    rows = [(*pose.position, *pose.orientation) for pose in poses]
    return np.array(rows, dtype=np.float64).reshape(-1, 7)


def twist_rows(states: Iterable[EntityState]) -> Array:
    """Return velocities as an array, shape (n, 6): linear [m/s] and angular [rad/s]."""
    rows = [(*state.linear_velocity, *state.angular_velocity) for state in states]
    return np.array(rows, dtype=np.float64).reshape(-1, 6)


def scalar_joints(joints: Mapping[str, JointState]) -> tuple[str, ...]:
    """Return the names of the joints with one number: hinges and slides."""
    return tuple(name for name, state in joints.items() if len(state.position) == 1)


def joint_message(
    names: Iterable[str], joints: Mapping[str, JointState], stamp_ns: int, frame_id: str
) -> JointStateMessage:
    """Convert the states of hinges and slides at a time [ns]."""
    message = JointStateMessage(header=header(stamp_ns, frame_id))
    message.name = list(names)
    message.position = [joints[name].position[0] for name in message.name]
    message.velocity = [joints[name].velocity[0] for name in message.name]
    return message


def drive_of(message: Twist) -> tuple[float, float]:
    """
    Convert a command to a speed along x [m/s] and a turn rate about z [rad/s].

    Raises
    ------
    CommandError
        One of them is not finite.

    """
    linear, angular = message.linear.x, message.angular.z
    check_finite(**{'linear.x': linear, 'angular.z': angular})
    return linear, angular


def wrench_of(message: Wrench) -> tuple[Vector, Vector]:
    """
    Convert a wrench to a force [N] and a torque [N m].

    Raises
    ------
    CommandError
        A number is not finite.

    """
    force, torque = _vector(message.force), _vector(message.torque)
    for name, vector in (('force', force), ('torque', torque)):
        check_finite(**{f'{name}.{axis}': v for axis, v in zip('xyz', vector, strict=True)})
    return force, torque


def commands_of(message: JointStateMessage, known: Collection[str]) -> tuple[JointCommand, ...]:
    """
    Convert a message to commands to joints: positions, velocities or efforts.

    Raises
    ------
    CommandError
        A joint is not `known` or occurs twice, a number is missing or not finite.

    """
    return joint_commands(
        known, list(message.name), message.position, message.velocity, message.effort
    )


def _vector(message: Vector3) -> Vector:
    return message.x, message.y, message.z

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""SIGVerse's names of joints and of the places of parts, and of pointing arms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from world_model_core.virtual_world.agents.original_table import original
from world_model_core.virtual_world.shapes.file_axes import (
    orientation_from_wxyz,
    orientation_to_wxyz,
)
from world_model_core.virtual_world.values import JointForce, JointKind

if TYPE_CHECKING:
    from world_model_core.virtual_world.agents.original_access import OriginalAccess
    from world_model_core.virtual_world.agents.original_table import OriginalTable
    from world_model_core.virtual_world.values import Quaternion, Vector

__all__ = ['JOINT_NAMES']

JOINT_NAMES: OriginalTable = {}
# Parts of the arms that point: of the left and of the right one, from eye or elbow, and the hand.
POINTING_PARTS = (
    ({1: 'LEYE_LINK', 2: 'LARM_LINK4'}, 'LARM_LINK7'),
    ({1: 'REYE_LINK', 2: 'RARM_LINK4'}, 'RARM_LINK7'),
)
POINTING_JOINTS = (('LARM_JOINT4', 'LARM_JOINT7'), ('RARM_JOINT4', 'RARM_JOINT7'))


def _joint_dimension(own: OriginalAccess, joint: str) -> int:
    """Return the dimension of length of the position of a joint: 1 of a slide, 0 of a hinge."""
    return int(own.object.joint_kind(joint) is JointKind.SLIDE)


@original(JOINT_NAMES, 'getJointAngle(joint)', 'joint_angle(joint)')
def _joint_angle(own: OriginalAccess, joint: str) -> float:
    return own.object.joint_angle(joint) / own.units.length ** _joint_dimension(own, joint)


@original(JOINT_NAMES, 'getAllJointAngles()', 'joint_angles')
def _joint_angles(own: OriginalAccess) -> dict[str, float]:
    return {joint: _joint_angle(own, joint) for joint in own.object.joint_angles}


@original(JOINT_NAMES, 'setJointAngle(joint, angle)', 'set_joint_angle(joint, angle)')
def _set_joint_angle(own: OriginalAccess, joint: str, angle: float) -> None:
    own.object.set_joint_angle(joint, angle * own.units.length ** _joint_dimension(own, joint))


@original(
    JOINT_NAMES,
    'setJointQuaternion(joint, qw, qx, qy, qz)',
    'set_joint_quaternion(joint, orientation), of ball joints',
)
def _set_joint_quaternion(own: OriginalAccess, joint: str, *rotation: float) -> None:
    own.object.set_joint_quaternion(joint, orientation_from_wxyz(rotation))


@original(
    JOINT_NAMES,
    'setAngularVelocityToJoint(joint, v, max)',
    'set_joint_velocity(joint, v); max is not used',
)
@original(
    JOINT_NAMES,
    'setJointVelocity(joint, v, max)',
    'set_joint_velocity(joint, v); max is not used',
)
def _set_joint_velocity(own: OriginalAccess, joint: str, v: float, _max: float = 0.0) -> None:
    own.object.set_joint_velocity(joint, v * own.units.length ** _joint_dimension(own, joint))


@original(
    JOINT_NAMES,
    'setAngularVelocityToParts(part, v, max)',
    'set_joint_velocity(joint_of(part), v); max is not used',
)
def _set_part_velocity(own: OriginalAccess, part: str, v: float, _max: float = 0.0) -> None:
    _set_joint_velocity(own, own.object.joint_of(part), v)


@original(JOINT_NAMES, 'addJointTorque(joint, torque)', 'add_joint_torque(joint, torque)')
def _add_joint_torque(own: OriginalAccess, joint: str, torque: float) -> None:
    dimension = 2 - _joint_dimension(own, joint)
    own.object.add_joint_torque(joint, torque * own.units.length**dimension)


@original(JOINT_NAMES, 'getJointPosition(joint)', 'joint_position(joint)')
def _joint_position(own: OriginalAccess, joint: str) -> Vector:
    return own.units.from_si(own.object.joint_position(joint))


@original(JOINT_NAMES, 'getJointForce(joint)', 'joint_force(joint)')
def _joint_force(own: OriginalAccess, joint: str) -> tuple[JointForce, ...]:
    units = own.units
    return tuple(
        JointForce(each.part, units.from_si(each.force), units.from_si(each.torque, 2))
        for each in own.object.joint_force(joint)
    )


@original(JOINT_NAMES, 'getPartsPosition(part)', 'part_position(part)')
def _part_position(own: OriginalAccess, part: str) -> Vector:
    return own.units.from_si(own.object.part_position(part))


@original(JOINT_NAMES, 'getPartsQuaternion(part)', 'part_orientation(part)')
def _part_quaternion(own: OriginalAccess, part: str) -> Quaternion:
    return orientation_to_wxyz(own.object.part_orientation(part))


@original(
    JOINT_NAMES,
    'getPointingVector(joint1, joint2), or of an arm (0 left, 1 right)',
    'pointing_vector(joint1, joint2)',
)
def _pointing_vector(own: OriginalAccess, *joints: Any) -> Vector:
    first, second = joints if len(joints) == 2 else POINTING_JOINTS[(*joints, 0)[0]]
    return own.units.from_si(own.object.pointing_vector(first, second), 0)


@original(
    JOINT_NAMES,
    'getPointedObject(speaker, arm, line, type=1)',
    'pointed_objects(joint1, joint2); types 0 and 2 are not available',
)
def _pointed_objects(
    own: OriginalAccess, speaker: str, arm: int, line: int, kind: int = 1
) -> list[str]:
    if kind != 1:
        raise ValueError(f'type is {kind}; it must be 1')
    pointing = own.world.get_object(speaker)
    starts, hand = POINTING_PARTS[arm]
    joints = (pointing.joint_of(part) for part in (starts[line], hand))
    return list(pointing.pointed_objects(*joints))

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
SIGVerse's names of what objects and parts have: its classes SimObj, RobotObj and CParts.

What C++ returns by a reference in the arguments is returned. Vectors are (x, y, z), rotations
(w, x, y, z).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from world_model_core.virtual_world.agents.original_access import OriginalAccess
from world_model_core.virtual_world.agents.original_attributes import (
    attribute_names,
    read_attribute,
    write_attribute,
)
from world_model_core.virtual_world.agents.original_cameras import CAMERA_NAMES
from world_model_core.virtual_world.agents.original_joints import JOINT_NAMES
from world_model_core.virtual_world.agents.original_motion import MOTION_NAMES
from world_model_core.virtual_world.agents.original_table import bound, original, unavailable
from world_model_core.virtual_world.engine.errors import GraspError
from world_model_core.virtual_world.shapes.file_axes import (
    orientation_to_wxyz,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from world_model_core.virtual_world.agents.original_table import OriginalTable
    from world_model_core.virtual_world.values import Quaternion, Vector

__all__ = ['OBJECT_NAMES', 'PART_NAMES', 'OriginalObject', 'OriginalPart']

OBJECT_NAMES: OriginalTable = {**MOTION_NAMES, **JOINT_NAMES, **CAMERA_NAMES}
PART_NAMES: OriginalTable = {}


class OriginalObject(OriginalAccess):
    """
    An object with SIGVerse's names, in the units and axes of its file.

    All of `OBJECT_NAMES`, and each attribute of the world file as a function: `cup.x()` returns
    it, `cup.x(5.0)` sets it. See `OriginalAccess`.
    """

    def __getattr__(self, name: str) -> Any:
        """
        Return what a name of SIGVerse, or an attribute of the world file, stands for.

        Raises
        ------
        AttributeError
            There is no such name, or it is not available.

        """
        if name.startswith('__') or name in {'world', 'object', 'units'}:
            raise AttributeError(name)
        if name in OBJECT_NAMES:
            return bound(self, OBJECT_NAMES, name)
        attributes = attribute_names(self.object)
        if name in attributes:
            return _accessor(self, name)
        return bound(self, OBJECT_NAMES, name, attributes)


class OriginalPart:
    """
    A part of an object with SIGVerse's names, in the units and axes of its file.

    Attributes
    ----------
    owner : OriginalObject
    part : str
        Its name.

    """

    def __init__(self, owner: OriginalObject, part: str) -> None:
        self.owner = owner
        self.part = part

    def __getattr__(self, name: str) -> Any:
        """
        Return what a name of SIGVerse stands for.

        Raises
        ------
        AttributeError
            There is no such name, or it is not available.

        """
        if name.startswith('__') or name in {'owner', 'part'}:
            raise AttributeError(name)
        return bound(self, PART_NAMES, name)


def _accessor(own: OriginalObject, name: str) -> Callable[..., Any]:
    """Return a function that reads an attribute without an argument, and sets it with one."""

    def access(*value: Any) -> Any:
        if value:
            return write_attribute(own.object, own.units, name, *value)
        return read_attribute(own.object, own.units, name)

    return access


@original(OBJECT_NAMES, 'isAttr(name)', 'name in dir(object)')
def _has_attribute(own: OriginalObject, name: str) -> bool:
    return name in attribute_names(own.object)


@original(OBJECT_NAMES, 'getAttrValue(name)', 'object.NAME')
def _attribute(own: OriginalObject, name: str) -> Any:
    return read_attribute(own.object, own.units, name)


@original(OBJECT_NAMES, 'setAttrValue(name, value)', 'object.NAME = value')
def _set_attribute(own: OriginalObject, name: str, value: Any) -> None:
    write_attribute(own.object, own.units, name, value)


@original(OBJECT_NAMES, 'getParts(name)', 'part_position(part), grasp(thing, part) and so on')
def _part(own: OriginalObject, name: str) -> OriginalPart | None:
    return OriginalPart(own, name) if name in own.object.parts else None


@original(OBJECT_NAMES, 'getMainParts()', 'parts[0]')
def _main_part(own: OriginalObject) -> OriginalPart:
    return OriginalPart(own, own.object.parts[0])


@original(OBJECT_NAMES, 'getIsGrasped()', 'holder')
def _is_grasped(own: OriginalObject) -> bool:
    return bool(own.object.holder)


@original(
    OBJECT_NAMES,
    'connectJoint(joint, my_part, target, target_part)',
    'connect(joint, target, part=my_part, other_part=target_part)',
)
def _connect(own: OriginalObject, joint: str, *ends: str | None) -> None:
    part, target, target_part = ends if len(ends) == 3 else ('', ends[0], '')
    own.object.connect(joint, target or '', part=part or '', other_part=target_part or '')


@original(OBJECT_NAMES, 'releaseJoint(joint)', 'disconnect(joint)')
def _release_joint(own: OriginalObject, joint: str) -> None:
    own.object.disconnect(joint)


@original(OBJECT_NAMES, 'setWheel(radius, distance)', 'set_wheels(radius, separation)')
def _set_wheels(own: OriginalObject, radius: float, distance: float) -> None:
    unit = own.units.length
    own.object.set_wheels(radius * unit, distance * unit)


@original(OBJECT_NAMES, 'setWheelVelocity(left, right)', 'set_wheel_velocities(left, right)')
def _set_wheel_velocities(own: OriginalObject, left: float, right: float) -> None:
    own.object.set_wheel_velocities(left, right)


@original(PART_NAMES, 'name()', 'the name of the part')
def _part_name(own: OriginalPart) -> str:
    return own.part


@original(PART_NAMES, 'getPosition()', 'part_position(part)')
def _position_of_part(own: OriginalPart) -> Vector:
    return own.owner.units.from_si(own.owner.object.part_position(own.part))


@original(PART_NAMES, 'getRotation()', 'part_orientation(part)')
@original(PART_NAMES, 'getQuaternion()', 'part_orientation(part)')
def _quaternion_of_part(own: OriginalPart) -> Quaternion:
    return orientation_to_wxyz(own.owner.object.part_orientation(own.part))


@original(PART_NAMES, 'graspObj(thing)', 'grasp(thing, part), which raises the reason')
def _grasp(own: OriginalPart, thing: str) -> bool:
    """Grasp a thing if that is possible, as SIGVerse does."""
    try:
        own.owner.object.grasp(thing, own.part)
    except GraspError:
        return False
    return True


@original(PART_NAMES, 'releaseObj()', 'release(part)')
def _release(own: OriginalPart) -> None:
    own.owner.object.release(own.part)


@original(PART_NAMES, 'getCollisionState()', 'contacts(), of which own_part is the part')
def _collides(own: OriginalPart) -> bool:
    return any(each.own_part == own.part for each in own.owner.object.contacts())


@original(PART_NAMES, 'getRad()', 'part_radius(part)')
def _radius(own: OriginalPart) -> float:
    return own.owner.object.part_radius(own.part) / own.owner.units.length


unavailable(
    PART_NAMES,
    'the node publishes the shapes of parts on its topic world',
    'getSize()',
    'getLength()',
)

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Conversion of the messages of simulation_interfaces that are the same in all its releases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from geometry_msgs.msg import Point, Quaternion, Vector3
from geometry_msgs.msg import Pose as PoseMessage
from rclpy.exceptions import InvalidNamespaceException
from rclpy.validate_namespace import validate_namespace

from world_model_core.virtual_world.entity_filters import EntityFilter, TagsFilter
from world_model_core.virtual_world.entity_frames import checked_pose
from world_model_core.virtual_world.entity_info import EntityCategory, EntityInfo
from world_model_core.virtual_world.requests import InvalidNamespaceError, UnsupportedRequestError
from world_model_core.virtual_world.values import EntityState
from world_model_core.virtual_world.volumes import BoxVolume, HullVolume, SphereVolume
from world_model_nodes.runtime.convert import header
from world_model_nodes.virtual_world import standard_messages as standard

if TYPE_CHECKING:
    from simulation_interfaces.msg import Bounds
    from simulation_interfaces.msg import EntityInfo as EntityInfoMessage
    from simulation_interfaces.msg import EntityState as EntityStateMessage
    from simulation_interfaces.msg import NamedPose as NamedPoseMessage

    from world_model_core.virtual_world.values import NamedPose, Pose, Vector
    from world_model_core.virtual_world.volumes import Volume


def filter_of(message: Any) -> EntityFilter:
    """
    Convert the filters of a request.

    Raises
    ------
    UnsupportedRequestError
        A category or a type of bounds is unknown.
    VolumeError
        The numbers of the bounds are invalid.

    """
    return EntityFilter(
        message.filter,
        frozenset(_category(each.category) for each in message.categories),
        tags_filter_of(message.tags),
        _volume(message.bounds),
    )


def tags_filter_of(message: Any) -> TagsFilter:
    """Convert a filter of tags."""
    needs_all = message.filter_mode == standard.msg.TagsFilter.FILTER_MODE_ALL
    return TagsFilter(frozenset(message.tags), needs_all)


def info_of_message(message: Any) -> EntityInfo:
    """
    Convert information about an entity.

    Raises
    ------
    UnsupportedRequestError
        The category is unknown.

    """
    return EntityInfo(
        _category(message.category.category), message.description, tuple(message.tags)
    )


def info_message(info: EntityInfo) -> EntityInfoMessage:
    """Convert information about an entity."""
    message = standard.msg.EntityInfo(description=info.description, tags=list(info.tags))
    message.category.category = info.category.value
    return message


def pose_of(message: PoseMessage) -> Pose:
    """
    Convert a pose.

    Raises
    ------
    FrameError
        A number is not finite, or the quaternion is zero.

    """
    place, turn = message.position, message.orientation
    return checked_pose((place.x, place.y, place.z), (turn.x, turn.y, turn.z, turn.w))


def pose_message(pose: Pose) -> PoseMessage:
    """Convert a pose."""
    x, y, z = pose.position
    qx, qy, qz, qw = pose.orientation
    return PoseMessage(
        position=Point(x=x, y=y, z=z), orientation=Quaternion(x=qx, y=qy, z=qz, w=qw)
    )


def state_of_message(message: EntityStateMessage) -> EntityState:
    """
    Convert pose and velocities, in the frame of the message.

    Raises
    ------
    FrameError
        The pose is not valid.

    """
    twist = message.twist
    return EntityState(pose_of(message.pose), _vector(twist.linear), _vector(twist.angular))


def state_message(state: EntityState, stamp_ns: int, frame_id: str) -> EntityStateMessage:
    """Convert pose and velocities of an entity."""
    message = standard.msg.EntityState(
        header=header(stamp_ns, frame_id), pose=pose_message(state.pose)
    )
    message.twist.linear = _vector_message(state.linear_velocity)
    message.twist.angular = _vector_message(state.angular_velocity)
    return message


def bounds_message(corners: tuple[Vector, Vector]) -> Bounds:
    """Convert the lower and the upper corner of a box; the message has the upper one first."""
    lower, upper = corners
    points = [_vector_message(upper), _vector_message(lower)]
    return standard.msg.Bounds(type=standard.msg.Bounds.TYPE_BOX, points=points)


def empty_bounds() -> Bounds:
    """Make bounds that contain everything."""
    return standard.msg.Bounds(type=standard.msg.Bounds.TYPE_EMPTY)


def named_pose_message(named: NamedPose) -> NamedPoseMessage:
    """Convert a named pose."""
    return standard.msg.NamedPose(
        name=named.name,
        description=named.description,
        tags=list(named.tags),
        pose=pose_message(named.pose),
    )


def namespace_of(text: str) -> str:
    """
    Return a namespace without a slash at its end.

    Raises
    ------
    InvalidNamespaceError
        It is not valid in ROS.

    """
    trimmed = text.rstrip('/')
    if not trimmed:
        return ''
    try:
        validate_namespace(trimmed if trimmed.startswith('/') else f'/{trimmed}')
    except InvalidNamespaceException as error:
        raise InvalidNamespaceError(f'namespace {text!r}: {error}') from error
    return trimmed


def _category(number: int) -> EntityCategory:
    try:
        return EntityCategory(number)
    except ValueError:
        known = ', '.join(str(each.value) for each in EntityCategory)
        raise UnsupportedRequestError(f'category is {number}; it must be one of {known}') from None


def _volume(message: Bounds) -> Volume | None:
    kinds, points = standard.msg.Bounds, tuple(_vector(each) for each in message.points)
    if message.type == kinds.TYPE_EMPTY:
        return None
    if message.type == kinds.TYPE_CONVEX_HULL:
        return HullVolume(points)
    if message.type not in {kinds.TYPE_BOX, kinds.TYPE_SPHERE}:
        raise UnsupportedRequestError(f'bounds have type {message.type}; it must be 0 to 3')
    if len(points) != 2:
        raise UnsupportedRequestError(f'bounds have {len(points)} points; this type has 2')
    if message.type == kinds.TYPE_BOX:
        return BoxVolume(*points)
    return SphereVolume(points[0], points[1][0])


def _vector(message: Vector3) -> Vector:
    return message.x, message.y, message.z


def _vector_message(vector: Vector) -> Vector3:
    x, y, z = vector
    return Vector3(x=x, y=y, z=z)

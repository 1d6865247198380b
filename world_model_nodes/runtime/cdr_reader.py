# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Deserialization of messages with many bodies into arrays.

Message objects of many bodies take milliseconds, 50 times a second; arrays take microseconds. The
encoding is that of `cdr`.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from geometry_msgs.msg import PoseArray
from rclpy.serialization import deserialize_message
from sensor_msgs.msg import MultiDOFJointState

from world_model_core.errors import MalformedPacketError
from world_model_core.time import NANOSECONDS_PER_SECOND
from world_model_nodes.runtime.cdr import ENCAPSULATION

if TYPE_CHECKING:
    from builtin_interfaces.msg import Time

    from world_model_core.gaussian import Array


class BodyStates(NamedTuple):
    """
    States of bodies at a time.

    Attributes
    ----------
    stamp_ns : int
    frame_id : str
    names : tuple of str
        The same object as in the message before if they are equal.
    poses : array, shape (n, 7)
        x, y, z [m] and quaternion xyzw.
    twists : array, shape (n, 6) or (0, 6)
        Linear [m/s] and angular velocity [rad/s].

    """

    stamp_ns: int
    frame_id: str
    names: tuple[str, ...]
    poses: Array
    twists: Array


class PoseRows(NamedTuple):
    """
    Poses at a time.

    Attributes
    ----------
    stamp_ns : int
    frame_id : str
    poses : array, shape (n, 7)
        x, y, z [m] and quaternion xyzw.

    """

    stamp_ns: int
    frame_id: str
    poses: Array


def read_pose_array(data: bytes) -> PoseRows:
    """
    Read a serialized geometry_msgs/PoseArray.

    Raises
    ------
    MalformedPacketError
        It is cut off.

    """
    try:
        if data[:2] != ENCAPSULATION[:2]:
            message = deserialize_message(data, PoseArray)
            poses = [
                (p.x, p.y, p.z, r.x, r.y, r.z, r.w)
                for p, r in ((each.position, each.orientation) for each in message.poses)
            ]
            rows = np.array(poses, dtype=np.float64).reshape(-1, 7)
            return PoseRows(_nanoseconds(message.header.stamp), message.header.frame_id, rows)
        body = data[len(ENCAPSULATION) :]
        stamp_ns, frame_id, place = _header(body)
        return PoseRows(stamp_ns, frame_id, _rows(body, place, 7)[0])
    except (struct.error, ValueError, RuntimeError) as error:
        raise MalformedPacketError(f'PoseArray: {error}') from error


class BodyStatesReader:
    """Reads messages sensor_msgs/MultiDOFJointState of one topic, one after the other."""

    def __init__(self) -> None:
        self._names: tuple[str, ...] = ()
        # The serialized names, to compare with those of the next message.
        self._coded = bytes(4)

    def read(self, data: bytes) -> BodyStates:
        """
        Read a serialized message.

        Raises
        ------
        MalformedPacketError
            It is cut off, or its lists do not have the same length.

        """
        try:
            # The other two bytes are options, which CDR does not use.
            is_native = data[:2] == ENCAPSULATION[:2]
            read = self._read(data) if is_native else self._convert(data)
        except (struct.error, ValueError, RuntimeError) as error:
            raise MalformedPacketError(f'MultiDOFJointState: {error}') from error
        counts = len(read.names), len(read.poses), len(read.twists)
        if counts[1] != counts[0] or counts[2] not in {0, counts[0]}:
            raise MalformedPacketError(
                'MultiDOFJointState has {} names, {} transforms and {} twists'.format(*counts)
            )
        return read

    def _read(self, data: bytes) -> BodyStates:
        # Offsets count from the end of the encapsulation.
        body = data[len(ENCAPSULATION) :]
        stamp_ns, frame_id, place = _header(body)
        place = self._read_names(body, place)
        poses, place = _rows(body, place, 7)
        twists, _ = _rows(body, place, 6)
        return BodyStates(stamp_ns, frame_id, self._names, poses, twists)

    def _read_names(self, body: bytes, place: int) -> int:
        """Read the names, unless they are the same as before; return the place after them."""
        end = place + len(self._coded)
        if body[place:end] == self._coded:
            return end
        names, start = [], place
        (count,) = struct.unpack_from('=I', body, place)
        place += 4
        for _ in range(count):
            place = _aligned(place, 4)
            (length,) = struct.unpack_from('=I', body, place)
            place += 4 + length
            names.append(body[place - length : place - 1].decode(errors='replace'))
        self._names, self._coded = tuple(names), body[start:place]
        return place

    def _convert(self, data: bytes) -> BodyStates:
        """Read another encoding by way of a message object."""
        message = deserialize_message(data, MultiDOFJointState)
        names = tuple(message.joint_names)
        if names != self._names:
            # No serialized names are equal to these.
            self._names, self._coded = names, b''.join((bytes(4), b'other'))
        poses = [
            (t.x, t.y, t.z, r.x, r.y, r.z, r.w)
            for t, r in ((each.translation, each.rotation) for each in message.transforms)
        ]
        twists = [
            (v.x, v.y, v.z, w.x, w.y, w.z)
            for v, w in ((each.linear, each.angular) for each in message.twist)
        ]
        return BodyStates(
            _nanoseconds(message.header.stamp),
            message.header.frame_id,
            self._names,
            np.array(poses, dtype=np.float64).reshape(-1, 7),
            np.array(twists, dtype=np.float64).reshape(-1, 6),
        )


def _header(body: bytes) -> tuple[int, str, int]:
    """Read stamp [ns] and frame; return them and the place after them."""
    seconds, nanoseconds, length = struct.unpack_from('=iII', body)
    place = 12 + length
    frame_id = body[12 : place - 1].decode(errors='replace')
    return seconds * NANOSECONDS_PER_SECOND + nanoseconds, frame_id, _aligned(place, 4)


def _nanoseconds(stamp: Time) -> int:
    return int(stamp.sec) * NANOSECONDS_PER_SECOND + int(stamp.nanosec)


def _rows(body: bytes, place: int, columns: int) -> tuple[Array, int]:
    """Read a sequence of rows of floats; return them and the place after them."""
    place = _aligned(place, 4)
    (count,) = struct.unpack_from('=I', body, place)
    place += 4
    if count:
        place = _aligned(place, 8)
    rows = np.frombuffer(body, np.float64, count * columns, place).reshape(-1, columns)
    return rows, place + rows.nbytes


def _aligned(place: int, size: int) -> int:
    return place + -place % size

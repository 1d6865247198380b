# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Conversion of times, headers, points, rotations and colors to and from standard messages."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from builtin_interfaces.msg import Time
from geometry_msgs.msg import Point, Quaternion
from std_msgs.msg import ColorRGBA, Header

from world_model_core.errors import MalformedPacketError
from world_model_core.frames import yaw_of
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.gaussian import Array

# A Time message ends at 2^31 s, in 2038; predictions may be up to a day later than their stamp.
LAST_SECOND = 2**31 - 1 - 86_400


def to_time(stamp_ns: int) -> Time:
    """Convert nanoseconds to a Time message."""
    return Time(sec=stamp_ns // NANOSECONDS_PER_SECOND, nanosec=stamp_ns % NANOSECONDS_PER_SECOND)


def from_time(stamp: Time) -> int:
    """
    Return the nanoseconds of a Time message.

    Raises
    ------
    MalformedPacketError
        The seconds are negative or beyond `LAST_SECOND`, or the nanoseconds are a second or more.

    """
    if not (0 <= stamp.sec <= LAST_SECOND and stamp.nanosec < NANOSECONDS_PER_SECOND):
        raise MalformedPacketError(
            f'stamp is {stamp.sec} s and {stamp.nanosec} ns; it must be from 0 to {LAST_SECOND} s '
            f'and below {NANOSECONDS_PER_SECOND} ns'
        )
    return int(stamp.sec) * NANOSECONDS_PER_SECOND + int(stamp.nanosec)


def header(stamp_ns: int, frame_id: str) -> Header:
    """Make a Header from a time [ns] and a frame."""
    return Header(stamp=to_time(stamp_ns), frame_id=frame_id)


def quaternion_of(heading: float) -> Quaternion:
    """Make the Quaternion of a rotation about z by `heading` [rad]."""
    return Quaternion(z=math.sin(heading / 2.0), w=math.cos(heading / 2.0))


def heading_of(quaternion: Quaternion) -> float:
    """Return the rotation about z [rad] of a Quaternion (REP-103: yaw)."""
    return yaw_of((quaternion.x, quaternion.y, quaternion.z, quaternion.w))


def planar_rows(poses: Array) -> Array:
    """Convert poses (n, 7), position [m] and quaternion xyzw, to x, y [m], theta [rad], (n, 3)."""
    x, y, z, w = poses[:, 3:].T
    # A quaternion that is not finite has no heading.
    with np.errstate(invalid='ignore', over='ignore'):
        theta = np.arctan2(2.0 * (w * z + x * y), w * w + x * x - y * y - z * z)
    return np.column_stack((poses[:, :2], theta))


def point_of(position: Sequence[float] | Array) -> Point:
    """Make a Point from (x, y) or (x, y, z) [m]; z defaults to 0."""
    x, y, *z = (float(value) for value in position)
    return Point(x=x, y=y, z=z[0] if z else 0.0)


def color_of(color: Sequence[int]) -> ColorRGBA:
    """Make a ColorRGBA of red, green, blue and opacity from 0 to 255."""
    red, green, blue, opacity = (value / 255.0 for value in color)
    return ColorRGBA(r=red, g=green, b=blue, a=opacity)

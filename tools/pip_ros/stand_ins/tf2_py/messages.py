# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Conversion of times and transforms to messages and back."""

from __future__ import annotations

import math
from typing import Any

from geometry_msgs.msg import TransformStamped

from tf2_py.rigid import Rigid


def to_ns(time: Any, name: str = 'time') -> int:
    """Return a time or duration of rclpy or of a message in nanoseconds."""
    if hasattr(time, 'sec') and hasattr(time, 'nanosec'):
        return int(time.sec * 1_000_000_000 + time.nanosec)
    if hasattr(time, 'nanoseconds'):
        return int(time.nanoseconds)
    raise TypeError(f'{name} must have sec and nanosec, or nanoseconds.')


def from_message(message: TransformStamped) -> Rigid:
    """Return the transform of a message; its quaternion need not be of unit length."""
    t, q = message.transform.translation, message.transform.rotation
    norm = math.hypot(q.x, q.y, q.z, q.w) or math.nan
    return Rigid((t.x, t.y, t.z), (q.x / norm, q.y / norm, q.z / norm, q.w / norm))


def to_message(target: str, source: str, rigid: Rigid, stamp_ns: int) -> TransformStamped:
    """Return the message of the transform from source to target."""
    message = TransformStamped()
    message.header.frame_id = target
    message.header.stamp.sec, message.header.stamp.nanosec = divmod(stamp_ns, 1_000_000_000)
    message.child_frame_id = source
    t, q = message.transform.translation, message.transform.rotation
    t.x, t.y, t.z = rigid.translation
    q.x, q.y, q.z, q.w = rigid.rotation
    return message

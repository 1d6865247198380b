# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Rejection of garbage and the camera of a vision datagram, without parsing the datagram.

A thread that receives must keep up with any sender, so it reads only the outline of a datagram:
its fields at the top level, and the first fields of a detection. What passes may still be invalid;
what is rejected here is also rejected by the decoders, with the same class of error.
The wire format: https://protobuf.dev/programming-guides/encoding
"""

from __future__ import annotations

import re

from world_model_core.errors import ImplausibleValueError, MalformedPacketError
from world_model_core.match.ssl.value_limits import CAMERA_ID

__all__ = ['OTHER_CAMERA', 'camera_of', 'check_outline']

# The camera of a detection whose fields are not in the usual order.
OTHER_CAMERA = -1
# All senders of the league send at most 20 fields; datagrams with more are left to the decoder.
MOST_FIELDS = 64
_VARINT = rb'[\x80-\xff]{0,9}[\x00-\x7f]'
# SSL_WrapperPacket.detection with frame_number, t_capture, t_sent and camera_id, in the order of
# their numbers, in which all protobuf libraries write them.
_DETECTION = re.compile(
    rb'\x0a%b\x08%b\x11.{8}\x19.{8}\x20(?P<camera>%b)' % ((_VARINT,) * 3), re.DOTALL
)
_DETECTION_TAG = 0x0A
# Lengths of fixed-size fields by wire type [bytes].
_FIXED = {1: 8, 5: 4}
_GROUPS = (3, 4)


def camera_of(data: bytes) -> int | None:
    """
    Return the camera of a vision datagram; None without a detection.

    Parameters
    ----------
    data : bytes
        A datagram of the vision port.

    Returns
    -------
    int or None
        OTHER_CAMERA for a detection whose fields are not in the usual order.

    Raises
    ------
    MalformedPacketError
        The datagram is empty or truncated, or is no protobuf message.
    ImplausibleValueError
        The camera's number is out of its range.

    """
    match = _DETECTION.match(data)
    if match is None:
        check_outline(data)
        return OTHER_CAMERA if data[0] == _DETECTION_TAG else None
    length, begin = _read_number(data, 1)
    _check_fields(data, begin + length)
    camera, _ = _read_number(data, match.start('camera'))
    if camera > CAMERA_ID:
        raise ImplausibleValueError(f'detection.camera_id: {camera} is not from 0 to {CAMERA_ID}')
    return camera


def check_outline(data: bytes) -> None:
    """
    Check the fields of a datagram at the top level, without their contents.

    Raises
    ------
    MalformedPacketError
        The datagram is empty or truncated, or is no protobuf message.

    """
    if not data:
        raise MalformedPacketError('the datagram is empty')
    _check_fields(data, 0)


def _check_fields(data: bytes, at: int) -> None:
    """Check the fields from a position to the end."""
    for _ in range(MOST_FIELDS):
        if at == len(data):
            return
        if at > len(data):
            raise MalformedPacketError(f'{len(data)} bytes are a truncated message')
        at = _skip_field(data, at)


def _skip_field(data: bytes, at: int) -> int:
    """Return where the next field starts; at or beyond the end after the last one."""
    tag, at = _read_number(data, at)
    wire_type = tag & 7
    if not 8 <= tag < 1 << 32 or wire_type > 5:
        raise MalformedPacketError(f'byte {at - 1}: {tag} is not the tag of a protobuf field')
    if wire_type in _GROUPS:  # not sent by the league, left to the decoder
        return len(data)
    if wire_type in _FIXED:
        return at + _FIXED[wire_type]
    number, at = _read_number(data, at)
    return at + number if wire_type == 2 else at


def _read_number(data: bytes, at: int) -> tuple[int, int]:
    """Read a base-128 number of at most ten bytes; return it and where it ends."""
    if at < len(data) and data[at] < 0x80:  # nearly all numbers here are of one byte
        return data[at], at + 1
    number = 0
    for shift, byte in enumerate(data[at : at + 10]):
        number |= (byte & 0x7F) << 7 * shift
        if byte < 0x80:
            return number, at + shift + 1
    raise MalformedPacketError(f'byte {at}: a number without an end')

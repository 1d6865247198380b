# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Frames of the messages between a world and a controller, as bytes; without sockets.

A frame is a length of 4 bytes, big-endian, and a value in MessagePack. Lengths, depths and types
are checked before a value is made, as they may come from anybody.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from typing import Any

import msgpack

from world_model_core.virtual_world.agents.events import (
    ActionEvent,
    AgentError,
    Collision,
    CollisionEvent,
    EndEvent,
    InitEvent,
    MessageEvent,
    Sound,
    SoundEvent,
    TextEvent,
)
from world_model_core.virtual_world.agents.messages import (
    OutgoingMessage,
    OutgoingSound,
    OutgoingText,
)
from world_model_core.virtual_world.agents.packed_structure import check_structure
from world_model_core.virtual_world.agents.state_changes import ObjectProperties, StateChanges
from world_model_core.virtual_world.agents.wire_types import (
    TypeMismatchError,
    anything,
    data,
    flag,
    many,
    number,
    numbers,
    one_of,
    optional,
    table,
    text,
    whole,
)
from world_model_core.virtual_world.agents.wire_values import (
    Goodbye,
    Hello,
    Late,
    Query,
    Refused,
    Reply,
    Result,
    Turn,
    Welcome,
    WireValue,
)
from world_model_core.virtual_world.agents.writes import Write
from world_model_core.virtual_world.values import Camera, JointKind, Pose, Wheels

__all__ = ['MOST_FRAME_BYTES', 'FrameReader', 'InvalidFrame', 'WireError', 'encode']

# Longest frame without its length [byte]: an image of 4,096 x 4,096 in color has 50 MB.
MOST_FRAME_BYTES = 64_000_000
_LENGTH_BYTES = 4


class WireError(AgentError):
    """A value cannot be sent, or a stream of frames cannot be continued."""


@dataclass(frozen=True, slots=True)
class InvalidFrame:
    """A frame whose content was refused, for a reason; the next frame may be valid."""

    reason: str


_vector, _quaternion = numbers(3), numbers(4)
_texts = many(text)
_pose = one_of({Pose: (_vector, _quaternion)})
_sound = one_of({Sound: (data, whole, whole)})
_camera = one_of({Camera: (whole, text, _pose, number, number)})
_wheels = one_of({Wheels: (number, number, optional(_texts))})


def _joint_kind(value: Any) -> JointKind:
    if text(value) not in _JOINT_KINDS:
        raise TypeMismatchError(f'kind of a joint is {value[:80]!r}')
    return _JOINT_KINDS[value]


def _attribute(value: Any) -> Any:
    return value if type(value) in {str, bool} else number(value)


_JOINT_KINDS = {kind.value: kind for kind in JointKind}
_properties = one_of(
    {
        ObjectProperties: (
            text, flag, flag, flag, flag, flag, number, number, _texts, table(_joint_kind),
            table(_attribute), table(text), many(_camera), optional(_wheels), table(text),
        )
    }
)  # fmt: skip
_changes = one_of({StateChanges: (table(_properties), _texts, data, _texts)})
_collision = one_of({Collision: (text, text, text)})
_event = one_of(
    {
        InitEvent: (whole,),
        ActionEvent: (whole,),
        TextEvent: (whole, text, text, text),
        SoundEvent: (whole, text, _sound),
        MessageEvent: (whole, text, _texts),
        CollisionEvent: (whole, many(_collision)),
        EndEvent: (whole,),
    }
)
_outgoing = one_of(
    {
        OutgoingText: (text, text, text, text, number),
        OutgoingSound: (text, text, _sound, number),
        OutgoingMessage: (text, text, _texts),
    }
)
_write = one_of({Write: (text, text, many(anything))})
_value = one_of(
    {
        Hello: (text, _texts, text, whole),
        Welcome: (text, text, whole, number, number, flag),
        Refused: (text,),
        Turn: (whole, whole, many(_event), _changes, _texts),
        Query: (whole, text, table(anything)),
        Result: (whole, anything, text),
        Reply: (whole, optional(number), many(_write), many(_outgoing), _texts),
        Late: (whole,),
        Goodbye: (text,),
    }
)


def encode(value: WireValue) -> bytes:
    """
    Return the frame of a value.

    Raises
    ------
    WireError
        It is too long, or holds what MessagePack cannot, such as text that is not Unicode.

    """
    try:
        packed: bytes = msgpack.packb(value, default=_plain)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise WireError(f'{type(value).__name__} cannot be sent: {error}') from error
    if len(packed) > MOST_FRAME_BYTES:
        raise WireError(
            f'{type(value).__name__} has {len(packed)} bytes; the limit is {MOST_FRAME_BYTES}'
        )
    return len(packed).to_bytes(_LENGTH_BYTES, 'big') + packed


def _plain(value: Any) -> Any:
    """Return a value of a class as what MessagePack can hold."""
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value):
        return (type(value).__name__, *(getattr(value, each.name) for each in fields(value)))
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f'{type(value).__name__} is no plain value')


class FrameReader:
    """
    Splits a stream of bytes into values.

    Parameters
    ----------
    most_bytes : int
        Longest frame without its length; it may be changed at any time.

    """

    def __init__(self, most_bytes: int = MOST_FRAME_BYTES) -> None:
        self.most_bytes = most_bytes
        self._received = bytearray()

    def receive_data(self, received: bytes) -> tuple[WireValue | InvalidFrame, ...]:
        """
        Return the values of the frames that are now complete.

        Raises
        ------
        WireError
            A frame is too long: the stream cannot be continued.

        """
        self._received += received
        values: list[WireValue | InvalidFrame] = []
        start = 0
        while (end := self._end_of_frame(start)) <= len(self._received):
            values.append(_decode(bytes(self._received[start + _LENGTH_BYTES : end])))
            start = end
        del self._received[:start]
        return tuple(values)

    def _end_of_frame(self, start: int) -> int:
        """Return where a frame ends; without its length, after it."""
        content = start + _LENGTH_BYTES
        if content > len(self._received):
            return content
        length = int.from_bytes(self._received[start:content], 'big')
        if length > self.most_bytes:
            raise WireError(f'frame has {length} bytes; the limit is {self.most_bytes}')
        return content + length


def _decode(packed: bytes) -> WireValue | InvalidFrame:
    """Return the value of a frame."""
    try:
        check_structure(packed)
        value: WireValue = _value(msgpack.unpackb(packed, use_list=False, strict_map_key=True))
    except (AgentError, ValueError, OverflowError) as error:
        return InvalidFrame(str(error))
    return value

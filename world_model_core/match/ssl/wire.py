# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
The league's protobuf messages, in a private descriptor pool, and their units.

The messages have no protobuf package. In the default pool, a second `Vector3` from a team's own
protos would abort the process, so these messages are loaded into a pool of their own.
"""

from __future__ import annotations

from importlib import resources
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.message import DecodeError

from world_model_core.errors import MalformedPacketError

MM = 1000.0  # millimeters per meter
US = 1_000_000  # microseconds per second


def nanoseconds(seconds: float) -> int:
    """
    Convert a Unix time [s] to nanoseconds, rounded to microseconds.

    A double has a resolution of 0.24 us for current Unix times.
    """
    return round(seconds * US) * 1000


def load_pool() -> descriptor_pool.DescriptorPool:
    """Return a private pool with the descriptor set that proto/build.py writes."""
    files = descriptor_pb2.FileDescriptorSet()
    files.ParseFromString(resources.files(__package__).joinpath('ssl.binpb').read_bytes())
    pool = descriptor_pool.DescriptorPool()
    for file in files.file:
        pool.AddSerializedFile(file.SerializeToString())
    return pool


def message_class(pool: descriptor_pool.DescriptorPool, name: str) -> Any:
    """Return the class of the message `name`, with any version of protobuf."""
    descriptor = pool.FindMessageTypeByName(name)
    if hasattr(message_factory, 'GetMessageClass'):  # protobuf 4.22 and later
        return message_factory.GetMessageClass(descriptor)
    factory: Any = message_factory.MessageFactory(pool)
    return factory.GetPrototype(descriptor)


_POOL = load_pool()
WrapperPacket = message_class(_POOL, 'SSL_WrapperPacket')
LegacyWrapperPacket = message_class(_POOL, 'LegacyWrapperPacket')
TrackerWrapperPacket = message_class(_POOL, 'TrackerWrapperPacket')
Referee = message_class(_POOL, 'Referee')


def parse(message_type: Any, data: bytes) -> Any:
    """
    Parse one datagram.

    Parameters
    ----------
    message_type : type
        One of this module's message classes.
    data : bytes
        The whole datagram.

    Returns
    -------
    Message
        A message with all required fields.

    Raises
    ------
    MalformedPacketError
        The datagram is empty, does not parse, or lacks required fields, which are named.

    """
    name = message_type.DESCRIPTOR.name
    if not data:
        raise MalformedPacketError(f'{name}: the datagram is empty')
    message = message_type()
    try:
        message.ParseFromString(data)
    except DecodeError as error:
        raise MalformedPacketError(f'{name}: {len(data)} bytes do not parse: {error}') from error
    if not message.IsInitialized():
        missing = ', '.join(message.FindInitializationErrors())
        raise MalformedPacketError(f'{name}: required fields are missing: {missing}')
    return message


def text(data: bytes) -> str:
    """Decode a text field; invalid bytes in a team's name are replaced, not an error."""
    return data.decode('utf-8', errors='replace')

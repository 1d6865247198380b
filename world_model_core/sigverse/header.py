# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Packets: a header, data, and an end token."""

from __future__ import annotations

from dataclasses import dataclass

from world_model_core.sigverse.packet_types import ForwardFlag, PacketType
from world_model_core.sigverse.primitives import (
    REAL,
    TEXT,
    U16,
    SigversePacketError,
    Source,
)

__all__ = ['LARGEST_PACKET', 'PREFIX', 'Forwarding', 'Packet', 'decode_packet', 'encode_packet']

START, END = 0xABCD, 0xDCBA
# Bytes of the start token and of the size.
PREFIX = 4
SMALLEST_PACKET, LARGEST_PACKET = 26, 0xFFFF
# Radius of packets that reach everybody.
EVERYWHERE = -1.0
NO_FLAGS = ForwardFlag(0)


@dataclass(frozen=True, slots=True)
class Forwarding:
    """
    To whom a packet is to be forwarded.

    Attributes
    ----------
    flags : ForwardFlag
        None: it is for the server.
    to : str
        An agent; empty: all other controllers.
    radius : float
        Distance that it reaches, in units of the file; negative: everywhere.

    """

    flags: ForwardFlag = NO_FLAGS
    to: str = ''
    radius: float = EVERYWHERE


@dataclass(frozen=True, slots=True)
class Packet:
    """
    A packet.

    Attributes
    ----------
    kind : PacketType
    data : bytes
    count, number : int
        Number of packets of a message, and of this one among them, from 0 on.
    forwarding : Forwarding

    """

    kind: PacketType
    data: bytes = b''
    count: int = 1
    number: int = 0
    forwarding: Forwarding = Forwarding()


def encode_packet(packet: Packet) -> bytes:
    """
    Return a packet as bytes.

    Raises
    ------
    SigversePacketError
        It is too large, or a value does not fit.

    """
    head = bytearray()
    for value, what in (
        (packet.kind, 'type'),
        (packet.count, 'number of packets'),
        (packet.number, 'sequence number'),
        (packet.forwarding.flags, 'forward flags'),
    ):
        U16.write(value, head, what)
    TEXT.write(packet.forwarding.to, head, 'receiver')
    REAL.write(packet.forwarding.radius, head, 'reach radius')
    size = PREFIX + len(head) + len(packet.data) + 2
    if size > LARGEST_PACKET:
        raise SigversePacketError(
            f'the packet has {size} bytes; it must have at most {LARGEST_PACKET}'
        )
    return b''.join(
        (
            START.to_bytes(2, 'big'),
            size.to_bytes(2, 'big'),
            head,
            packet.data,
            END.to_bytes(2, 'big'),
        )
    )


def decode_packet(data: bytes) -> Packet:
    """
    Return a whole packet, as `PacketSplitter` finds it.

    Raises
    ------
    SigversePacketError
        It is not valid.

    """
    source = Source(data, PREFIX, len(data) - 2)
    if (end := int.from_bytes(data[-2:], 'big')) != END:
        raise SigversePacketError(f'the end token is {end:#06x}; it must be {END:#06x}')
    number = U16.read(source, 'type')
    if number > max(PacketType):
        raise SigversePacketError(f'the type is {number}; it must be at most {max(PacketType)}')
    count, place = U16.read(source, 'number of packets'), U16.read(source, 'sequence number')
    if not place < count:
        raise SigversePacketError(f'the sequence number is {place} of {count} packets')
    flags = ForwardFlag(U16.read(source, 'forward flags') & _ALL_FLAGS)
    to, radius = TEXT.read(source, 'receiver'), REAL.read(source, 'reach radius')
    if radius != radius:  # noqa: PLR0124 (not a number)
        raise SigversePacketError('the reach radius is not a number')
    content = data[source.position : source.stop]
    return Packet(PacketType(number), content, count, place, Forwarding(flags, to, radius))


_ALL_FLAGS = sum(ForwardFlag)

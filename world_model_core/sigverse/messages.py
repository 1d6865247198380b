# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Contents of one packet or of several: encoded, and put together as packets come."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from world_model_core.sigverse.header import Forwarding, Packet, encode_packet
from world_model_core.sigverse.packets import LAYOUTS, TYPES
from world_model_core.sigverse.primitives import SigversePacketError

if TYPE_CHECKING:
    from world_model_core.sigverse.packet_types import PacketType

__all__ = ['LARGEST_MESSAGE', 'MOST_OPEN', 'PacketAssembler', 'UnknownLayoutError', 'encode']

# Most bytes of the packets of a message [byte], and most messages whose packets are awaited.
LARGEST_MESSAGE = 8_000_000
MOST_OPEN = 4


class UnknownLayoutError(SigversePacketError):
    """A packet is of a type whose content is not known."""


def encode(content: Any, forwarding: Forwarding = Forwarding()) -> bytes:  # noqa: B008 (frozen)
    """
    Return the packets of a content, one behind the other.

    Parameters
    ----------
    content : object
        Of a class in `TYPES`.
    forwarding : Forwarding
        Of each of its packets.

    Raises
    ------
    SigversePacketError
        A value does not fit.

    """
    kind = TYPES[type(content)]
    parts = LAYOUTS[kind].split(content)
    return b''.join(
        encode_packet(Packet(kind, part, len(parts), number, forwarding))
        for number, part in enumerate(parts)
    )


@dataclass(slots=True)
class _OpenMessage:
    """Packets of a message that is not whole yet."""

    count: int
    parts: list[bytes] = field(default_factory=list)
    size: int = 0


class PacketAssembler:
    """
    Puts the contents of packets together; packets of different types may alternate.

    Attributes
    ----------
    abandoned : int
        Number of messages that ended before their last packet, as another began.

    """

    def __init__(self) -> None:
        self.abandoned = 0
        self._open: dict[PacketType, _OpenMessage] = {}

    def add(self, packet: Packet) -> Any | None:
        """
        Return the content that is whole with this packet; None: packets are missing.

        Raises
        ------
        UnknownLayoutError
        SigversePacketError
            The data are not valid, or the packets are not in order, too many or too large; what
            has come of their message is dropped.

        """
        if packet.kind not in LAYOUTS:
            raise UnknownLayoutError(f'packets {packet.kind.name} are not understood')
        message = self._begun(packet)
        _check_order(packet, message)
        message.parts.append(packet.data)
        message.size += len(packet.data)
        if len(message.parts) == message.count:
            return LAYOUTS[packet.kind].join(message.parts)
        self._keep(packet.kind, message)
        return None

    def _begun(self, packet: Packet) -> _OpenMessage:
        """Return the message of a packet: the one that has begun, or a new one."""
        begun = self._open.pop(packet.kind, None)
        if begun is None or packet.number == 0:
            self.abandoned += begun is not None
            return _OpenMessage(packet.count)
        return begun

    def _keep(self, kind: PacketType, message: _OpenMessage) -> None:
        if message.size > LARGEST_MESSAGE:
            raise SigversePacketError(
                f'{kind.name} has {message.size} bytes or more; '
                f'it must have at most {LARGEST_MESSAGE}'
            )
        if len(self._open) >= MOST_OPEN:
            raise SigversePacketError(f'{MOST_OPEN} messages have begun and are not whole yet')
        self._open[kind] = message


def _check_order(packet: Packet, message: _OpenMessage) -> None:
    """
    Check that a packet is the next one of a message.

    Raises
    ------
    SigversePacketError

    """
    if (packet.count, packet.number) != (message.count, len(message.parts)):
        raise SigversePacketError(
            f'{packet.kind.name}: packet {packet.number} of {packet.count} came instead of '
            f'packet {len(message.parts)} of {message.count}'
        )

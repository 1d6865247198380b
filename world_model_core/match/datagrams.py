# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A received datagram: its bytes, channel, time of reception and sender."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from world_model_core.match.values import Channel

__all__ = ['UNKNOWN_SENDER', 'Datagram', 'SenderAddress']


class SenderAddress(NamedTuple):
    """
    The source address and port of a datagram.

    Parameters
    ----------
    address : str
        IPv4 address; empty if unknown.
    port : int

    """

    address: str
    port: int

    def __str__(self) -> str:
        """Format as 10.0.0.5:34567."""
        return f'{self.address}:{self.port}'


# Recordings do not contain senders.
UNKNOWN_SENDER = SenderAddress('', 0)


@dataclass(frozen=True, slots=True)
class Datagram:
    """
    One received datagram.

    Parameters
    ----------
    channel : Channel
        The multicast group that it came from.
    data : bytes
        Any bytes.
    received_ns : int
        Time of reception [ns, local clock]; not positive before the clock runs.
    sender : SenderAddress
        Where it came from; UNKNOWN_SENDER in a recording.

    """

    channel: Channel
    data: bytes
    received_ns: int
    sender: SenderAddress = UNKNOWN_SENDER

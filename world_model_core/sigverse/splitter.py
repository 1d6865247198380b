# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Finds the packets in a stream of bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from world_model_core.sigverse.header import (
    LARGEST_PACKET,
    PREFIX,
    SMALLEST_PACKET,
    START,
)
from world_model_core.sigverse.primitives import SigversePacketError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ['LostStreamError', 'PacketSplitter']


class LostStreamError(SigversePacketError):
    """Where a packet should begin there is something else: nothing after it can be read."""


class PacketSplitter:
    """
    Splits a stream into packets by the sizes in their headers.

    It never looks for end tokens, which may occur in data.
    """

    def __init__(self) -> None:
        self._pending = bytearray()

    @property
    def begun(self) -> bool:
        """Whether a packet has begun whose end has not come yet."""
        return bool(self._pending)

    def receive_data(self, data: bytes) -> Iterator[bytes]:
        """
        Return the packets that are whole now.

        Raises
        ------
        LostStreamError
            After the packets before it.

        """
        self._pending += data
        begin = 0
        try:
            while size := self._size_at(begin):
                yield bytes(self._pending[begin : begin + size])
                begin += size
        finally:
            del self._pending[:begin]

    def _size_at(self, begin: int) -> int:
        """Return the size of the packet at a place; 0: it is not whole yet."""
        available = len(self._pending) - begin
        if available < PREFIX:
            return 0
        head = self._pending[begin : begin + PREFIX]
        token, size = int.from_bytes(head[:2], 'big'), int.from_bytes(head[2:], 'big')
        if token != START:
            raise LostStreamError(f'the start token is {token:#06x}; it must be {START:#06x}')
        if size < SMALLEST_PACKET:
            raise LostStreamError(
                f'the size is {size}; it must be {SMALLEST_PACKET} to {LARGEST_PACKET}'
            )
        return size if available >= size else 0

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Recordings of SIGVerse's viewer, `.svd`: the shape files of a world, and its states in time.

A file is one zlib stream, or not compressed. Integers are little-endian, but for those inside of
objects, which are as in packets.
"""

from __future__ import annotations

import struct
import zlib
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from world_model_core.errors import RecordingError
from world_model_core.files.atomic_write import replacing
from world_model_core.sigverse.connection_packets import ShapeFile
from world_model_core.sigverse.objects import OBJECT
from world_model_core.sigverse.primitives import SigversePacketError, Source

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from typing import BinaryIO

    from world_model_core.sigverse.objects import PacketObject

__all__ = ['LARGEST_STREAM', 'RecordedWorld', 'RecordingReader', 'open_recording', 'write_recording']

MAGIC = struct.pack('<I', 0xEFBEADDE)
VERSION = 1
# Most bytes that a file may have when it is not compressed any more, and that a world may have.
LARGEST_STREAM = 2 * 2**30
LARGEST_WORLD = 64 * 2**20
LONGEST_NAME = 65_536
# Bytes that are read, and that are decompressed, at a time.
PIECE = 65_536

_INT = struct.Struct('<i')
_WORLD = struct.Struct('<iidi')
_OBJECT = struct.Struct('<ii')


@dataclass(frozen=True, slots=True)
class RecordedWorld:
    """All objects of a world at a simulated time [s]."""

    time: float
    objects: tuple[PacketObject, ...]


class _CutShortError(RecordingError):
    """A file ends before it should."""


class _Bytes:
    """The bytes of a file, decompressed as they are needed."""

    def __init__(self, file: BinaryIO, largest: int) -> None:
        self._file = file
        self._largest = self._left = largest
        self._pending = b''
        first = file.read(len(MAGIC))
        self._inflate = None if first == MAGIC else zlib.decompressobj()
        self._raw = first
        self._ended = False

    def take(self, count: int) -> bytes:
        """
        Return some bytes.

        Raises
        ------
        RecordingError
            The file ends before, is damaged, or too large.

        """
        while len(self._pending) < count and not self._ended:
            self._pending += self._more()
        if len(self._pending) < count:
            raise _CutShortError(f'{count} bytes are needed; {len(self._pending)} are left')
        taken, self._pending = self._pending[:count], self._pending[count:]
        return taken

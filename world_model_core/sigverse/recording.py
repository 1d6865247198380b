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

__all__ = ['LARGEST_STREAM', 'RecordedWorld', 'SvdReader', 'write_recording']

MAGIC = struct.pack('<I', 0xEFBEADDE)
VERSION = 1
# Most bytes that a file may have when it is not compressed any more, and that a world may have.
LARGEST_STREAM = 2 * 2**30
LARGEST_WORLD = 64 * 2**20
LONGEST_NAME = 65_536
# Bytes that are read, and that are decompressed, at a time.
PIECE = 65_536

_INT = struct.Struct('<i')


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
        self._largest, self._size = largest, 0
        self._pending = bytearray()
        self._raw = file.read(PIECE)
        self._inflate = None if self._raw.startswith(MAGIC) else zlib.decompressobj()

    def take(self, count: int) -> bytes:
        """
        Return the next bytes.

        Raises
        ------
        RecordingError
            The file ends before, is damaged, or too large.

        """
        while len(self._pending) < count:
            if not (piece := self._next_piece()):
                raise _CutShortError(f'{count} bytes are needed; {len(self._pending)} are left')
            self._pending += piece
        taken = bytes(self._pending[:count])
        del self._pending[:count]
        return taken

    def _next_piece(self) -> bytes:
        """Return some more bytes of the stream; none at its end."""
        piece = b''
        while not piece and (raw := self._raw or self._file.read(PIECE)):
            piece = self._decompress(raw)
        self._size += len(piece)
        if self._size > self._largest:
            raise RecordingError(f'the recording has more than {self._largest} bytes')
        return piece

    def _decompress(self, raw: bytes) -> bytes:
        """Return at most a piece of what bytes of the file stand for, and keep the others."""
        if self._inflate is None:
            self._raw = b''
            return raw
        try:
            piece = self._inflate.decompress(raw, PIECE)
        except zlib.error as error:
            raise RecordingError(f'the recording is damaged: {error}') from None
        self._raw = self._inflate.unconsumed_tail
        return piece


class SvdReader:
    """
    Reads a recording world by world; no more than one is in memory.

    Parameters
    ----------
    file : binary file
    largest : int
        Most bytes that it may have when it is not compressed any more.

    Attributes
    ----------
    files : tuple of ShapeFile
        Shape files of the world, by "Class:Parts:state:value".
    count : int
        Number of worlds that the file is said to have.
    missing : int
        How many of them `worlds` has not found, as the file is cut short.

    Raises
    ------
    RecordingError
        It is no recording, or not even its start is there.

    """

    def __init__(self, file: BinaryIO, largest: int = LARGEST_STREAM) -> None:
        self._bytes = _Bytes(file, largest)
        if (found := self._bytes.take(len(MAGIC))) != MAGIC:
            raise RecordingError(f'a recording begins with {MAGIC.hex()}, this with {found.hex()}')
        if (version := self._take_int()) != VERSION:
            raise RecordingError(f'the version is {version}; it must be {VERSION}')
        self.count = self.missing = self._take_count('worlds')
        self.files = tuple(self._take_file() for _ in range(self._take_count('shape files')))

    def worlds(self) -> Iterator[RecordedWorld]:
        """
        Return the worlds one after the other, to the last one that is whole.

        Raises
        ------
        RecordingError
            The file is damaged.

        """
        try:
            while self.missing:
                world = self._take_world()
                self.missing -= 1
                yield world
        except _CutShortError:
            return

    def _take_world(self) -> RecordedWorld:
        _, size = struct.unpack('<ii', self._bytes.take(8))
        if not 12 <= size <= LARGEST_WORLD:
            raise RecordingError(
                f'the size of a world is {size}; it must be 12 to {LARGEST_WORLD}'
            )
        source = Source(self._bytes.take(size))
        time, count = struct.unpack_from('<di', source.data, source.take(12, 'world'))
        try:
            objects = tuple(_take_object(source) for _ in range(_checked(count, 'objects')))
            source.finish()
        except SigversePacketError as error:
            raise RecordingError(f'a world at {time} s: {error}') from None
        return RecordedWorld(time, objects)

    def _take_file(self) -> ShapeFile:
        length = self._take_int()
        if not 0 <= length <= LONGEST_NAME:
            raise RecordingError(
                f'the length of a name is {length}; it must be 0 to {LONGEST_NAME}'
            )
        text = self._bytes.take(length + 1)[:-1].decode('utf-8', 'surrogateescape')
        key, _, file = text.partition(',')
        return ShapeFile(key, file)

    def _take_count(self, what: str) -> int:
        return _checked(self._take_int(), what)

    def _take_int(self) -> int:
        return int(_INT.unpack(self._bytes.take(_INT.size))[0])


def _checked(count: int, what: str) -> int:
    if count < 0:
        raise RecordingError(f'the number of {what} is {count}; it must be 0 or more')
    return count


def _take_object(source: Source) -> PacketObject:
    _, size = struct.unpack_from('<ii', source.data, source.take(8, 'the size of an object'))
    if size < 0:
        raise SigversePacketError(f'the size of an object is {size}; it must be 0 or more')
    begin = source.take(size, 'object')
    part = Source(source.data, begin, begin + size)
    found = OBJECT.read(part, 'object')
    part.finish()
    return found


def write_recording(
    path: Path,
    files: Sequence[ShapeFile],
    worlds: Sequence[RecordedWorld],
    *,
    compressed: bool = True,
) -> None:
    """
    Write a recording.

    Parameters
    ----------
    path : pathlib.Path
        It is replaced when all is written.
    files : sequence of ShapeFile
    worlds : sequence of RecordedWorld
    compressed : bool

    Raises
    ------
    RecordingError
        A value does not fit, or the file cannot be written.

    """
    deflate = zlib.compressobj() if compressed else None
    try:
        with replacing(path) as written, written.open('wb') as file:
            for piece in _written(files, worlds):
                file.write(piece if deflate is None else deflate.compress(piece))
            if deflate is not None:
                file.write(deflate.flush())
    except (OSError, SigversePacketError) as error:
        raise RecordingError(f'{path} cannot be written: {error}') from error


def _written(files: Sequence[ShapeFile], worlds: Sequence[RecordedWorld]) -> Iterator[bytes]:
    """Return the bytes of a recording, piece by piece."""
    yield MAGIC + struct.pack('<iii', VERSION, len(worlds), len(files))
    for each in files:
        name = f'{each.key},{each.file}'.encode('utf-8', 'surrogateescape')
        yield _INT.pack(len(name)) + name + bytes(1)
    for index, world in enumerate(worlds):
        content = bytearray(struct.pack('<di', world.time, len(world.objects)))
        for number, thing in enumerate(world.objects):
            found = bytearray()
            OBJECT.write(thing, found, 'object')
            content += struct.pack('<ii', number, len(found)) + found
        yield struct.pack('<ii', index, len(content)) + bytes(content)

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Reads and writes the league's recordings, `.log` and `.log.gz`.

The format is that of ssl-logtools and ssl-go-tools: twelve bytes `SSL_LOG_FILE` and int32 version
1, then for each message int64 receive time [ns], int32 kind, int32 size and the data; all numbers
are big-endian.
"""

from __future__ import annotations

import gzip
import struct
import zlib
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final

from world_model_core.errors import RecordingError
from world_model_core.files.atomic_write import replacing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import BufferedIOBase, BufferedReader
    from types import TracebackType

MAGIC: Final = b'SSL_LOG_FILE'
VERSION: Final = 1
GZIP_MAGIC: Final = b'\x1f\x8b'
# The largest payload of a UDP datagram over IPv4.
DATAGRAM_SIZE: Final = 65507
# 8 bytes a message: more than a day of recording.
INDEX_SIZE: Final = 1 << 28

_FILE_HEADER = struct.Struct('>12si')
_MESSAGE_HEADER = struct.Struct('>qii')


class MessageKind(IntEnum):
    """The kind of a message in a recording, by its number in the file."""

    BLANK = 0
    UNKNOWN = 1
    VISION_2010 = 2
    REFBOX_2013 = 3
    VISION_2014 = 4
    VISION_TRACKER_2020 = 5
    INDEX_2021 = 6


@dataclass(frozen=True, slots=True)
class Message:
    """
    One datagram: receive time [ns, the recorder's clock], kind and data.

    `kind` is a plain int if the number in the file is unknown.
    """

    received_ns: int
    kind: MessageKind | int
    data: bytes


class RecordingReader:
    """
    Reads the messages of a recording one by one; each iteration starts at the beginning.

    Blank messages and the index contain no datagram and are skipped.

    Parameters
    ----------
    path : Path or str
        The file; compression is detected from its first bytes, not from its name.

    Attributes
    ----------
    truncated : bool
        Whether the file of the last iteration ended within a message, as after a killed recorder.
        All messages before have been read.

    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self.truncated = False
        self._raw: BufferedReader | None = None
        self._size = 0

    @property
    def fraction(self) -> float:
        """Fraction of the file that the current iteration has read; 1 without an iteration."""
        if self._raw is None or self._raw.closed or not self._size:
            return 1.0
        return self._raw.tell() / self._size

    def __iter__(self) -> Iterator[Message]:
        """
        Yield the messages in the order of the file.

        Raises
        ------
        RecordingError
            The file cannot be opened, is not a recording, or is damaged. The message names the
            offset in the uncompressed file, the value and its limit.

        """
        self.truncated = False
        with _convert_errors(self.path), self.path.open('rb') as raw:
            self._raw, self._size = raw, self.path.stat().st_size
            compressed = raw.peek(len(GZIP_MAGIC)).startswith(GZIP_MAGIC)
            try:
                yield from self._messages(gzip.GzipFile(fileobj=raw) if compressed else raw)
            except EOFError:
                self.truncated = True

    def _messages(self, file: BufferedIOBase) -> Iterator[Message]:
        """Yield messages up to a clean end; raise EOFError at any other end."""
        self._check_header(file.read(_FILE_HEADER.size))
        offset = _FILE_HEADER.size
        while header := file.read(_MESSAGE_HEADER.size):
            if len(header) < _MESSAGE_HEADER.size:
                raise EOFError
            received_ns, number, size = _MESSAGE_HEADER.unpack(header)
            self._check_size(offset, number, size)
            data = _take(file, size)
            offset += _MESSAGE_HEADER.size + size
            if number not in (MessageKind.BLANK, MessageKind.INDEX_2021):
                yield Message(received_ns, _kind(number), data)

    def _check_header(self, header: bytes) -> None:
        """Reject a file of another format or version."""
        magic = header[: len(MAGIC)]
        version = int.from_bytes(header[len(MAGIC) :], 'big')
        if magic != MAGIC:
            raise RecordingError(f'{self.path}: offset 0 is {magic!r}, not {MAGIC!r}')
        if version != VERSION:
            raise RecordingError(f'{self.path}: version at offset 12 is {version}, not {VERSION}')

    def _check_size(self, offset: int, number: int, size: int) -> None:
        """Reject a message larger than any datagram, which indicates a damaged file."""
        limit = INDEX_SIZE if number == MessageKind.INDEX_2021 else DATAGRAM_SIZE
        if not 0 <= size <= limit:
            raise RecordingError(
                f'{self.path}: size of the message at offset {offset} is {size} bytes, '
                f'not within 0 to {limit}'
            )


def _kind(number: int) -> MessageKind | int:
    """Return the kind of a number, or the number if it is unknown."""
    try:
        return MessageKind(number)
    except ValueError:
        return number


def _take(file: BufferedIOBase, size: int) -> bytes:
    """Read exactly `size` bytes, or raise EOFError as gzip does."""
    data = file.read(size)
    if len(data) < size:
        raise EOFError
    return data


@contextmanager
def _convert_errors(path: Path) -> Iterator[None]:
    """Convert errors of files and compression to RecordingError."""
    try:
        yield
    except (OSError, zlib.error) as error:  # gzip.BadGzipFile is an OSError
        raise RecordingError(f'{path}: {error}') from error


class RecordingWriter:
    """
    Context manager that writes a recording.

    Parameters
    ----------
    path : Path or str
        The file, compressed if its name ends in `.gz`. It is there, and replaces another one, when
        the context ends without an error.

    Raises
    ------
    RecordingError
        The file cannot be opened.

    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        compressed = self.path.suffix == '.gz'
        with _convert_errors(self.path), ExitStack() as stack:
            temporary = stack.enter_context(replacing(self.path))
            self._file: BufferedIOBase = stack.enter_context(
                gzip.GzipFile(temporary, 'wb') if compressed else temporary.open('wb')
            )
            self._file.write(_FILE_HEADER.pack(MAGIC, VERSION))
            self._opened = stack.pop_all()

    def __enter__(self) -> RecordingWriter:  # noqa: PYI034 -- Self came with Python 3.11
        """Return the writer."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the file, and give it its name unless an error was raised."""
        with _convert_errors(self.path):
            self._opened.__exit__(kind, error, traceback)

    def write(self, message: Message) -> None:
        """
        Append one message.

        Raises
        ------
        RecordingError
            The message is larger than any datagram, so that no reader would accept it, or the
            disk is full.

        """
        size = len(message.data)
        if size > DATAGRAM_SIZE:
            raise RecordingError(
                f'{self.path}: data of {size} bytes exceed the maximum of {DATAGRAM_SIZE}'
            )
        header = _MESSAGE_HEADER.pack(message.received_ns, message.kind, size)
        with _convert_errors(self.path):
            self._file.write(header + message.data)

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Records of a journal: length, checksum and content.

A process that is killed while it writes leaves the beginning of a record at the end of the file.
Length and checksum show this, and damage by the disk.
"""

from __future__ import annotations

import struct
import zlib
from typing import NamedTuple

MAGIC = b'WMJ1'
# Magic, length of the content [bytes], and CRC-32 of length and content.
_HEAD = struct.Struct('<4sII')
_LENGTH = struct.Struct('<I')


class Records(NamedTuple):
    """The records at the beginning of a file."""

    contents: tuple[memoryview, ...]
    """Views of the file's bytes."""
    torn: bool
    """The file ends within a record."""
    damaged: bool
    """What follows the records is no record, or has another checksum."""


def frame_record(content: bytes) -> bytes:
    """Return the bytes of a record."""
    return _HEAD.pack(MAGIC, len(content), _checksum(content)) + content


def split_records(data: bytes) -> Records:
    """
    Split the bytes of a file into records, up to the first incomplete or damaged one.

    Parameters
    ----------
    data : bytes
        Any bytes.

    """
    contents: list[memoryview] = []
    view, start = memoryview(data), 0
    while start < len(data):
        content = _content(view, start)
        if content is None:
            torn = _is_beginning(data[start : start + _HEAD.size], len(data) - start)
            return Records(tuple(contents), torn, not torn)
        contents.append(content)
        start += _HEAD.size + len(content)
    return Records(tuple(contents), torn=False, damaged=False)


def _content(data: memoryview, start: int) -> memoryview | None:
    """Return the content of the record at a place, or None if it has none."""
    if len(data) - start < _HEAD.size:
        return None
    magic, length, checksum = _HEAD.unpack_from(data, start)
    content = data[start + _HEAD.size : start + _HEAD.size + length]
    intact = magic == MAGIC and len(content) == length and _checksum(content) == checksum
    return content if intact else None


def _is_beginning(head: bytes, rest: int) -> bool:
    """Return whether the rest of a file begins like a record that is longer than the rest."""
    if len(head) < _HEAD.size:
        return MAGIC.startswith(head[: len(MAGIC)])
    magic, length, _ = _HEAD.unpack(head)
    return bool(magic == MAGIC and _HEAD.size + length > rest)


def _checksum(content: bytes | memoryview) -> int:
    return zlib.crc32(content, zlib.crc32(_LENGTH.pack(len(content))))

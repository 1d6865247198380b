# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Chunks of a GLB file (glTF 2.0 specification, chapter 4): a JSON document and binary data.

The JSON is parsed; of the other chunks only the positions are read.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from struct import Struct
from typing import TYPE_CHECKING, BinaryIO

import numpy as np

from world_model_core.files.json_reader import parse_json
from world_model_core.files.parsed_document import LFS_POINTER

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from world_model_core.files.file_findings import FileFindings
    from world_model_core.files.parsed_document import ParsedDocument

__all__ = ['GlbContainer', 'read_container']

HEADER = Struct('<4sII')  # magic, version, length of the file
CHUNK = Struct('<I4s')  # length of what follows, and its kind
MAGIC, JSON, BINARY = b'glTF', b'JSON', b'BIN\0'
VERSION = 2
# A scene of a million nodes has less; parsed it takes ten times as much memory [bytes].
LARGEST_JSON = 32 * 2**20
# Chunks in a file; others are ignored.
MOST_CHUNKS = 64


@dataclass(frozen=True, slots=True)
class GlbContainer:
    """
    A GLB file whose chunks are complete.

    Attributes
    ----------
    document : ParsedDocument
        The JSON chunk.
    binary_start, binary_length : int
        Position of the binary chunk in the file [bytes]; the length is 0 if there is none.

    """

    document: ParsedDocument
    binary_start: int
    binary_length: int

    def read_binary(self, path: Path) -> NDArray[np.uint8]:
        """
        Map the binary chunk, read-only: pictures in it are not read.

        Raises
        ------
        OSError
            The file cannot be read.

        """
        if not self.binary_length:
            return np.empty(0, np.uint8)
        shape = (self.binary_length,)
        return np.asarray(np.memmap(path, np.uint8, 'r', self.binary_start, shape))


def read_container(path: Path, notes: FileFindings) -> GlbContainer | None:
    """Read header and JSON; return None if the file is not GLB or is truncated."""
    try:
        with path.open('rb') as stream:
            size = os.fstat(stream.fileno()).st_size
            if not _check_header(stream.read(len(LFS_POINTER)), size, notes):
                return None
            chunks = _find_chunks(stream, size, notes)
            return None if chunks is None else _read(stream, chunks, notes)
    except OSError as error:
        notes.add('File.Unreadable', found=error.strerror or error)
        return None


def _check_header(start: bytes, size: int, notes: FileFindings) -> bool:
    if start == LFS_POINTER:
        notes.add('File.LfsPointer', 'byte 0')
        return False
    if start[:4] != MAGIC:
        notes.add('Mesh.NotGlb', 'byte 0', found=ascii(start[:4])[1:])
        return False
    if size < HEADER.size:
        notes.add('Mesh.CutOff', f'byte {size}', found=size, due=HEADER.size)
        return False
    _, version, length = HEADER.unpack_from(start)
    if version != VERSION:
        notes.add('Mesh.WrongVersion', 'byte 4', found=version)
        return False
    if length > size:
        notes.add('Mesh.CutOff', f'byte {size}', found=size, due=length)
        return False
    if length < size:
        notes.add('Mesh.TrailingBytes', f'byte {length}', found=size - length)
    return True


def _find_chunks(
    stream: BinaryIO, size: int, notes: FileFindings
) -> dict[bytes, tuple[int, int]] | None:
    """Return start and length of each chunk by its kind; None if one is truncated."""
    chunks: dict[bytes, tuple[int, int]] = {}
    start = HEADER.size
    while start + CHUNK.size <= size and len(chunks) < MOST_CHUNKS:
        stream.seek(start)
        length, kind = CHUNK.unpack(stream.read(CHUNK.size))
        start += CHUNK.size
        if start + length > size:
            notes.add('Mesh.ChunkCutOff', f'byte {start}', found=size - start, due=length)
            return None
        chunks.setdefault(kind, (start, length))
        start += length
    if JSON not in chunks or chunks[JSON][0] != HEADER.size + CHUNK.size:
        notes.add('Mesh.NoJson', f'byte {HEADER.size}')
        return None
    return chunks


def _read(
    stream: BinaryIO, chunks: dict[bytes, tuple[int, int]], notes: FileFindings
) -> GlbContainer | None:
    start, length = chunks[JSON]
    if length > LARGEST_JSON:
        notes.add('File.TooLarge', f'byte {start}', found=length, limit=LARGEST_JSON)
        return None
    stream.seek(start)
    data = stream.read(length)
    try:
        text = data.decode('utf-8')
    except UnicodeDecodeError as error:
        where = f'byte {start + error.start}'
        notes.add('File.NotUtf8', where, found=f'0x{data[error.start]:02x}')
        return None
    document = parse_json(text, notes)
    return None if document is None else GlbContainer(document, *chunks.get(BINARY, (0, 0)))

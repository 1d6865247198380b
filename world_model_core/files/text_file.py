# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Reading the text of a small file within limits."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from world_model_core.files.file_findings import FileFindings

__all__ = ['LFS_POINTER', 'read_text']

# First bytes of the pointer that Git LFS stores instead of a file that has not been fetched.
LFS_POINTER = b'version https://git-lfs.github.com/spec/'
# Byte order marks of UTF-16 and UTF-32.
WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)


def read_text(path: Path, notes: FileFindings, largest: int) -> str | None:
    """
    Read a whole file as UTF-8.

    Parameters
    ----------
    path : Path
    notes : FileFindings
        Receives the findings: the file is larger than `largest` bytes, empty, not a regular file
        (it is not opened, as a pipe would block), unreadable, a pointer of Git LFS, or not UTF-8.

    Returns
    -------
    str or None
        None if the text cannot be read.

    """
    data = _read_bytes(path, notes, largest)
    if data is None:
        return None
    if data.startswith(LFS_POINTER):
        notes.add('File.LfsPointer', 'byte 0')
        return None
    if data.startswith(codecs.BOM_UTF8):
        notes.add('File.ByteOrderMark', 'byte 0')
        data = data[len(codecs.BOM_UTF8) :]
    if not data.strip():
        notes.add('File.Empty')
        return None
    return _decode(data, notes)


def _read_bytes(path: Path, notes: FileFindings, largest: int) -> bytes | None:
    try:
        if not path.is_file():
            notes.add('File.NotAFile')
            return None
        with path.open('rb') as stream:
            data = stream.read(largest + 1)
    except (OSError, ValueError) as error:
        notes.add('File.Unreadable', found=getattr(error, 'strerror', None) or error)
        return None
    if len(data) > largest:
        notes.add('File.TooLarge', found=path.stat().st_size, limit=largest)
        return None
    return data


def _decode(data: bytes, notes: FileFindings) -> str | None:
    try:
        return data.decode('utf-8')
    except UnicodeDecodeError as error:
        wide = data.startswith(WIDE)
        found = 'UTF-16' if wide else f'0x{data[error.start]:02x}'
        notes.add('File.NotUtf8', f'byte {error.start}', found=found)
        return None

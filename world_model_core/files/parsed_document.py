# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Text files, and documents parsed from them."""

from __future__ import annotations

import codecs
from dataclasses import dataclass, field
from enum import Enum
from itertools import islice
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from world_model_core.files.file_findings import FileFindings

__all__ = [
    'LFS_POINTER',
    'UNUSABLE',
    'ParsedDocument',
    'ScalarMark',
    'UnusableValue',
    'ValueLocation',
    'escape',
    'pointer',
    'read_bytes',
    'read_text',
    'shown',
]

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
    data = read_bytes(path, notes, largest)
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


def read_bytes(path: Path, notes: FileFindings, largest: int) -> bytes | None:
    """
    Read a whole file.

    Parameters
    ----------
    path : Path
    notes : FileFindings
        Receives the findings: the file is larger than `largest` bytes, not a regular file (it is
        not opened, as a pipe would block), or unreadable.

    Returns
    -------
    bytes or None
        None if the file cannot be read.

    """
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


# Number of members or items of a mapping or list that are shown in a text.
SHOWN_PARTS = 4


class UnusableValue(Enum):
    """Replaces a value in a document for which an error has already been reported."""

    UNUSABLE = 'unusable'


UNUSABLE = UnusableValue.UNUSABLE


@dataclass(frozen=True, slots=True)
class ScalarMark:
    """
    How a scalar is written in YAML, which reads many texts as other types.

    Attributes
    ----------
    line : int
        From 1.
    written : str
        The text in the file.
    kind : str
        The type in YAML 1.1: 'str', 'int', 'float', 'bool', 'null', 'timestamp', ...
    is_plain : bool
        Without quotes and without a tag.

    """

    line: int
    written: str
    kind: str
    is_plain: bool


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """
    Contents of a YAML or JSON file.

    Attributes
    ----------
    value : object
        Made of dict, list, str, int, float, bool and None; UNUSABLE replaces anything else.
    notes : FileFindings
        Collects the findings about the values.
    marks : mapping of str to ScalarMark
        By JSON pointer; empty for JSON, where the type of a value is unambiguous.

    """

    value: Any
    notes: FileFindings
    marks: Mapping[str, ScalarMark] = field(default_factory=dict)

    @property
    def root(self) -> ValueLocation:
        """Location of the whole document."""
        return ValueLocation(self, '')


@dataclass(frozen=True, slots=True)
class ValueLocation:
    """Location of a value in a document, as a JSON pointer (RFC 6901)."""

    document: ParsedDocument
    pointer: str

    def member(self, key: str | int) -> ValueLocation:
        """Return the location of a member of the mapping or list at this location."""
        return ValueLocation(self.document, f'{self.pointer}/{escape(key)}')

    @property
    def mark(self) -> ScalarMark | None:
        """How the value is written, if it is a scalar in a YAML file."""
        return self.document.marks.get(self.pointer)

    def is_usable(self, value: Any) -> bool:
        """Return whether a value is usable; if it is not, count one more error."""
        self.document.notes.errors += value is UNUSABLE
        return value is not UNUSABLE

    def report(self, code: str, **values: Any) -> bool:
        """Add a finding about the value at this location; return whether it is an error."""
        line = '' if self.mark is None else self.mark.line
        return self.document.notes.add(code, self.pointer, line=line, **values)


def pointer(*keys: str | int) -> str:
    """Return the JSON pointer made of keys and indices."""
    return ''.join(f'/{escape(key)}' for key in keys)


def escape(key: str | int) -> str:
    """Return a key as a part of a JSON pointer."""
    return str(key).replace('~', '~0').replace('/', '~1')


def shown(value: Any, mark: ScalarMark | None = None) -> str:
    """Convert a value to one line: as written in YAML if its mark is given, else as in JSON."""
    if mark is not None:
        return mark.written if mark.is_plain else f'"{mark.written}"'
    if isinstance(value, dict):
        parts = [f'{key}: {_brief(each)}' for key, each in islice(value.items(), SHOWN_PARTS)]
        return f'{{{_listed(parts, len(value))}}}'
    if isinstance(value, list):
        return f'[{_listed([_brief(each) for each in value[:SHOWN_PARTS]], len(value))}]'
    if value is None or isinstance(value, bool):
        return {True: 'true', False: 'false', None: 'null'}[value]
    return f'"{value}"' if isinstance(value, str) else f'{value:g}'


def _brief(value: Any) -> str:
    """Convert a value inside of another value to text, without its own contents."""
    if isinstance(value, dict | list):
        empty = '{}' if isinstance(value, dict) else '[]'
        return f'{empty[0]}…{empty[1]}' if value else empty
    return '?' if value is UNUSABLE else shown(value)


def _listed(parts: list[str], count: int) -> str:
    return ', '.join((*parts, '…') if count > len(parts) else parts)

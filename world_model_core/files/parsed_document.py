# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A parsed YAML or JSON file: plain values, how each is written, and JSON pointers to them."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from itertools import islice
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from world_model_core.files.file_findings import FileFindings

__all__ = [
    'UNUSABLE',
    'ParsedDocument',
    'ScalarMark',
    'UnusableValue',
    'ValueLocation',
    'escape',
    'pointer',
    'shown',
]

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

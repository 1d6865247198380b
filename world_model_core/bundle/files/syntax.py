# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What a small file says once it is parsed: plain values, how each is written, what is wrong."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import Enum
from itertools import islice
from typing import TYPE_CHECKING, Any

from world_model_core.bundle.findings import Severity, catalogue

if TYPE_CHECKING:
    from collections.abc import Mapping

    from world_model_core.bundle.findings import Findings

# Findings with one code in one file: a hostile file may break a rule a million times.
MOST_OF_A_CODE = 50
# Of lists and mappings that stand where something else should, so many parts are shown.
SHOWN_PARTS = 4


class Unusable(Enum):
    """Stands in a document for a value of which a finding says already why it is none."""

    UNUSABLE = 'unusable'


UNUSABLE = Unusable.UNUSABLE


@dataclass(frozen=True, slots=True)
class Mark:
    """
    How a scalar is written in YAML, which takes many texts for something else.

    Attributes
    ----------
    line : int
        From 1.
    written : str
        As the file has it.
    kind : str
        What YAML 1.1 takes it for: 'str', 'int', 'float', 'bool', 'null', 'timestamp', ...
    is_plain : bool
        Without quotes and without a tag.

    """

    line: int
    written: str
    kind: str
    is_plain: bool


@dataclass(slots=True)
class Notes:
    """
    What is found in one file.

    Attributes
    ----------
    file : str
        Relative to the bundle.
    findings : Findings
        Are added to.
    errors : int
        Grows with every error in this file, and with every value that is none because of one.

    """

    file: str
    findings: Findings
    errors: int = 0
    counts: Counter[str] = field(default_factory=Counter)

    def add(self, code: str, where: str = '', **values: Any) -> bool:
        """Note a finding, unless there are many with its code; tell if it is an error."""
        is_error = catalogue()[code].severity is Severity.ERROR
        self.errors += is_error
        self.counts[code] += 1
        if self.counts[code] <= MOST_OF_A_CODE:
            self.findings.add(code, self.file, where, **values)
        return is_error


@dataclass(frozen=True, slots=True)
class Document:
    """
    What a YAML or JSON file says.

    Attributes
    ----------
    value : object
        Of dict, list, str, int, float, bool and None; UNUSABLE in place of what is none of them.
    notes : Notes
        For what is wrong with the values.
    marks : mapping of str to Mark
        By JSON pointer; none in JSON, where a value is what it looks like.

    """

    value: Any
    notes: Notes
    marks: Mapping[str, Mark] = field(default_factory=dict)

    @property
    def root(self) -> Spot:
        """Where the whole document stands."""
        return Spot(self, '')


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a document, by its JSON pointer (RFC 6901)."""

    document: Document
    pointer: str

    def member(self, key: str | int) -> Spot:
        """Go to a member of the mapping or the list that stands here."""
        return Spot(self.document, f'{self.pointer}/{escape(key)}')

    @property
    def mark(self) -> Mark | None:
        """How the value here is written, if it is a scalar of a YAML file."""
        return self.document.marks.get(self.pointer)

    def is_usable(self, value: Any) -> bool:
        """Tell if the value here is one; if it is none, that counts as an error once more."""
        self.document.notes.errors += value is UNUSABLE
        return value is not UNUSABLE

    def note(self, code: str, **values: Any) -> bool:
        """Note a finding about the value here; tell if it is an error."""
        line = '' if self.mark is None else self.mark.line
        return self.document.notes.add(code, self.pointer, line=line, **values)


def pointer(*keys: str | int) -> str:
    """Write the JSON pointer to a place, from the keys and indices on the way to it."""
    return ''.join(f'/{escape(key)}' for key in keys)


def escape(key: str | int) -> str:
    """Write a key as a part of a JSON pointer."""
    return str(key).replace('~', '~0').replace('/', '~1')


def shown(value: Any, mark: Mark | None = None) -> str:
    """Show a value in a line, as JSON does or as YAML has it."""
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
    """Show a value within another one, without what it holds in turn."""
    if isinstance(value, dict | list):
        empty = '{}' if isinstance(value, dict) else '[]'
        return f'{empty[0]}…{empty[1]}' if value else empty
    return '?' if value is UNUSABLE else shown(value)


def _listed(parts: list[str], count: int) -> str:
    return ', '.join((*parts, '…') if count > len(parts) else parts)

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Headers of PLY files: what elements there are, how many rows, which properties of which types.

After "The PLY Polygon File Format" by G. Turk, with the names of types that later writers use.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from world_model_core.errors import WorldModelError

if TYPE_CHECKING:
    from typing import BinaryIO

# Shape (rows, scalar properties), of the type that all have, or float64. Used once: the next block
# takes its place.
RowBlock: TypeAlias = NDArray[Any]
# Longer headers than this are no headers: those of splats have 2 to 4 kB.
HEADER_LIMIT: Final = 1 << 20
# Rows are counted in 64 bits wherever they can be stored.
COUNT_DIGITS: Final = 18
# By format line: the order of bytes, None where numbers are text.
BYTE_ORDERS: Final = {'binary_little_endian': '<', 'binary_big_endian': '>', 'ascii': None}
SCALAR_KINDS: Final = {
    'char': 'i1', 'uchar': 'u1', 'short': 'i2', 'ushort': 'u2', 'int': 'i4', 'uint': 'u4',
    'float': 'f4', 'double': 'f8', 'int8': 'i1', 'uint8': 'u1', 'int16': 'i2', 'uint16': 'u2',
    'int32': 'i4', 'uint32': 'u4', 'float32': 'f4', 'float64': 'f8',
}  # fmt: skip


class SplatError(WorldModelError):
    """
    Why a file of splats cannot be read further: what becomes a finding.

    Attributes
    ----------
    code, where, values
        As Findings.add takes them.

    """

    def __init__(self, code: str, where: str = '', **values: object) -> None:
        self.code = code
        self.where = where
        self.values = values
        super().__init__(f'{code} at {where or "file"}: {values}')


@dataclass(frozen=True, slots=True)
class PlyProperty:
    """
    A column: its name, its type as numpy writes it ('f4') without the order of bytes.

    `length_kind` is the type of the length before each list; None for a single value.
    """

    name: str
    kind: str
    length_kind: str | None = None

    @property
    def least_size(self) -> int:
        """Bytes that each row has at least."""
        return np.dtype(self.length_kind or self.kind).itemsize


@dataclass(frozen=True)
class PlyElement:
    """A table: its name, number of rows, and columns."""

    name: str
    count: int
    properties: tuple[PlyProperty, ...]

    @cached_property
    def scalars(self) -> tuple[PlyProperty, ...]:
        """Columns of single values."""
        return tuple(each for each in self.properties if each.length_kind is None)

    @cached_property
    def columns(self) -> dict[str, int]:
        """Find the place of each column among the scalars, by its name."""
        return {each.name: place for place, each in enumerate(self.scalars)}

    @cached_property
    def has_lists(self) -> bool:
        """Whether rows may differ in length."""
        return len(self.scalars) < len(self.properties)

    @cached_property
    def least_size(self) -> int:
        """Bytes of a row in a binary file: exactly, or at least where there are lists."""
        return sum(each.least_size for each in self.properties)


@dataclass(frozen=True, slots=True)
class PlyHeader:
    """
    What a header says.

    Attributes
    ----------
    order : str or None
        Of bytes: '<', '>', or None for text.
    elements : tuple of PlyElement
    comments : tuple of str
        With those of `obj_info`.
    size : int
        Where the rows begin [bytes].
    lines : int
        Of the header.

    """

    order: str | None
    elements: tuple[PlyElement, ...]
    comments: tuple[str, ...]
    size: int
    lines: int

    def element(self, name: str) -> PlyElement | None:
        """Find an element by its name."""
        return next((each for each in self.elements if each.name == name), None)


def read_header(stream: BinaryIO) -> PlyHeader:
    """
    Read the header at the beginning of a file.

    Raises
    ------
    SplatError
        It is no header of a PLY file, or breaks the rules in the line that is named.

    """
    data = stream.read(HEADER_LIMIT)
    draft = _Draft()
    end = 0
    while not draft.ended:
        start, end = end, data.find(b'\n', end) + 1
        if not end:
            raise draft.fault(f'no end_header within {len(data)} bytes')
        draft.take(data[start : end - 1].decode('utf-8', 'replace'))
    return draft.header(end)


class _Draft:
    """A header of which some lines have been read."""

    def __init__(self) -> None:
        self.lines = 0
        self.ended = False
        self._order: str | None = None
        self._format = ''
        self._comments: list[str] = []
        self._elements: list[tuple[str, int, dict[str, PlyProperty]]] = []

    def fault(self, reason: str) -> SplatError:
        """Say what is wrong with the present line."""
        return SplatError('Splats.Header', f'line {max(1, self.lines)}', found=reason)

    def take(self, line: str) -> None:
        """Read a line."""
        self.lines += 1
        words = line.split()
        if self.lines == 1:
            if words != ['ply']:
                raise self.fault(f'{line[:20]!r} instead of "ply"')
        elif words and words[0] in ('comment', 'obj_info'):
            self._comments.append(line.strip().partition(' ')[2].strip())
        elif words:
            self._take_statement(words)

    def _take_statement(self, words: list[str]) -> None:
        match words:
            case ['format', name, '1.0'] if name in BYTE_ORDERS and not self._format:
                self._format, self._order = name, BYTE_ORDERS[name]
            case ['element', name, count]:
                self._begin_element(name, count)
            case ['property', 'list', length, kind, name]:
                self._add_property(name, kind, length)
            case ['property', kind, name]:
                self._add_property(name, kind)
            case ['end_header']:
                self.ended = True
            case _:
                raise self.fault(f'"{" ".join(words)}" is no statement of a PLY header')

    def _begin_element(self, name: str, count: str) -> None:
        if not (count.isascii() and count.isdigit() and len(count) <= COUNT_DIGITS):
            raise self.fault(f'{count!r} is no number of rows')
        if any(each[0] == name for each in self._elements):
            raise self.fault(f'a second element "{name}"')
        self._elements.append((name, int(count), {}))

    def _add_property(self, name: str, kind: str, length: str | None = None) -> None:
        unknown = [each for each in (kind, length) if each and each not in SCALAR_KINDS]
        if unknown:
            raise self.fault(f'"{unknown[0]}" is no type of numbers')
        if not self._elements:
            raise self.fault(f'property "{name}" before any element')
        properties = self._elements[-1][2]
        if name in properties:
            raise self.fault(f'a second property "{name}"')
        if length and SCALAR_KINDS[length].startswith('f'):
            raise self.fault(f'the length of list "{name}" is a {length}, not an integer')
        properties[name] = PlyProperty(
            name, SCALAR_KINDS[kind], SCALAR_KINDS[length] if length else None
        )

    def header(self, size: int) -> PlyHeader:
        """Put together what was read; the rows begin `size` bytes into the file."""
        if not self._format:
            raise self.fault('no line "format ... 1.0"')
        elements = (
            PlyElement(name, count, tuple(each.values())) for name, count, each in self._elements
        )
        return PlyHeader(self._order, tuple(elements), tuple(self._comments), size, self.lines)

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Reader of PLY headers: elements with their numbers of rows, and properties with their types.

The format is "The PLY Polygon File Format" by G. Turk; type names of later writers are accepted.
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

# Shape (rows, scalar properties), of the common type of all properties, or float64. The next block
# may overwrite it.
RowBlock: TypeAlias = NDArray[Any]
# Maximum size of a header [bytes]; headers of splats have 2 to 4 kB.
HEADER_LIMIT: Final = 1 << 20
# Maximum number of digits of a row count, which must fit in 64 bits.
COUNT_DIGITS: Final = 18
# Byte order by the name in the format line; None for text.
BYTE_ORDERS: Final = {'binary_little_endian': '<', 'binary_big_endian': '>', 'ascii': None}
SCALAR_KINDS: Final = {
    'char': 'i1', 'uchar': 'u1', 'short': 'i2', 'ushort': 'u2', 'int': 'i4', 'uint': 'u4',
    'float': 'f4', 'double': 'f8', 'int8': 'i1', 'uint8': 'u1', 'int16': 'i2', 'uint16': 'u2',
    'int32': 'i4', 'uint32': 'u4', 'float32': 'f4', 'float64': 'f8',
}  # fmt: skip


class SplatError(WorldModelError):
    """
    A splat file cannot be read; the error is reported as a finding.

    Attributes
    ----------
    code, where, values
        Arguments of Findings.add.

    """

    def __init__(self, code: str, where: str = '', **values: object) -> None:
        self.code = code
        self.where = where
        self.values = values
        super().__init__(f'{code} at {where or "file"}: {values}')


@dataclass(frozen=True, slots=True)
class PlyProperty:
    """
    A column: its name, and its type in numpy's notation ('f4') without the byte order.

    `length_kind` is the type of the length of a list property; None for a scalar.
    """

    name: str
    kind: str
    length_kind: str | None = None

    @property
    def least_size(self) -> int:
        """Minimum size in a row [bytes]."""
        return np.dtype(self.length_kind or self.kind).itemsize


@dataclass(frozen=True)
class PlyElement:
    """A table: its name, number of rows, and columns."""

    name: str
    count: int
    properties: tuple[PlyProperty, ...]

    @cached_property
    def scalars(self) -> tuple[PlyProperty, ...]:
        """Scalar properties."""
        return tuple(each for each in self.properties if each.length_kind is None)

    @cached_property
    def columns(self) -> dict[str, int]:
        """Index of each scalar property by its name."""
        return {each.name: index for index, each in enumerate(self.scalars)}

    @cached_property
    def has_lists(self) -> bool:
        """Whether the element has list properties, so that rows differ in length."""
        return len(self.scalars) < len(self.properties)

    @cached_property
    def least_size(self) -> int:
        """Size of a row in a binary file [bytes]; the minimum if the element has lists."""
        return sum(each.least_size for each in self.properties)


@dataclass(frozen=True, slots=True)
class PlyHeader:
    """
    Header of a PLY file.

    Attributes
    ----------
    order : str or None
        Byte order: '<', '>', or None for text.
    elements : tuple of PlyElement
    comments : tuple of str
        Lines `comment` and `obj_info`.
    size : int
        Offset of the first row [bytes].
    lines : int
        Number of lines.

    """

    order: str | None
    elements: tuple[PlyElement, ...]
    comments: tuple[str, ...]
    size: int
    lines: int

    def element(self, name: str) -> PlyElement | None:
        """Return the element with a name; None if there is none."""
        return next((each for each in self.elements if each.name == name), None)


def read_header(stream: BinaryIO) -> PlyHeader:
    """
    Read the header at the beginning of a file.

    Raises
    ------
    SplatError
        The header is not valid; `where` names the line.

    """
    data = stream.read(HEADER_LIMIT)
    parser = _HeaderParser()
    end = 0
    while not parser.ended:
        start, end = end, data.find(b'\n', end) + 1
        if not end:
            raise parser.error(f'no end_header within {len(data)} bytes')
        parser.parse_line(data[start : end - 1].decode('utf-8', 'replace'))
    return parser.header(end)


class _HeaderParser:
    """Parses a header line by line."""

    def __init__(self) -> None:
        self.lines = 0
        self.ended = False
        self._order: str | None = None
        self._format = ''
        self._comments: list[str] = []
        # Number of rows and properties by name.
        self._elements: dict[str, tuple[int, dict[str, PlyProperty]]] = {}
        self._properties: dict[str, PlyProperty] | None = None

    def error(self, reason: str) -> SplatError:
        """Return an error at the current line."""
        return SplatError('Splats.Header', f'line {max(1, self.lines)}', found=reason)

    def parse_line(self, line: str) -> None:
        """Parse a line."""
        self.lines += 1
        words = line.split()
        if self.lines == 1:
            if words != ['ply']:
                raise self.error(f'{line[:20]!r} instead of "ply"')
        elif words and words[0] in ('comment', 'obj_info'):
            self._comments.append(line.strip().partition(' ')[2].strip())
        elif words:
            self._parse_statement(words)

    def _parse_statement(self, words: list[str]) -> None:
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
                raise self.error(f'"{" ".join(words)}" is not a statement of a PLY header')

    def _begin_element(self, name: str, count: str) -> None:
        if not (count.isascii() and count.isdigit() and len(count) <= COUNT_DIGITS):
            raise self.error(f'{count!r} is not a number of rows')
        if name in self._elements:
            raise self.error(f'element "{name}" is defined twice')
        self._properties = {}
        self._elements[name] = int(count), self._properties

    def _add_property(self, name: str, kind: str, length: str | None = None) -> None:
        unknown = [each for each in (kind, length) if each and each not in SCALAR_KINDS]
        if unknown:
            raise self.error(f'"{unknown[0]}" is not a numeric type')
        if self._properties is None:
            raise self.error(f'property "{name}" before any element')
        if name in self._properties:
            raise self.error(f'property "{name}" is defined twice')
        if length and SCALAR_KINDS[length].startswith('f'):
            raise self.error(f'the length of list "{name}" is a {length}, not an integer')
        self._properties[name] = PlyProperty(
            name, SCALAR_KINDS[kind], SCALAR_KINDS[length] if length else None
        )

    def header(self, size: int) -> PlyHeader:
        """Return the parsed header of `size` bytes."""
        if not self._format:
            raise self.error('no line "format ... 1.0"')
        elements = (
            PlyElement(name, count, tuple(each.values()))
            for name, (count, each) in self._elements.items()
        )
        return PlyHeader(self._order, tuple(elements), tuple(self._comments), size, self.lines)

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Reader of the points of PLY files, in which scenes provide their floors.

A header names the elements and the types of their properties. The elements follow in that order,
as
text or binary (Turk, The PLY Polygon File Format, 1994).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.objects.documents.json_fields import ObjectMapError, shown

if TYPE_CHECKING:
    from world_model_core.gaussian import Array

# Byte orders by the name of the format; text has none.
ORDERS = {'ascii': '', 'binary_little_endian': '<', 'binary_big_endian': '>'}
TYPES = {
    'char': 'i1', 'uchar': 'u1', 'short': 'i2', 'ushort': 'u2', 'int': 'i4', 'uint': 'u4',
    'float': 'f4', 'double': 'f8', 'int8': 'i1', 'uint8': 'u1', 'int16': 'i2', 'uint16': 'u2',
    'int32': 'i4', 'uint32': 'u4', 'float32': 'f4', 'float64': 'f8',
}  # fmt: skip
END = b'end_header'


class _Layout(NamedTuple):
    """Format of the vertices: encoding, number, names and types of their properties."""

    form: str
    vertices: int
    properties: tuple[tuple[str, str], ...]


def parse_points(data: bytes) -> Array:
    """
    Read the vertices of a PLY file.

    Parameters
    ----------
    data : bytes
        The whole file; the vertices must be its first elements.

    Returns
    -------
    array, shape (n, 3)
        x, y, z, in the unit of the file; points that are not finite are omitted.

    Raises
    ------
    ObjectMapError
        If it is not a PLY file or is truncated.

    """
    head, found, rest = data.partition(END)
    _, ended, body = rest.partition(b'\n')
    if not (head.startswith(b'ply') and found and ended):
        raise ObjectMapError(f'it begins with {shown(data[:8])}; a PLY file has a header')
    layout = _layout(head.decode('ascii', errors='replace'))
    points = _text_rows(body, layout) if layout.form == 'ascii' else _binary_rows(body, layout)
    finite: Array = points[np.isfinite(points).all(axis=1)]
    return finite


def _layout(header: str) -> _Layout:
    """Read format and vertices from the header."""
    lines = [words for line in header.splitlines() if len(words := line.split()) > 1]
    forms = [words[1] for words in lines if words[0] == 'format']
    if len(forms) != 1 or forms[0] not in ORDERS:
        raise ObjectMapError(f'its format is {shown(" ".join(forms))}; known: {", ".join(ORDERS)}')
    starts = [index for index, words in enumerate(lines) if words[0] == 'element']
    first, end = [*starts, len(lines), len(lines)][:2]
    element = ' '.join(lines[first]) if starts else 'missing'
    _, _, number = element.partition('element vertex ')
    if not (number.isascii() and number.isdigit() and len(number) < 12):
        raise ObjectMapError(f'its first element is {shown(element)}; it must be the vertices')
    return _Layout(forms[0], int(number), tuple(map(_property, lines[first + 1 : end])))


def _property(words: list[str]) -> tuple[str, str]:
    if words[0] != 'property' or len(words) != 3 or words[1] not in TYPES:
        raise ObjectMapError(f'{shown(" ".join(words))} is not a valid property of vertices')
    return words[2], TYPES[words[1]]


def _columns(layout: _Layout) -> list[int]:
    """Return the columns of x, y and z."""
    names = [name for name, _ in layout.properties]
    if len(set(names)) != len(names) or not {'x', 'y', 'z'} <= set(names):
        raise ObjectMapError(f'its vertices have {names}; x, y and z must be among them, once')
    return [names.index(axis) for axis in 'xyz']


def _text_rows(body: bytes, layout: _Layout) -> Array:
    width, columns = len(layout.properties), _columns(layout)
    words = body.split(maxsplit=layout.vertices * width)[: layout.vertices * width]
    if len(words) < layout.vertices * width:
        raise ObjectMapError(f'it has fewer than the {layout.vertices} vertices of its header')
    try:
        return np.array(words, dtype=np.float64).reshape(layout.vertices, width)[:, columns]
    except ValueError as error:
        raise ObjectMapError(f'a vertex is not a row of numbers: {error}') from error


def _binary_rows(body: bytes, layout: _Layout) -> Array:
    _columns(layout)
    order = ORDERS[layout.form]
    row = np.dtype([(name, order + kind) for name, kind in layout.properties])
    if len(body) < layout.vertices * row.itemsize:
        raise ObjectMapError(f'it has fewer than the {layout.vertices} vertices of its header')
    rows = np.frombuffer(body, row, layout.vertices)
    return np.column_stack([rows[axis].astype(np.float64) for axis in 'xyz'])

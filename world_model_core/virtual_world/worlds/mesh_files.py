# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Numbers of triangles in the files of meshes and heights that MuJoCo reads."""

from __future__ import annotations

import re
import struct

from world_model_core.errors import WorldModelError

__all__ = ['MESH_SUFFIXES', 'MeshFileError', 'count_cells', 'count_triangles']

MESH_SUFFIXES = ('.stl', '.obj', '.msh')
# Binary STL: a header, the number of triangles, and 50 bytes for each.
_STL_HEADER, _STL_COUNT, _STL_TRIANGLE = 80, struct.Struct('<I'), 50
# MSH, MuJoCo's own: numbers of vertices, normals, texture coordinates and triangles.
_MSH_HEADER, _MSH_BYTES = struct.Struct('<4i'), (12, 12, 8, 12)
_FACE = re.compile(rb'^[ \t]*f[ \t]([^\r\n]*)', re.MULTILINE)
# Heights: numbers of rows and columns, and a float for each.
_HEIGHTS_HEADER = struct.Struct('<2i')
_PNG_SIZE = struct.Struct('>2I')


class MeshFileError(WorldModelError):
    """The file is not of the format that its name says, or is cut off."""


def count_triangles(data: bytes, suffix: str) -> int:
    """
    Count the triangles of a mesh.

    Parameters
    ----------
    data : bytes
    suffix : str
        One of `MESH_SUFFIXES`.

    Raises
    ------
    MeshFileError
        The file cannot be a mesh of this format.

    """
    return {'.stl': _stl, '.obj': _obj, '.msh': _msh}[suffix](data)


def count_cells(data: bytes) -> int:
    """
    Count the cells of a field of heights, in a PNG or MuJoCo's own format.

    Raises
    ------
    MeshFileError
        The file is cut off, or its size is not that of its rows and columns.

    """
    if data.startswith(b'\x89PNG'):
        columns, rows = _PNG_SIZE.unpack_from(data, 16)
        return rows * columns  # type: ignore[no-any-return]
    if len(data) < _HEIGHTS_HEADER.size:
        raise MeshFileError('it is cut off')
    rows, columns = _HEIGHTS_HEADER.unpack_from(data)
    if min(rows, columns) < 1 or len(data) != _HEIGHTS_HEADER.size + 4 * rows * columns:
        raise MeshFileError(f'{len(data)} bytes are not those of {rows} x {columns} heights')
    return rows * columns  # type: ignore[no-any-return]


def _stl(data: bytes) -> int:
    if len(data) < _STL_HEADER + _STL_COUNT.size:
        raise MeshFileError('it is cut off')
    count: int = _STL_COUNT.unpack_from(data, _STL_HEADER)[0]
    expected = _STL_HEADER + _STL_COUNT.size + _STL_TRIANGLE * count
    if len(data) != expected and data.lstrip().startswith(b'solid'):
        raise MeshFileError('it is an STL file in text; MuJoCo reads binary ones')
    if len(data) < expected:
        raise MeshFileError(f'{len(data)} bytes are not those of {count} triangles')
    return count


def _obj(data: bytes) -> int:
    return sum(max(len(face[1].split()) - 2, 0) for face in _FACE.finditer(data))


def _msh(data: bytes) -> int:
    if len(data) < _MSH_HEADER.size:
        raise MeshFileError('it is cut off')
    numbers = _MSH_HEADER.unpack_from(data)
    size = sum(each * bytes_ for each, bytes_ in zip(numbers, _MSH_BYTES, strict=True))
    if min(numbers) < 0 or len(data) != _MSH_HEADER.size + size:
        raise MeshFileError(f'{len(data)} bytes are not those of its header')
    return int(numbers[3])

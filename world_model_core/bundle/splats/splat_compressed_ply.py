# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Reader of SuperSplat's compressed PLY files: 16 bytes per gaussian, common bounds for 256 each.

The layout is that of https://github.com/playcanvas/splat-transform. The element `chunk` contains
the minimum and maximum of position, log scale and, from later writers, color. `vertex` has four
words of 32 bits: position and scale with 11, 10 and 11 bits between these bounds; a quaternion as
the index of its largest component (2 bits) and the three others (10 bits each, in +-1/sqrt(2));
color and opacity with 8 bits each. `sh` has the other coefficients with 8 bits each, in +-4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from world_model_core.bundle.splats.ply_header import SplatError
from world_model_core.bundle.splats.quaternion_order import QuaternionOrder
from world_model_core.bundle.splats.splat_conventions import (
    SH_BAND_0,
    FloatArray,
    OpacityEncoding,
    ScaleEncoding,
    SplatConventions,
)
from world_model_core.bundle.splats.splat_source import SplatFormat, SplatSource, find_columns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from world_model_core.bundle.splats.ply_header import PlyElement
    from world_model_core.bundle.splats.ply_rows import PlyRows

CHUNK: Final = 256
# Gaussians of a block: a multiple of a chunk.
BLOCK: Final = 32 * CHUNK
PACKED: Final = ('packed_position', 'packed_rotation', 'packed_scale', 'packed_color')
NAMES: Final = (
    'x', 'y', 'z', 'scale_0', 'scale_1', 'scale_2', 'f_dc_0', 'f_dc_1', 'f_dc_2', 'opacity',
    'rot_0', 'rot_1', 'rot_2', 'rot_3',
)  # fmt: skip
BOUNDED: Final = ('x', 'y', 'z', 'scale_x', 'scale_y', 'scale_z', 'r', 'g', 'b')
SH_RANGE: Final = 8.0
# Quaternions are packed as w, x, y, z, and unpacked to x, y, z, w.
PARTS: Final = np.array([3, 0, 1, 2])
OTHERS: Final = np.array([[each for each in range(4) if each != most] for most in range(4)])
DECLARED: Final = SplatConventions(QuaternionOrder.XYZW, ScaleEncoding.LOG, OpacityEncoding.LINEAR)


def is_compressed(vertex: PlyElement) -> bool:
    """Return whether a file contains packed gaussians."""
    return PACKED[0] in vertex.columns


def open_compressed(rows: PlyRows, vertex: PlyElement) -> SplatSource:
    """
    Open packed gaussians.

    Raises
    ------
    SplatError
        Elements or properties are missing or inconsistent.

    """
    chunk, sh = (rows.header.element(name) for name in ('chunk', 'sh'))
    _check_vertex(vertex)
    bounds = _read_bounds(rows, chunk, vertex.count)
    if sh is not None and not sh.properties:
        sh = None
    names = NAMES if sh is None else (*NAMES, *_rest_names(sh, vertex.count))
    layout = find_columns(names, ('f_dc_0', 'f_dc_1', 'f_dc_2'))

    def blocks() -> Iterator[FloatArray]:
        columns = [vertex.columns[name] for name in PACKED]
        rest = None if sh is None else rows.blocks(sh, BLOCK)
        for number, block in enumerate(rows.blocks(vertex, BLOCK)):
            words = block[:, columns].astype(np.uint32)
            first = number * BLOCK // CHUNK
            unpacked = unpack(words, bounds[first : first + BLOCK // CHUNK])
            if rest is not None and sh is not None:
                rest_columns = [sh.columns[name] for name in names[len(NAMES) :]]
                unpacked = np.hstack([unpacked, unpack_rest(next(rest)[:, rest_columns])])
            yield np.ascontiguousarray(unpacked, np.float32)

    def locate(row: int, column: int) -> str:
        return f'row {row}, {names[column]}'

    return SplatSource(SplatFormat.COMPRESSED_PLY, vertex.count, layout, DECLARED, blocks, locate)


def unpack(words: NDArray[np.uint32], bounds: FloatArray) -> FloatArray:
    """
    Unpack gaussians.

    Parameters
    ----------
    words : array, shape (n, 4)
        Position, rotation, scale, color.
    bounds : array, shape (chunks, 2, 9)
        Minimum and maximum of position, log scale and color of each 256 gaussians.

    Returns
    -------
    array, shape (n, 14)
        In the order of NAMES: log scales, linear opacities, quaternions x, y, z, w.

    """
    shares = np.empty((len(words), 9), np.float32)
    shares[:, :3] = _parts(words[:, 0], (11, 10, 11))
    shares[:, 3:6] = _parts(words[:, 2], (11, 10, 11))
    colors = _parts(words[:, 3], (8, 8, 8, 8))
    shares[:, 6:] = colors[:, :3]
    low, high = np.repeat(bounds, CHUNK, axis=0)[: len(words)].swapaxes(0, 1)
    values = low * (1.0 - shares) + high * shares
    values[:, 6:] = (values[:, 6:] - 0.5) / SH_BAND_0
    return np.hstack([values, colors[:, 3:], unpack_rotations(words[:, 1])], dtype=np.float32)


def unpack_rotations(words: NDArray[np.uint32]) -> FloatArray:
    """Unpack quaternions, shape (n,), to x, y, z, w, shape (n, 4)."""
    most = words >> 30
    others = (_parts(words, (2, 10, 10, 10))[:, 1:] - 0.5) * np.sqrt(2.0)
    largest = np.sqrt(np.maximum(0.0, 1.0 - np.einsum('ij,ij->i', others, others)))
    rotations = np.empty((len(words), 4), np.float32)
    rows = np.arange(len(words))
    rotations[rows[:, None], PARTS[OTHERS[most]]] = others
    rotations[rows, PARTS[most]] = largest
    return rotations


def unpack_rest(words: NDArray[Any]) -> FloatArray:
    """Unpack coefficients of 8 bits to the middle of each step, except both ends."""
    shares = (words.astype(np.float32) + 0.5) / 256.0
    shares[words == 0] = 0.0
    shares[words == 255] = 1.0
    return (shares - np.float32(0.5)) * np.float32(SH_RANGE)


def _parts(words: NDArray[np.uint32], bits: tuple[int, ...]) -> NDArray[np.float64]:
    """Split words into parts of the given numbers of bits, the highest first, each in 0 to 1."""
    parts = np.empty((len(words), len(bits)))
    shift = 32
    for index, width in enumerate(bits):
        shift -= width
        largest = (1 << width) - 1
        parts[:, index] = (words >> np.uint32(shift) & np.uint32(largest)) / largest
    return parts


def _check_vertex(vertex: PlyElement) -> None:
    kinds = {each.name: each.kind for each in vertex.scalars}
    wrong = [name for name in PACKED if kinds.get(name) != 'u4']
    if wrong or vertex.has_lists:
        raise SplatError('Splats.CompressedLayout', found=f'vertex without uint {wrong[:1]}')


def _read_bounds(rows: PlyRows, chunk: PlyElement | None, count: int) -> FloatArray:
    """Read the bounds of all chunks, shape (chunks, 2, 9); those of colors may be absent."""
    needed = -(-count // CHUNK)
    if chunk is None or chunk.has_lists or chunk.count != needed:
        found = 'no chunks' if chunk is None else f'{chunk.count} chunks'
        raise SplatError('Splats.CompressedLayout', found=f'{found} for {count} gaussians')
    bounds = np.empty((needed, 2, len(BOUNDED)), np.float32)
    bounds[:, 0], bounds[:, 1] = 0.0, 1.0
    table = np.concatenate([block.astype(np.float32) for block in rows.blocks(chunk)])
    colored = all(f'{end}_{name}' in chunk.columns for end in ('min', 'max') for name in 'rgb')
    for index, name in enumerate(BOUNDED[: None if colored else 6]):
        for end, row in (('min', 0), ('max', 1)):
            column = chunk.columns.get(f'{end}_{name}')
            if column is None:
                raise SplatError('Splats.CompressedLayout', found=f'no {end}_{name}')
            bounds[:, row, index] = table[:, column]
    return bounds


def _rest_names(sh: PlyElement, count: int) -> list[str]:
    names = [each.name for each in sh.scalars if each.kind == 'u1' and 'f_rest_' in each.name]
    if sh.has_lists or sh.count != count or len(names) < len(sh.properties):
        found = f'{sh.count} rows of {len(names)} coefficients in sh for {count} gaussians'
        raise SplatError('Splats.CompressedLayout', found=found)
    return names

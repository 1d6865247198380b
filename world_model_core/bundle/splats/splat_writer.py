# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Writers of splats as PLY and NPZ files that declare their conventions.

Numbers are written as they are in memory, so that reading them again gives the same bits.
Quaternions are written as x, y, z, w, as the contract requires.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from world_model_core.bundle.splats.splat_conventions import declaration

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from world_model_core.bundle.splats.splats import Splats

BLOCK: Final = 8192


def write_ply(path: Path, splats: Splats) -> None:
    """
    Write splats as a binary little-endian PLY file of floats; an existing file is replaced.

    Raises
    ------
    OSError
        The file cannot be written.

    """
    with path.open('wb') as stream:
        stream.write(_header(splats))
        for start in range(0, splats.count, BLOCK):
            stream.write(_rows(splats, slice(start, start + BLOCK)).tobytes())


def write_npz(path: Path, splats: Splats) -> None:
    """
    Write splats as an NPZ archive with the keys of the contract; an existing file is replaced.

    Raises
    ------
    OSError
        The file cannot be written.

    """
    arrays: dict[str, Any] = {
        'positions': splats.positions,
        'scales': splats.scales,
        'rotations': splats.rotations,
        'opacities': splats.opacities,
        'sh_dc': splats.sh_dc,
        'sh_rest': splats.sh_rest,
        'conventions': np.array(_declaration(splats)),
    }
    with path.open('wb') as stream:
        np.savez(stream, **arrays)


def _declaration(splats: Splats) -> str:
    return declaration(splats.conventions.scales, splats.conventions.opacities)


def _names(splats: Splats) -> Iterator[str]:
    """Return the names of the properties in the usual order."""
    yield from 'xyz'
    yield from (f'f_dc_{at}' for at in range(3))
    yield from (f'f_rest_{at}' for at in range(3 * splats.sh_rest.shape[1]))
    yield 'opacity'
    yield from (f'scale_{at}' for at in range(3))
    yield from (f'rot_{at}' for at in range(4))


def _header(splats: Splats) -> bytes:
    lines = [
        'ply',
        'format binary_little_endian 1.0',
        f'comment {_declaration(splats)}',
        f'element vertex {splats.count}',
        *(f'property float {name}' for name in _names(splats)),
        'end_header',
    ]
    return '\n'.join((*lines, '')).encode()


def _rows(splats: Splats, rows: slice) -> NDArray[np.float32]:
    """Return rows of all columns; the coefficients of higher degrees channel by channel."""
    rest = splats.sh_rest[rows]
    columns = (
        splats.positions[rows],
        splats.sh_dc[rows],
        rest.swapaxes(1, 2).reshape(len(rest), 3 * rest.shape[1]),
        splats.opacities[rows],
        splats.scales[rows],
        splats.rotations[rows],
    )
    return np.hstack(columns, dtype='<f4')

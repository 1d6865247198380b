# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Formats of splat files, recognized by their first bytes; a new format is added here."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from world_model_core.bundle.splats.ply_header import SplatError
from world_model_core.bundle.splats.splat_npz import open_npz
from world_model_core.bundle.splats.splat_ply import open_ply
from world_model_core.bundle.splats.splat_source import SplatSource, check_degree

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from world_model_core.findings import Findings

LFS_POINTER: Final = b'version https://git-lfs'
# Other formats by their first bytes, for error messages.
OTHERS: Final = {
    b'glTF': 'a binary glTF',
    b'\x1f\x8b': 'compressed with gzip, perhaps an SPZ or a .ply.gz',
    b'\x93NUMPY': 'a single NumPy array (NPY)',
    b'<': 'HTML or XML, perhaps the page of a failed download',
    b'': 'empty',
}


@contextmanager
def open_source(
    path: Path, file: str, findings: Findings, sh_degree: int | None
) -> Iterator[SplatSource]:
    """
    Open a file of splats.

    Parameters
    ----------
    path : Path
    file : str
        Name of the file in findings.
    findings : Findings
    sh_degree : int or None
        Expected degree of spherical harmonics.

    Raises
    ------
    SplatError
        The file has no readable splats.
    OSError
        The file cannot be opened or read.

    """
    with path.open('rb', buffering=0) as stream:
        size = stream.seek(0, 2)
        stream.seek(0)
        start = stream.read(len(LFS_POINTER)) or b''
        stream.seek(0)
        if start[:3] == b'ply':
            source = open_ply(stream, size, file, findings)
        elif start[:2] == b'PK':
            source = open_npz(stream, size, file, findings)
        elif start == LFS_POINTER:
            raise SplatError('Splats.LfsPointer')
        else:
            kind = next((OTHERS[each] for each in OTHERS if each and start.startswith(each)), '')
            raise SplatError('Splats.Format', 'byte 0', found=kind or repr(start) or 'nothing')
        check_degree(source.layout, sh_degree, file, findings)
        yield source

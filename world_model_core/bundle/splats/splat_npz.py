# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Reader of splats in NPZ files: a ZIP archive with a NumPy array for each of six fields.

Arrays are read as streams, so that declared sizes allocate no memory; nothing is unpickled.
"""

from __future__ import annotations

import zipfile
import zlib
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from math import prod
from typing import IO, TYPE_CHECKING, Any, Final

import numpy as np
from numpy.lib import format as npy

from world_model_core.bundle.splats.ply_header import SplatError
from world_model_core.bundle.splats.quaternion_order import QuaternionOrder
from world_model_core.bundle.splats.splat_conventions import (
    FloatArray,
    SplatConventions,
    read_declaration,
)
from world_model_core.bundle.splats.splat_source import (
    REST_COUNTS,
    SplatFormat,
    SplatLayout,
    SplatSource,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from world_model_core.findings import Findings

# Shape of each array after the number of gaussians; None is any number of coefficients.
SHAPES: Final[dict[str, tuple[int | None, ...]]] = {
    'positions': (3,),
    'scales': (3,),
    'rotations': (4,),
    'opacities': (1,),
    'sh_dc': (3,),
    'sh_rest': (None, 3),
}
DECLARED: Final = 'conventions'
DECLARED_LIMIT: Final = 4096
BLOCK: Final = 8192
# Maximum ratio of compression: zeros shrink a thousandfold, splats hardly.
GROWTH_LIMIT: Final = 100
FREE_SIZE: Final = 1 << 26
HEADER_LIMIT: Final = 10_000
MEMBER_LIMIT: Final = 1000


@dataclass(frozen=True, slots=True)
class _ArrayHeader:
    """An array of the archive: name, type, shape, and whether it is in Fortran order."""

    name: str
    kind: np.dtype[Any]
    shape: tuple[int, ...]
    fortran_order: bool

    @property
    def width(self) -> int:
        """Number of values in a row."""
        return prod(self.shape[1:])


def open_npz(stream: BinaryIO, size: int, file: str, findings: Findings) -> SplatSource:
    """
    Open the splats of an archive of `size` bytes, and read the headers of its arrays.

    Raises
    ------
    SplatError
        The archive contains no readable splats.

    """
    with _converted_errors(''):
        archive = zipfile.ZipFile(stream)
    names = _check_archive(archive, size)
    missing = [name for name in SHAPES if name not in names and name != 'sh_rest']
    if missing:
        raise SplatError('Splats.MissingProperty', found=', '.join(missing))
    members = [_open_member(archive, name) for name in SHAPES if name in names]
    count = members[0].shape[0] if members[0].shape else 0
    for each in members:
        _check_shape(each, count)
    if not count:
        raise SplatError('Splats.Empty')
    _report_types(members, file, findings)
    extra = sorted(names - set(SHAPES) - {DECLARED})
    if extra:
        findings.add('Splats.ExtraProperties', file, found=', '.join(extra))
    stated = [_read_text(archive)] if DECLARED in names else []
    # The contract fixes the order for archives, unless one declares another.
    declared = read_declaration(stated, findings, file).over(
        SplatConventions(QuaternionOrder.XYZW)
    )
    layout, locate = _layout(members), _locator(members)
    return SplatSource(
        SplatFormat.NPZ, count, layout, declared, lambda: _blocks(archive, members), locate
    )


def _check_archive(archive: zipfile.ZipFile, size: int) -> set[str]:
    """Return the names of the arrays; raise an error if the archive is too large."""
    entries = archive.infolist()
    if len(entries) > MEMBER_LIMIT:
        raise SplatError('Splats.Npz', found=f'{len(entries)} members')
    grown = sum(entry.file_size for entry in entries)
    limit = max(FREE_SIZE, GROWTH_LIMIT * size)
    if grown > limit:
        raise SplatError('Splats.NpzTooLarge', found=grown, limit=limit)
    names = [entry.filename.removesuffix('.npy') for entry in entries]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise SplatError('Splats.Npz', f'/{twice[0]}', found=f'two arrays "{twice[0]}"')
    return set(names)


@contextmanager
def _converted_errors(name: str) -> Iterator[None]:
    """Convert the errors of zipfile and of NumPy to SplatError."""
    try:
        yield
    except (
        zipfile.BadZipFile,  # also a wrong checksum
        zlib.error,
        EOFError,
        NotImplementedError,  # an unsupported compression
        RuntimeError,  # a password is needed
        ValueError,
        SyntaxError,
        TypeError,
        MemoryError,
        RecursionError,
        OverflowError,
        OSError,  # also an offset out of the file
    ) as error:
        raise SplatError('Splats.Npz', f'/{name}' if name else '', found=error) from None


def _read_header(stream: IO[bytes], name: str) -> _ArrayHeader:
    """Read the header of an array."""
    version = npy.read_magic(stream)
    readers = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
    if version not in readers:
        raise SplatError('Splats.Npz', f'/{name}', found=f'header version {version}')
    header = readers[version](stream, max_header_size=HEADER_LIMIT)
    shape, fortran_order, kind = header
    if min(shape, default=0) < 0:
        raise SplatError('Splats.Npz', f'/{name}', found=f'shape {shape}')
    return _ArrayHeader(name, kind, shape, fortran_order and len(shape) > 1)


def _open_member(archive: zipfile.ZipFile, name: str) -> _ArrayHeader:
    """Read the header of an array, and compare it with the size of its data."""
    with _converted_errors(name), archive.open(f'{name}.npy') as stream:
        member = _read_header(stream, name)
        if member.kind.kind not in 'fiu':
            raise SplatError('Splats.Npz', f'/{name}', found=f'type {member.kind}')
        needed = prod(member.shape) * member.kind.itemsize
        entry = archive.getinfo(f'{name}.npy')
        if needed > entry.file_size:
            raise SplatError(
                'Splats.Truncated',
                f'/{name}',
                element=name,
                rows=member.shape[0] if member.shape else 0,
                needed=needed,
                found=entry.file_size,
            )
    return member


def _check_shape(member: _ArrayHeader, count: int) -> None:
    """Compare the shape of an array with the contract."""
    wanted = SHAPES[member.name]
    fits = (
        len(member.shape) == len(wanted) + 1
        and member.shape[0] == count
        and all(w in (None, found) for w, found in zip(wanted, member.shape[1:], strict=True))
    )
    if not fits:
        shape = ', '.join('k' if each is None else str(each) for each in wanted)
        raise SplatError(
            'Splats.NpzShape',
            f'/{member.name}',
            name=member.name,
            found=member.shape,
            shape=f'({count}, {shape})',
        )
    if member.name == 'sh_rest' and member.shape[1] not in REST_COUNTS:
        raise SplatError('Splats.ShCount', '/sh_rest', found=3 * member.shape[1])


def _report_types(members: list[_ArrayHeader], file: str, findings: Findings) -> None:
    odd = [f'{each.kind} {each.name}' for each in members if each.kind != np.float32]
    if odd:
        findings.add('Splats.PropertyType', file, found=', '.join(odd))


def _read_text(archive: zipfile.ZipFile) -> str:
    """Read the declaration of an archive: an array with one text."""
    with _converted_errors(DECLARED), archive.open(f'{DECLARED}.npy') as stream:
        member = _read_header(stream, DECLARED)
        if member.kind.kind != 'U' or member.shape or member.kind.itemsize > DECLARED_LIMIT:
            return ''
        return str(np.frombuffer(stream.read(member.kind.itemsize), member.kind)[0])


def _layout(members: list[_ArrayHeader]) -> SplatLayout:
    """Return the columns of the arrays side by side."""
    arrays, names, start = {}, [], 0
    for each in members:
        arrays[each.name] = np.arange(start, start + each.width)
        names += [each.name] * each.width
        start += each.width
    arrays.setdefault('sh_rest', np.arange(0))
    return SplatLayout(**arrays, names=tuple(names))


def _locator(members: list[_ArrayHeader]) -> Any:
    firsts: list[tuple[str, int]] = []
    for each in members:
        firsts += [(each.name, column) for column in range(each.width)]
    return lambda row, column: f'/{firsts[column][0]}/{row}/{firsts[column][1]}'


def _blocks(archive: zipfile.ZipFile, members: list[_ArrayHeader]) -> Iterator[FloatArray]:
    """Read blocks of rows of all arrays."""
    with ExitStack() as stack:
        parts = [_member_blocks(stack, archive, each) for each in members]
        for blocks in zip(*parts, strict=True):
            yield np.ascontiguousarray(np.hstack(blocks))


def _member_blocks(
    stack: ExitStack, archive: zipfile.ZipFile, member: _ArrayHeader
) -> Iterator[FloatArray]:
    with _converted_errors(member.name):
        stream = stack.enter_context(archive.open(f'{member.name}.npy'))
        _read_header(stream, member.name)
        count, width = member.shape[0], member.width
        if member.fortran_order:
            # A row is spread over the whole array, which must therefore be in memory.
            data = _read(stream, count * width * member.kind.itemsize)
            reordered = np.frombuffer(data, member.kind).reshape(member.shape, order='F')
            whole = reordered.reshape(count, width)
            for start in range(0, count, BLOCK):
                yield _floats(whole[start : start + BLOCK])
            return
        for start in range(0, count, BLOCK):
            rows = min(BLOCK, count - start)
            data = _read(stream, rows * width * member.kind.itemsize)
            yield _floats(np.frombuffer(data, member.kind).reshape(rows, width))


def _read(stream: IO[bytes], size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise EOFError('the array is truncated')
    return data


def _floats(values: Any) -> FloatArray:
    return np.asarray(values, np.float32)

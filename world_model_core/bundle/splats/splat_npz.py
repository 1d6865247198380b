# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Splats in NPZ files: a ZIP archive with an array of NumPy for each of the six fields.

Archives are read by streams, so that what one says of its own size allocates nothing; nothing is
unpickled.
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

# Of a row: what must follow the number of gaussians; None is any number of coefficients.
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
# Zeros shrink a thousandfold, splats hardly: an archive that grows so much is not one of splats.
GROWTH_LIMIT: Final = 100
FREE_SIZE: Final = 1 << 26
HEADER_LIMIT: Final = 10_000
MEMBER_LIMIT: Final = 1000


@dataclass(frozen=True, slots=True)
class _Member:
    """An array of the archive: where it is, its type, and whether its columns come first."""

    name: str
    kind: np.dtype[Any]
    shape: tuple[int, ...]
    columns_first: bool

    @property
    def width(self) -> int:
        """Numbers in a row."""
        return prod(self.shape[1:])


def open_npz(stream: BinaryIO, size: int, file: str, findings: Findings) -> SplatSource:
    """
    Read what arrays an archive of `size` bytes has, and make ready to read its splats.

    Raises
    ------
    SplatError
        It holds no splats that can be read.

    """
    with _our_faults(''):
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
    _note_kinds(members, file, findings)
    extra = sorted(names - set(SHAPES) - {DECLARED})
    if extra:
        findings.add('Splats.ExtraProperties', file, found=', '.join(extra))
    # The contract fixes the order for archives, whatever else is declared.
    declared = SplatConventions(QuaternionOrder.XYZW)
    if DECLARED in names:
        declared = declared.over(read_declaration([_read_text(archive)]))
    layout, place = _layout(members), _places(members)
    return SplatSource(
        SplatFormat.NPZ, count, layout, declared, lambda: _blocks(archive, members), place
    )


def _check_archive(archive: zipfile.ZipFile, size: int) -> set[str]:
    """Name the arrays of an archive, if it does not claim to grow beyond all measure."""
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
def _our_faults(name: str) -> Iterator[None]:
    """Put the troubles of archives and of NumPy's headers in our own words."""
    try:
        yield
    except (
        zipfile.BadZipFile,  # also a wrong checksum
        zlib.error,
        EOFError,
        NotImplementedError,  # a compression that this Python does not know
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


def _read_header(stream: IO[bytes], name: str) -> _Member:
    """Read the header of an array."""
    version = npy.read_magic(stream)
    readers = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
    if version not in readers:
        raise SplatError('Splats.Npz', f'/{name}', found=f'version {version} of its header')
    header = readers[version](stream, max_header_size=HEADER_LIMIT)
    shape, columns_first, kind = header
    if min(shape, default=0) < 0:
        raise SplatError('Splats.Npz', f'/{name}', found=f'shape {shape}')
    return _Member(name, kind, shape, columns_first and len(shape) > 1)


def _open_member(archive: zipfile.ZipFile, name: str) -> _Member:
    """Read the header of an array, and compare it with the size of what follows."""
    with _our_faults(name), archive.open(f'{name}.npy') as stream:
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


def _check_shape(member: _Member, count: int) -> None:
    """Compare a shape with that of the contract."""
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


def _note_kinds(members: list[_Member], file: str, findings: Findings) -> None:
    odd = [f'{each.kind} {each.name}' for each in members if each.kind != np.float32]
    if odd:
        findings.add('Splats.PropertyType', file, found=', '.join(odd))


def _read_text(archive: zipfile.ZipFile) -> str:
    """Read what an archive declares: an array of one text."""
    with _our_faults(DECLARED), archive.open(f'{DECLARED}.npy') as stream:
        member = _read_header(stream, DECLARED)
        if member.kind.kind != 'U' or member.shape or member.kind.itemsize > DECLARED_LIMIT:
            return ''
        return str(np.frombuffer(stream.read(member.kind.itemsize), member.kind)[0])


def _layout(members: list[_Member]) -> SplatLayout:
    """Lay the arrays out side by side."""
    arrays, names, place = {}, [], 0
    for each in members:
        arrays[each.name] = np.arange(place, place + each.width)
        names += [each.name] * each.width
        place += each.width
    arrays.setdefault('sh_rest', np.arange(0))
    return SplatLayout(**arrays, names=tuple(names))


def _places(members: list[_Member]) -> Any:
    firsts: list[tuple[str, int]] = []
    for each in members:
        firsts += [(each.name, column) for column in range(each.width)]
    return lambda row, column: f'/{firsts[column][0]}/{row}/{firsts[column][1]}'


def _blocks(archive: zipfile.ZipFile, members: list[_Member]) -> Iterator[FloatArray]:
    """Read all arrays abreast."""
    with ExitStack() as stack:
        parts = [_member_blocks(stack, archive, each) for each in members]
        for blocks in zip(*parts, strict=True):
            yield np.ascontiguousarray(np.hstack(blocks))


def _member_blocks(
    stack: ExitStack, archive: zipfile.ZipFile, member: _Member
) -> Iterator[FloatArray]:
    with _our_faults(member.name):
        stream = stack.enter_context(archive.open(f'{member.name}.npy'))
        _read_header(stream, member.name)
        count, width = member.shape[0], member.width
        if member.columns_first:
            # Its columns are at both ends of it: it has to be in memory as a whole.
            data = _take(stream, count * width * member.kind.itemsize)
            turned = np.frombuffer(data, member.kind).reshape(member.shape, order='F')
            whole = turned.reshape(count, width)
            for start in range(0, count, BLOCK):
                yield _floats(whole[start : start + BLOCK])
            return
        for start in range(0, count, BLOCK):
            rows = min(BLOCK, count - start)
            data = _take(stream, rows * width * member.kind.itemsize)
            yield _floats(np.frombuffer(data, member.kind).reshape(rows, width))


def _take(stream: IO[bytes], size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise EOFError('the array ends too early')
    return data


def _floats(values: Any) -> FloatArray:
    return np.asarray(values, np.float32)

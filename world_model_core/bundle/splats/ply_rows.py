# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Rows of PLY files in blocks of bounded size, so that memory does not grow with the file.

Rows are read and not memory-mapped: mapped pages would count as memory of the process, and a file
that is truncated in the meantime would terminate it.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from world_model_core.bundle.splats.ply_header import PlyElement, PlyHeader, RowBlock, SplatError
from world_model_core.bundle.splats.ply_lists import ListedRows, fields, packed
from world_model_core.bundle.splats.ply_text import least_size, text_blocks

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from numpy.typing import DTypeLike

    from world_model_core.findings import Findings

# Large enough to hide the overhead of a block, and small enough for caches: each block is used
# several times.
BLOCK_SIZE: Final = 1 << 21
NATIVE: Final = '<' if sys.byteorder == 'little' else '>'


class PlyRows:
    """
    The rows of a PLY file.

    Parameters
    ----------
    stream : BinaryIO
        Unbuffered.
    header : PlyHeader
    size : int
        Size of the file [bytes].
    file : str
        Name of the file in findings.
    findings : Findings
        Receives a finding if data follow the last row.

    """

    def __init__(
        self, stream: BinaryIO, header: PlyHeader, size: int, file: str, findings: Findings
    ) -> None:
        self.header = header
        self._file = file
        self._findings = findings
        self._stream = stream
        self._size = size

    def check_size(self) -> None:
        """
        Compare the size of the file with the size that its header requires.

        Raises
        ------
        SplatError
            The file is shorter than the minimum size of its rows.

        """
        needed = self.header.size
        text = self.header.order is None
        for element in self.header.elements:
            needed += element.count * (least_size(element) if text else element.least_size)
            # The last number of a text may end at the end of the file.
            if needed - text > self._size:
                raise SplatError(
                    'Splats.Truncated',
                    f'byte {self._size}',
                    element=element.name,
                    rows=element.count,
                    needed=needed,
                    found=self._size,
                )
        fixed = self.header.order and not any(each.has_lists for each in self.header.elements)
        if fixed and needed < self._size:
            found = f'{self._size - needed} bytes'
            self._findings.add('Splats.TrailingBytes', self._file, f'byte {needed}', found=found)

    def blocks(
        self, element: PlyElement, rows: int | None = None, kind: DTypeLike = np.float64
    ) -> Iterator[RowBlock]:
        """
        Read the rows of an element, after check_size().

        Parameters
        ----------
        element : PlyElement
        rows : int, optional
            Rows of each block but the last, for elements without lists; default: by size.
        kind : dtype
            Type of the blocks if the properties have different types.

        Raises
        ------
        SplatError
            A row is not valid, or the file ends before it.

        """
        if self.header.order is None:
            return self._text_blocks(element, rows)
        return self._binary_blocks(element, rows, kind)

    def _text_blocks(self, element: PlyElement, rows: int | None) -> Iterator[RowBlock]:
        more = yield from text_blocks(self._stream, self.header, element, rows)
        if more and element.name == 'vertex':
            where, found = more
            self._findings.add('Splats.TrailingBytes', self._file, where, found=found)

    def offset(self, element: PlyElement) -> int:
        """
        Return the offset of the rows of an element in a binary file [bytes].

        Raises
        ------
        SplatError
            A list before it exceeds the file.

        """
        offset = self.header.size
        for each in self.header.elements:
            if each is element:
                break
            if each.has_lists:
                offset = self._listed(each).end(offset)
            else:
                offset += each.count * each.least_size
        return offset

    def _binary_blocks(
        self, element: PlyElement, wanted: int | None, kind: DTypeLike
    ) -> Iterator[RowBlock]:
        offset = self.offset(element)
        if element.has_lists:
            yield from self._listed(element).blocks(offset, kind)
            return
        most = wanted or max(1, BLOCK_SIZE // element.least_size)
        kinds = {each.kind for each in element.properties}
        if len(kinds) == 1:
            yield from self._even_blocks(element, offset, np.dtype(kinds.pop()), most)
            return
        layout = packed(element.properties, self.header.order or '=')
        for start in range(0, element.count, most):
            rows = self._read(layout, offset, min(most, element.count - start))
            offset += rows.nbytes
            yield fields(rows, kind)

    def _even_blocks(
        self, element: PlyElement, offset: int, kind: np.dtype[Any], most: int
    ) -> Iterator[RowBlock]:
        """Read rows of numbers of one type as a matrix; each block overwrites the previous one."""
        block = np.empty((min(most, element.count), len(element.properties)), kind)
        swapped = kind.itemsize > 1 and self.header.order != NATIVE
        for start in range(0, element.count, most):
            rows = block[: min(most, element.count - start)]
            self._fill(rows, offset)
            offset += rows.nbytes
            if swapped:
                rows.byteswap(inplace=True)
            yield rows

    def _listed(self, element: PlyElement) -> ListedRows:
        return ListedRows(element, self.header.order or '=', self._fill, self._size)

    def _read(self, kind: np.dtype[Any], offset: int, count: int) -> RowBlock:
        rows = np.empty(count, kind)
        self._fill(rows.view(np.uint8), offset)
        return rows

    def _fill(self, rows: RowBlock, offset: int) -> None:
        """Fill an array with the bytes at an offset."""
        buffer = memoryview(rows).cast('B')  # type: ignore[arg-type]
        self._stream.seek(offset)
        filled = 0
        while filled < len(buffer):
            read = self._stream.readinto(buffer[filled:])  # type: ignore[attr-defined]
            if not read:
                end = offset + filled
                raise SplatError('Splats.CutOff', f'byte {end}', found=f'{end} bytes')
            filled += read

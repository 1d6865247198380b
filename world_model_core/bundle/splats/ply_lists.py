# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Rows of binary PLY files with list properties, whose rows differ in length."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from world_model_core.bundle.splats.ply_header import PlyElement, PlyProperty, RowBlock, SplatError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import DTypeLike, NDArray

BLOCK_SIZE: Final = 1 << 20
LONGEST_ROW: Final = 1 << 24
ROWS: Final = 1 << 16
# Maximum number of lists of a file; visiting this number takes half a minute.
LISTS: Final = 20_000_000


class _List(NamedTuple):
    """A list property: size of the scalars before it, format of its length, size of an item."""

    before: int
    length: struct.Struct
    item: int
    name: str


class ListedRows:
    """
    Rows of an element with lists.

    Parameters
    ----------
    element : PlyElement
    order : str
        Byte order, '<' or '>'.
    read : callable
        Fills an array with the bytes at an offset in the file.
    size : int
        Size of the file [bytes].

    """

    def __init__(
        self, element: PlyElement, order: str, read: Callable[[RowBlock, int], None], size: int
    ) -> None:
        self._element = element
        self._read = read
        self._size = size
        self._lists: list[_List] = []
        # The scalars before each list, and after the last one.
        self._gaps: list[np.dtype[Any]] = []
        singles: list[PlyProperty] = []
        for each in element.properties:
            if each.length_kind is None:
                singles.append(each)
                continue
            self._gaps.append(packed(singles, order))
            length = struct.Struct(order + np.dtype(each.length_kind).char)
            item = np.dtype(each.kind).itemsize
            self._lists.append(_List(self._gaps[-1].itemsize, length, item, each.name))
            singles = []
        self._gaps.append(packed(singles, order))

    def end(self, offset: int) -> int:
        """
        Return the end of the rows that begin at `offset` [bytes].

        Raises
        ------
        SplatError
            A list exceeds the file, or there are too many lists.

        """
        return max((end for *_, end in self._walk(offset)), default=offset)

    def blocks(self, offset: int, kind: DTypeLike) -> Iterator[RowBlock]:
        """
        Read the scalars of the rows that begin at `offset`.

        Raises
        ------
        SplatError
            See `end`.

        """
        for data, starts, _ in self._walk(offset):
            parts = (
                # A view with an item at every byte; the starts select items.
                np.ndarray(len(data) - gap.itemsize + 1, f'V{gap.itemsize}', data, 0, (1,))[at]
                for gap, at in zip(self._gaps, starts.T, strict=True)
                if gap.itemsize
            )
            gaps = (gap for gap in self._gaps if gap.itemsize)
            columns = [fields(part.view(gap), kind) for part, gap in zip(parts, gaps, strict=True)]
            yield np.hstack(columns)

    def _walk(self, offset: int) -> Iterator[tuple[RowBlock, NDArray[np.intp], int]]:
        """
        Locate the rows from `offset` on.

        Yields
        ------
        data : array of bytes
        starts : array, shape (rows, lists + 1)
            Offsets in the data of the scalars before each list, and after the last one.
        end : int
            End of these rows [bytes].

        """
        if self._element.count * len(self._lists) > LISTS:
            raise SplatError('Splats.TooManyLists', f'byte {offset}', limit=LISTS)
        done, block = 0, BLOCK_SIZE
        most = min(ROWS, max(1, BLOCK_SIZE // self._element.least_size))
        while done < self._element.count:
            data = np.empty(min(block, self._size - offset), np.uint8)
            self._read(data, offset)
            wanted = min(most, self._element.count - done)
            starts, end = self._rows(data.tobytes(), self._size - offset, wanted)
            if starts:
                yield data, np.array(starts, np.intp), offset + end
            elif len(data) < block:
                raise SplatError('Splats.CutOff', f'byte {self._size}', found=f'row {done}')
            else:
                block *= 8
            done += len(starts)
            offset += end

    def _rows(self, data: bytes, left: int, most: int) -> tuple[list[list[int]], int]:
        """Locate the complete rows in the data; `left` bytes of the file remain from its start."""
        starts: list[list[int]] = []
        end, size = 0, len(data)
        tail = self._gaps[-1].itemsize
        while len(starts) < most:
            place, row = end, [end]
            for before, length, item, name in self._lists:
                place += before
                if place + length.size > size:
                    return starts, end
                (count,) = length.unpack_from(data, place)
                place += length.size + count * item
                if count < 0 or place > min(left, end + LONGEST_ROW):
                    raise SplatError('Splats.ListLength', name=name, found=count)
                row.append(place)
            if place + tail > size:
                return starts, end
            starts.append(row)
            end = place + tail
        return starts, end


def packed(properties: Sequence[PlyProperty], order: str) -> np.dtype[Any]:
    """Return the layout of consecutive scalars: adjacent ones of the same type are one field."""
    runs: list[tuple[str, int]] = []
    for each in properties:
        if runs and runs[-1][0] == each.kind:
            runs[-1] = (each.kind, runs[-1][1] + 1)
        else:
            runs.append((each.kind, 1))
    return np.dtype([(f'{at}', order + kind, (count,)) for at, (kind, count) in enumerate(runs)])


def fields(rows: NDArray[Any], kind: DTypeLike) -> RowBlock:
    """Convert structured rows to a matrix."""
    names = rows.dtype.names or ()
    matrix = np.empty((len(rows), sum(rows.dtype[name].shape[0] for name in names)), kind)
    start = 0
    for name in names:
        part = rows[name]
        matrix[:, start : start + part.shape[1]] = part
        start += part.shape[1]
    return matrix

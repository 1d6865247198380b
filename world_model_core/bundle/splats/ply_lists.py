# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Rows of binary PLY files that have lists, so that each may be of another length."""

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
# Lists of a file that are walked through, one by one: half a minute.
LISTS: Final = 20_000_000


class _List(NamedTuple):
    """A list: bytes of single values before it, how its length is read, bytes of each item."""

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
        Of bytes, '<' or '>'.
    read : callable
        Reads as many bytes as an array has from a place in the file.
    size : int
        Of the file [bytes].

    """

    def __init__(
        self, element: PlyElement, order: str, read: Callable[[RowBlock, int], None], size: int
    ) -> None:
        self._element = element
        self._read = read
        self._size = size
        self._lists: list[_List] = []
        # The single values before each list, and after the last.
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

    def end(self, place: int) -> int:
        """
        Find where the rows that begin at `place` end [bytes].

        Raises
        ------
        SplatError
            A list leads out of the file, or there are too many.

        """
        return max((end for *_, end in self._walk(place)), default=place)

    def blocks(self, place: int, kind: DTypeLike) -> Iterator[RowBlock]:
        """
        Read the single values of the rows that begin at `place`.

        Raises
        ------
        SplatError
            As by `end`.

        """
        for data, starts, _ in self._walk(place):
            parts = (
                # Every byte may begin an item: those that do are chosen.
                np.ndarray(len(data) - gap.itemsize + 1, f'V{gap.itemsize}', data, 0, (1,))[at]
                for gap, at in zip(self._gaps, starts.T, strict=True)
                if gap.itemsize
            )
            gaps = (gap for gap in self._gaps if gap.itemsize)
            columns = [fields(part.view(gap), kind) for part, gap in zip(parts, gaps, strict=True)]
            yield np.hstack(columns)

    def _walk(self, place: int) -> Iterator[tuple[RowBlock, NDArray[np.intp], int]]:
        """
        Find the rows from `place` on.

        Yields
        ------
        data : array of bytes
        starts : array, shape (rows, lists + 1)
            Where in the data the single values before each list begin, and those after the last.
        place : int
            Behind these rows [bytes].

        """
        if self._element.count * len(self._lists) > LISTS:
            raise SplatError('Splats.TooManyLists', f'byte {place}', limit=LISTS)
        done, block = 0, BLOCK_SIZE
        most = min(ROWS, max(1, BLOCK_SIZE // self._element.least_size))
        while done < self._element.count:
            data = np.empty(min(block, self._size - place), np.uint8)
            self._read(data, place)
            wanted = min(most, self._element.count - done)
            starts, end = self._rows(data.tobytes(), self._size - place, wanted)
            if starts:
                yield data, np.array(starts, np.intp), place + end
            elif len(data) < block:
                raise SplatError('Splats.CutOff', f'byte {self._size}', found=f'row {done}')
            else:
                block *= 8
            done += len(starts)
            place += end

    def _rows(self, data: bytes, left: int, most: int) -> tuple[list[list[int]], int]:
        """Find the rows that are whole within the data; `left` bytes of the file begin with it."""
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
    """Lay out single values that follow each other: neighbours of one type are one field."""
    runs: list[tuple[str, int]] = []
    for each in properties:
        if runs and runs[-1][0] == each.kind:
            runs[-1] = (each.kind, runs[-1][1] + 1)
        else:
            runs.append((each.kind, 1))
    return np.dtype([(f'{at}', order + kind, (count,)) for at, (kind, count) in enumerate(runs)])


def fields(rows: NDArray[Any], kind: DTypeLike) -> RowBlock:
    """Make a matrix of rows of fields."""
    names = rows.dtype.names or ()
    matrix = np.empty((len(rows), sum(rows.dtype[name].shape[0] for name in names)), kind)
    start = 0
    for name in names:
        part = rows[name]
        matrix[:, start : start + part.shape[1]] = part
        start += part.shape[1]
    return matrix

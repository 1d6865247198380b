# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Rows of PLY files that are text: a line each, a number for each property."""

from __future__ import annotations

import io
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from world_model_core.bundle.splats.ply_header import PlyElement, PlyHeader, RowBlock, SplatError

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from typing import BinaryIO

# Numbers that are read together; each takes far more memory than in the end.
BLOCK: Final = 1 << 17
# Lines with lists that are read together.
LISTED_BLOCK: Final = 64
# A number and what keeps it from the next.
LEAST_SIZE: Final = 2
# Bytes of a line: for each number, and where there are lists.
LONGEST_NUMBER: Final = 256
LONGEST_LINE: Final = 1 << 20


def least_size(element: PlyElement) -> int:
    """Bytes of a row at least."""
    return LEAST_SIZE * len(element.properties)


def text_blocks(
    stream: BinaryIO, header: PlyHeader, element: PlyElement, rows: int | None
) -> Generator[RowBlock, None, tuple[str, str] | None]:
    """
    Read the rows of an element.

    Parameters
    ----------
    stream : BinaryIO
    header : PlyHeader
    element : PlyElement
    rows : int or None
        In each block but the last; as many as suit where it is None.

    Returns
    -------
    tuple or None
        Where there is more than the header counts, and what.

    Raises
    ------
    SplatError
        A line cannot be read, or there are too few.

    """
    lines = _lines(stream, header)
    place = header.elements.index(element)
    _pass_over(lines, header.elements[:place])
    take = _take_listed if element.has_lists else _take_plain
    width = max(1, len(element.properties))
    most = LISTED_BLOCK if element.has_lists else rows or max(1, BLOCK // width)
    longest = LONGEST_LINE if element.has_lists else width * LONGEST_NUMBER
    for start in range(0, element.count, most):
        wanted = min(most, element.count - start)
        chosen = list(islice(_short(lines, longest), wanted))
        if len(chosen) < wanted:
            raise SplatError('Splats.CutOff', found=f'row {start + len(chosen)}')
        yield take(element, chosen)
    _pass_over(lines, header.elements[place + 1 :])
    number, line = next(lines, (0, b''))
    return (f'line {number}', repr(line[:20].decode('latin-1'))) if line else None


def _lines(stream: BinaryIO, header: PlyHeader) -> Iterator[tuple[int, bytes]]:
    """Read the lines that hold anything, each with its number in the file."""
    buffered = io.BufferedReader(_From(stream, header.size))
    number = header.lines
    while line := buffered.readline(LONGEST_LINE):
        number += 1
        if not line.isspace():
            yield number, line


def _short(lines: Iterator[tuple[int, bytes]], longest: int) -> Iterator[tuple[int, bytes]]:
    """Let no line pass that would fill the memory."""
    for number, line in lines:
        if len(line) >= longest:
            found = f'more than {longest} bytes'
            raise SplatError('Splats.BadRow', f'line {number}', found=found)
        yield number, line


class _From(io.RawIOBase):
    """A part of a file to its end; where others read meanwhile, and who closes it, is the same."""

    def __init__(self, stream: BinaryIO, place: int) -> None:
        self._stream = stream
        self._place = place

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read on."""
        self._stream.seek(self._place)
        read: int = self._stream.readinto(buffer)  # type: ignore[attr-defined]
        self._place += read
        return read


def _pass_over(lines: Iterator[Any], elements: tuple[PlyElement, ...]) -> None:
    """Leave the lines of some elements out."""
    for _ in islice(lines, sum(each.count for each in elements if each.properties)):
        pass


def _take_plain(element: PlyElement, lines: list[tuple[int, bytes]]) -> RowBlock:
    """Read lines that hold as many numbers as there are properties."""
    width = len(element.properties)
    words = [line.split() for _, line in lines]
    wrong = next((place for place, each in enumerate(words) if len(each) != width), None)
    if wrong is not None:
        found = f'{len(words[wrong])} values instead of {width}'
        raise SplatError('Splats.BadRow', f'line {lines[wrong][0]}', found=found)
    try:
        numbers = np.fromiter(map(float, chain.from_iterable(words)), float, len(lines) * width)
    except ValueError as error:
        raise _bad_number(lines, words, error) from None
    return numbers.reshape(-1, width)


def _bad_number(
    lines: list[tuple[int, bytes]], words: list[list[bytes]], error: ValueError
) -> SplatError:
    """Find the line that holds something other than numbers."""
    for (number, _), each in zip(lines, words, strict=True):
        try:
            list(map(float, each))
        except ValueError as cause:
            return SplatError('Splats.BadRow', f'line {number}', found=cause)
    return SplatError('Splats.BadRow', f'line {lines[0][0]}', found=error)


def _take_listed(element: PlyElement, lines: list[tuple[int, bytes]]) -> RowBlock:
    """Read lines with lists, and leave the lists out."""
    return np.array([_unlisted(element, *line) for line in lines], float)


def _unlisted(element: PlyElement, number: int, line: bytes) -> list[float]:
    words = line.split()
    place, values = 0, []
    try:
        for each in element.properties:
            if each.length_kind is None:
                values.append(float(words[place]))
                place += 1
            else:
                place += 1 + max(0, int(words[place]))
    except IndexError:
        found = f'only {len(words)} values'
        raise SplatError('Splats.BadRow', f'line {number}', found=found) from None
    except ValueError as error:
        raise SplatError('Splats.BadRow', f'line {number}', found=error) from None
    if place != len(words):
        found = f'{len(words)} values instead of {place}'
        raise SplatError('Splats.BadRow', f'line {number}', found=found)
    return values

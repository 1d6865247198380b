# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Rows of ASCII PLY files: one line for each row, one number for each property."""

from __future__ import annotations

import io
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from world_model_core.bundle.splats.ply_header import PlyElement, PlyHeader, RowBlock, SplatError

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from typing import BinaryIO

# Numbers of a block; while parsed, each takes far more memory than its value.
BLOCK: Final = 1 << 17
# Lines of a block with lists.
LISTED_BLOCK: Final = 64
# A digit and a separator [bytes].
LEAST_SIZE: Final = 2
# Maximum size of a number, and of a line with lists [bytes].
LONGEST_NUMBER: Final = 256
LONGEST_LINE: Final = 1 << 20


def least_size(element: PlyElement) -> int:
    """Return the minimum size of a row [bytes]."""
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
        Rows of each block but the last; None: by size.

    Returns
    -------
    tuple or None
        Line and content that follow the last row, if any.

    Raises
    ------
    SplatError
        A line is not valid, or there are too few lines.

    """
    lines = _lines(stream, header)
    index = header.elements.index(element)
    _skip(lines, header.elements[:index])
    parse = _parse_with_lists if element.has_lists else _parse_plain
    width = max(1, len(element.properties))
    most = LISTED_BLOCK if element.has_lists else rows or max(1, BLOCK // width)
    longest = LONGEST_LINE if element.has_lists else width * LONGEST_NUMBER
    for start in range(0, element.count, most):
        wanted = min(most, element.count - start)
        chosen = list(islice(_checked(lines, longest), wanted))
        if len(chosen) < wanted:
            raise SplatError('Splats.CutOff', found=f'row {start + len(chosen)}')
        yield parse(element, chosen)
    _skip(lines, header.elements[index + 1 :])
    number, line = next(lines, (0, b''))
    return (f'line {number}', repr(line[:20].decode('latin-1'))) if line else None


def _lines(stream: BinaryIO, header: PlyHeader) -> Iterator[tuple[int, bytes]]:
    """Read the lines that are not blank, with their numbers in the file."""
    buffered = io.BufferedReader(_FileTail(stream, header.size))
    number = header.lines
    while line := buffered.readline(LONGEST_LINE):
        number += 1
        if not line.isspace():
            yield number, line


def _checked(lines: Iterator[tuple[int, bytes]], longest: int) -> Iterator[tuple[int, bytes]]:
    """Pass lines on, and raise an error for a line that is too long."""
    for number, line in lines:
        if len(line) >= longest:
            found = f'more than {longest} bytes'
            raise SplatError('Splats.BadRow', f'line {number}', found=found)
        yield number, line


class _FileTail(io.RawIOBase):
    """A file from an offset to its end; it keeps its own position and does not own the file."""

    def __init__(self, stream: BinaryIO, offset: int) -> None:
        self._stream = stream
        self._offset = offset

    def readable(self) -> bool:
        """Return whether the stream can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read the next bytes."""
        self._stream.seek(self._offset)
        read: int = self._stream.readinto(buffer)  # type: ignore[attr-defined]
        self._offset += read
        return read


def _skip(lines: Iterator[Any], elements: tuple[PlyElement, ...]) -> None:
    """Skip the lines of some elements."""
    for _ in islice(lines, sum(each.count for each in elements if each.properties)):
        pass


def _parse_plain(element: PlyElement, lines: list[tuple[int, bytes]]) -> RowBlock:
    """Parse lines with one number for each property."""
    width = len(element.properties)
    words = [line.split() for _, line in lines]
    wrong = next((index for index, each in enumerate(words) if len(each) != width), None)
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
    """Return the error at the first line that is not numeric."""
    for (number, _), each in zip(lines, words, strict=True):
        try:
            list(map(float, each))
        except ValueError as cause:
            return SplatError('Splats.BadRow', f'line {number}', found=cause)
    return SplatError('Splats.BadRow', f'line {lines[0][0]}', found=error)


def _parse_with_lists(element: PlyElement, lines: list[tuple[int, bytes]]) -> RowBlock:
    """Parse the scalars of lines with lists."""
    return np.array([_scalars_of(element, *line) for line in lines], float)


def _scalars_of(element: PlyElement, number: int, line: bytes) -> list[float]:
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

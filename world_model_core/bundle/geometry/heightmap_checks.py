# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""All heights of a heightmap looked at once, a block at a time, and what is wrong with them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from world_model_core.files.file_findings import FileFindings

    Block = NDArray[np.float32]

# Heights at a time: 1 MB, which stays in the processor's cache.
BLOCK = 1 << 18
ITEM = np.dtype('<f4')
# A range written with two decimals is off by this at most [m].
ROUNDED = 0.01
# Of float32 numbers, relative.
PRECISION = 1e-6
# What other formats have in place of NaN: GDAL's, ESRI's and SRTM's habits.
NO_DATA = (-9999.0, -32768.0, -32767.0, -99999.0, 9999.0, 32767.0, 65535.0)
# Numbers are less than this only if their bytes are in the wrong order [m].
TINY = 1e-30


@dataclass(frozen=True, slots=True)
class HeightStatistics:
    """
    What heights there are.

    Attributes
    ----------
    cells : int
        Nodes altogether.
    known : int
        Those whose height is not NaN.
    lowest, highest : float
        Of these [m]; NaN if there are none.

    """

    cells: int
    known: int
    lowest: float
    highest: float


def height_statistics(heights: Block) -> HeightStatistics:
    """
    Summarise a grid of heights.

    Parameters
    ----------
    heights : array of float32, shape (h, w)
        [m]

    """
    rows = max(1, BLOCK // max(1, heights.shape[1]))
    return summarize(heights[row : row + rows] for row in range(0, len(heights), rows))


def summarize(blocks: Iterable[Block]) -> HeightStatistics:
    """Summarise blocks of heights."""
    cells = known = 0
    lowest, highest = math.nan, math.nan
    for block in blocks:
        cells += block.size
        known += block.size - int(np.count_nonzero(np.isnan(block)))
        lowest = float(np.fmin(lowest, np.fmin.reduce(block, axis=None)))
        highest = float(np.fmax(highest, np.fmax.reduce(block, axis=None)))
    return HeightStatistics(cells, known, lowest, highest)


def read_blocks(path: Path) -> Iterator[Block]:
    """Read heights into one buffer: the pages of a memory map would stay in memory."""
    buffer = np.empty(BLOCK, dtype=ITEM)
    with path.open('rb') as stream:
        while count := stream.readinto(buffer.data.cast('B')):
            yield buffer[: count // ITEM.itemsize]


def check_heights(path: Path, declared: tuple[float, float], notes: FileFindings) -> None:
    """
    Look at all heights of a file.

    Parameters
    ----------
    path : Path
        Of little-endian float32 numbers.
    declared : tuple of float
        Least and largest height, as the meta file has them [m].
    notes : FileFindings
        Told of infinite heights and those beyond the declared range, of heights that look like
        another byte order or another mark for the unknown, and if there are no heights at all.

    """
    found = summarize(read_blocks(path))
    if not found.known:
        notes.add('Heightmap.NoHeights', found=found.cells)
        return
    lowest, highest = found.lowest, found.highest
    is_tiny = 0.0 < max(abs(lowest), abs(highest)) < TINY
    is_within = _excess(found, declared) <= 0.0
    if (is_tiny or not is_within) and _fits_swapped(path, declared):
        notes.add('Heightmap.ByteOrder', 'byte 0', found=_range_text(lowest, highest))
        return
    if math.isinf(lowest) or math.isinf(highest):
        where = _first_place(path, (-math.inf, math.inf))
        notes.add('Heightmap.Infinite', where, found=lowest if math.isinf(lowest) else highest)
    elif not is_within:
        _note_excess(path, found, declared, notes)
    _note_habits(found, notes)


def _excess(found: HeightStatistics, declared: tuple[float, float]) -> float:
    """Measure how far heights are beyond a range that float32 rounds [m]; 0 or less is within."""
    low, high = (float(np.float32(each)) for each in declared)
    slack = PRECISION * max(abs(low), abs(high))
    return max(low - found.lowest, found.highest - high) - slack


def _note_excess(
    path: Path, found: HeightStatistics, declared: tuple[float, float], notes: FileFindings
) -> None:
    """Tell a range that was rounded when it was written from one that is wrong."""
    is_rounded = _excess(found, declared) <= ROUNDED
    notes.add(
        'Heightmap.RangeRounded' if is_rounded else 'Heightmap.OutOfRange',
        _first_place(path, declared),
        found=_range_text(found.lowest, found.highest),
        declared=_range_text(*declared),
    )


def _note_habits(found: HeightStatistics, notes: FileFindings) -> None:
    """Tell of what is allowed but seldom meant."""
    sentinels = {found.lowest, found.highest} & set(NO_DATA)
    if sentinels:
        notes.add('Heightmap.LooksLikeNoData', found=f'{min(sentinels):g}')
    elif found.lowest == found.highest and found.cells > 1:
        notes.add('Heightmap.Flat', found=f'{found.lowest:.6g}')


def _fits_swapped(path: Path, declared: tuple[float, float]) -> bool:
    """Tell if all heights are in the range, and more than tiny, with their bytes reversed."""
    found = summarize(block.byteswap() for block in read_blocks(path))
    largest = max(abs(found.lowest), abs(found.highest))
    return found.known > 0 and _excess(found, declared) <= 0.0 and not 0.0 < largest < TINY


def _first_place(path: Path, declared: tuple[float, float]) -> str:
    """Find the byte of the first height beyond a range, or infinite."""
    low, high = (np.float32(each) for each in declared)
    start = 0
    for block in read_blocks(path):
        beyond = (block < low) | (block > high) | np.isinf(block)
        if beyond.any():
            return f'byte {start + ITEM.itemsize * int(beyond.argmax())}'
        start += block.nbytes
    return ''


def _range_text(low: float, high: float) -> str:
    return f'{low:.6g} to {high:.6g} m'

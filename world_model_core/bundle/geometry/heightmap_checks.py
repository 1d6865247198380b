# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Checks of the heights of a heightmap, read block by block."""

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

# Heights of a block: 1 MB, which stays in the processor's cache.
BLOCK = 1 << 18
ITEM = np.dtype('<f4')
# Maximum excess over a range that was rounded to two decimals [m].
ROUNDED = 0.01
# Relative precision of float32 numbers.
PRECISION = 1e-6
# Values that GDAL, ESRI and SRTM use instead of NaN.
NO_DATA = (-9999.0, -32768.0, -32767.0, -99999.0, 9999.0, 32767.0, 65535.0)
# Smaller heights indicate the wrong byte order [m].
TINY = 1e-30


@dataclass(frozen=True, slots=True)
class HeightStatistics:
    """
    Number and range of heights.

    Attributes
    ----------
    cells : int
        Number of nodes.
    known : int
        Number of nodes with a height other than NaN.
    lowest, highest : float
        Range of the known heights [m]; NaN if there are none.

    """

    cells: int
    known: int
    lowest: float
    highest: float


def height_statistics(heights: Block) -> HeightStatistics:
    """
    Return the statistics of a grid of heights.

    Parameters
    ----------
    heights : array of float32, shape (h, w)
        [m]

    """
    rows = max(1, BLOCK // max(1, heights.shape[1]))
    return summarize(heights[row : row + rows] for row in range(0, len(heights), rows))


def summarize(blocks: Iterable[Block]) -> HeightStatistics:
    """Return the statistics of blocks of heights."""
    cells = known = 0
    lowest, highest = math.nan, math.nan
    for block in blocks:
        cells += block.size
        known += block.size - int(np.count_nonzero(np.isnan(block)))
        lowest = float(np.fmin(lowest, np.fmin.reduce(block, axis=None)))
        highest = float(np.fmax(highest, np.fmax.reduce(block, axis=None)))
    return HeightStatistics(cells, known, lowest, highest)


def read_blocks(path: Path) -> Iterator[Block]:
    """Read heights into one buffer; the pages of a memory map would stay in memory."""
    buffer = np.empty(BLOCK, dtype=ITEM)
    with path.open('rb') as stream:
        while count := stream.readinto(buffer.data.cast('B')):
            yield buffer[: count // ITEM.itemsize]


def check_heights(path: Path, declared: tuple[float, float], file_findings: FileFindings) -> None:
    """
    Check all heights of a file.

    Parameters
    ----------
    path : Path
        File of little-endian float32 numbers.
    declared : tuple of float
        Lowest and highest height in heightmap.yaml [m].
    file_findings : FileFindings
        Receives findings: heights that are infinite or beyond the declared range, another byte
        order, no-data values other than NaN, or no heights at all.

    """
    found = summarize(read_blocks(path))
    if not found.known:
        file_findings.add('Heightmap.NoHeights', found=found.cells)
        return
    lowest, highest = found.lowest, found.highest
    is_tiny = 0.0 < max(abs(lowest), abs(highest)) < TINY
    is_within = _excess(found, declared) <= 0.0
    if (is_tiny or not is_within) and _fits_swapped(path, declared):
        file_findings.add('Heightmap.ByteOrder', 'byte 0', found=_range_text(lowest, highest))
        return
    if math.isinf(lowest) or math.isinf(highest):
        where = _first_place(path, (-math.inf, math.inf))
        file_findings.add(
            'Heightmap.Infinite', where, found=lowest if math.isinf(lowest) else highest
        )
    elif not is_within:
        _report_excess(path, found, declared, file_findings)
    _report_unlikely(found, file_findings)


def _excess(found: HeightStatistics, declared: tuple[float, float]) -> float:
    """Return the excess over a range rounded to float32 [m]; at most 0 if within."""
    low, high = (float(np.float32(each)) for each in declared)
    slack = PRECISION * max(abs(low), abs(high))
    return max(low - found.lowest, found.highest - high) - slack


def _report_excess(
    path: Path, found: HeightStatistics, declared: tuple[float, float], file_findings: FileFindings
) -> None:
    """Report heights beyond the range: a rounded range, or a wrong one."""
    is_rounded = _excess(found, declared) <= ROUNDED
    file_findings.add(
        'Heightmap.RangeRounded' if is_rounded else 'Heightmap.OutOfRange',
        _first_place(path, declared),
        found=_range_text(found.lowest, found.highest),
        declared=_range_text(*declared),
    )


def _report_unlikely(found: HeightStatistics, file_findings: FileFindings) -> None:
    """Report heights that are allowed but unlikely."""
    sentinels = {found.lowest, found.highest} & set(NO_DATA)
    if sentinels:
        file_findings.add('Heightmap.LooksLikeNoData', found=f'{min(sentinels):g}')
    elif found.lowest == found.highest and found.cells > 1:
        file_findings.add('Heightmap.Flat', found=f'{found.lowest:.6g}')


def _fits_swapped(path: Path, declared: tuple[float, float]) -> bool:
    """Return whether all heights with reversed bytes are in the range, and not tiny."""
    found = summarize(block.byteswap() for block in read_blocks(path))
    largest = max(abs(found.lowest), abs(found.highest))
    return found.known > 0 and _excess(found, declared) <= 0.0 and not 0.0 < largest < TINY


def _first_place(path: Path, declared: tuple[float, float]) -> str:
    """Locate the first height that is beyond a range or infinite."""
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

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Scan of all numbers of a file of splats in bounded memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.bundle.splats.splat_arrays import SAMPLE, SplatArrays
from world_model_core.bundle.splats.splat_checks import SplatInspection
from world_model_core.bundle.splats.splat_conventions import SplatConventions
from world_model_core.bundle.splats.splat_formats import open_source
from world_model_core.bundle.splats.splat_source import SplatFormat, SplatSource, error_findings
from world_model_core.bundle.splats.splats import Splats

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from world_model_core.bundle.splats.splat_conventions import FloatArray
    from world_model_core.bundle.values import Extent
    from world_model_core.findings import Findings


@dataclass(frozen=True, slots=True, eq=False)
class SplatStatistics:
    """
    Statistics of a file of splats.

    Attributes
    ----------
    format : SplatFormat
    count : int
        Of gaussians.
    sh_degree : int
        Of their spherical harmonics.
    lowest, highest : array, shape (3,)
        Of all means [m].
    outside : int
        Number of means outside of the extent.
    sample : Splats
        Up to 65,536 gaussians, spread evenly over the file, without higher degrees; with the
        conventions of the file.

    """

    format: SplatFormat
    count: int
    sh_degree: int
    lowest: FloatArray
    highest: FloatArray
    outside: int
    sample: Splats


def scan_splats(
    path: Path,
    file: str,
    findings: Findings,
    conventions: SplatConventions | None = None,
    sh_degree: int | None = None,
    *,
    extent: Extent | None = None,
    progress: Callable[[float], None] | None = None,
) -> SplatStatistics | None:
    """
    Check a file of splats as read_splats does, without keeping it in memory.

    Parameters
    ----------
    path, file, findings, conventions, sh_degree
        As in read_splats.
    extent : Extent, optional
        Gaussians outside of it are counted.
    progress : callable, optional
        Receives the completed fraction, 0 to 1.

    Returns
    -------
    SplatStatistics or None
        None if the file cannot be read to its end, or has errors.

    """
    known = len(findings.errors)
    statistics = None
    with error_findings(findings, file), open_source(path, file, findings, sh_degree) as source:
        scan = _SplatScan(source, extent)
        for block in source.blocks():
            scan.add(block)
            if progress:
                progress(scan.inspection.rows / source.count)
        statistics = scan.conclude(findings, file, conventions or SplatConventions())
    return statistics if len(findings.errors) == known else None


class _SplatScan:
    """Statistics collected block by block."""

    def __init__(self, source: SplatSource, extent: Extent | None) -> None:
        self.inspection = SplatInspection(source)
        self._source = source
        self._extent = extent
        self._lowest, self._highest = np.full(3, np.inf), np.full(3, -np.inf)
        self._outside = 0
        self._step = -(-source.count // SAMPLE)
        self._sample = SplatArrays(source.layout, -(-source.count // self._step), rest=False)
        # Columns of the current block.
        self._block = SplatArrays(source.layout, 0, rest=False)

    def add(self, block: FloatArray) -> None:
        """Add a block."""
        start = self.inspection.rows
        if len(block) > self._block.count:
            self._block = SplatArrays(self._source.layout, len(block), rest=False)
        parts = self._block.fill(block, 0)
        first = -start % self._step
        self._sample.fill(np.ascontiguousarray(block[first :: self._step]), self._sampled(start))
        self._add_positions(parts['positions'])
        self.inspection.add(block, parts['scales'], parts['rotations'], parts['opacities'])

    def _sampled(self, row: int) -> int:
        """Count the rows before this one that are in the sample."""
        return -(-row // self._step)

    def _add_positions(self, positions: FloatArray) -> None:
        # Along whole columns, as numpy is slow along rows of three.
        columns = np.ascontiguousarray(positions.T)
        lowest, highest = columns.min(axis=1), columns.max(axis=1)
        self._lowest = np.minimum(self._lowest, lowest)
        self._highest = np.maximum(self._highest, highest)
        if self._extent is None:
            return
        low, high = self._extent.lowest, self._extent.highest
        if (lowest < low).any() or (highest > high).any():
            outside = (columns < low[:, None]) | (columns > high[:, None])
            self._outside += int(np.count_nonzero(outside.any(axis=0)))

    def conclude(self, findings: Findings, file: str, given: SplatConventions) -> SplatStatistics:
        """Return the statistics of all blocks."""
        chosen = self.inspection.conclude(findings, file, given, self._sample)
        self._sample.set_order(chosen.quaternions, self._sample.count)
        sample = Splats(**self._sample.frozen(), conventions=chosen)
        lowest, highest = (each.astype(np.float32) for each in (self._lowest, self._highest))
        layout = self._source.layout
        return SplatStatistics(
            format=self._source.kind,
            count=self._source.count,
            sh_degree=layout.degree,
            lowest=lowest,
            highest=highest,
            outside=self._outside,
            sample=sample,
        )

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Checks of the numbers of splats, block by block while they are read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isfinite, isinf, isnan, log
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from world_model_core.bundle.splats.quaternion_order import writes_wxyz
from world_model_core.bundle.splats.splat_conventions import (
    ConventionEvidence,
    FloatArray,
    OpacityEncoding,
    ResolvedConventions,
    ScaleEncoding,
    SplatConventions,
    resolve_conventions,
)
from world_model_core.files.value_schemas import FARTHEST

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.bundle.splats.splat_arrays import SplatArrays
    from world_model_core.bundle.splats.splat_source import Columns, SplatSource
    from world_model_core.findings import Findings

# Shorter quaternions have no direction.
LEAST_LENGTH_SQUARED: Final = 1e-24
# Largest size as its logarithm.
LOG_FARTHEST: Final = log(FARTHEST)
# Deviation of unit quaternions due to rounding to float32 or to 10 bits.
UNIT_TOLERANCE: Final = 2e-3


@dataclass(slots=True)
class FaultCount:
    """Number of occurrences of a fault, and row and column of the first one."""

    count: int = 0
    row: int = -1
    column: int = -1

    def add(self, start: int, wrong: NDArray[np.bool_], columns: Columns) -> None:
        """Add occurrences in a block that begins with row `start`."""
        found = int(np.count_nonzero(wrong))
        if found and not self.count:
            row, column = divmod(int(wrong.argmax()), wrong.shape[1])
            self.row, self.column = start + row, int(columns[column])
        self.count += found


class SplatInspection:
    """
    Collects faults and statistics of all rows of a file.

    Parameters
    ----------
    source : SplatSource

    Attributes
    ----------
    rows : int
        Number of rows so far.

    """

    def __init__(self, source: SplatSource) -> None:
        self.rows = 0
        self._source = source
        self._evidence = ConventionEvidence()
        self._faults: dict[tuple[str, str], FaultCount] = {}
        self._not_unit = 0
        self._squares = [np.inf, 0.0]

    def add(
        self,
        block: FloatArray,
        scales: FloatArray,
        rotations: FloatArray,
        opacities: FloatArray,
    ) -> None:
        """
        Check a block.

        Parameters
        ----------
        block : array, shape (n, columns)
        scales, rotations, opacities : array, shape (n, 3), (n, 4), (n, 1)
            Taken from it, contiguous; rotations in any order.

        """
        self._add_scales(scales)
        self._add_rotations(rotations)
        self._add_opacities(opacities)
        # Details are needed only if a number is not finite, or very large.
        low, high = float(block.min()), float(block.max())
        if not (isfinite(low) and isfinite(high)):
            self._add_endless(block)
        if not max(-low, high) <= FARTHEST:
            self._add_huge(block)
        self.rows += len(block)
        self._evidence.count = self.rows

    def _fault(self, field: str, kind: str) -> FaultCount:
        return self._faults.setdefault((field, kind), FaultCount())

    def _add_scales(self, scales: FloatArray) -> None:
        low, high = float(scales.min()), float(scales.max())
        self._evidence.extreme = max(self._evidence.extreme, high, -low)
        fault = self._fault('scale', 'negative')
        fault.add(self.rows, scales < 0, self._source.layout.scales)
        self._evidence.negative = fault.count
        if not high <= LOG_FARTHEST:
            for kind, limit in (('huge', FARTHEST), ('huge log', LOG_FARTHEST)):
                wrong = (scales > limit) & np.isfinite(scales)
                self._fault('scale', kind).add(self.rows, wrong, self._source.layout.scales)

    def _add_opacities(self, opacities: FloatArray) -> None:
        fault = self._fault('opacity', 'beyond')
        beyond = (opacities < 0) | (opacities > 1)
        fault.add(self.rows, beyond, self._source.layout.opacities)
        self._evidence.beyond = fault.count

    def _add_rotations(self, rotations: FloatArray) -> None:
        # Faster than any sum along rows that are so short.
        x, y, z, w = (rotations * rotations).T
        squares = x + y + z + w
        low, high = float(squares.min()), float(squares.max())
        if isinf(high):
            high = float(np.square(rotations, dtype=np.float64).sum(axis=1).max())
        self._squares = [min(self._squares[0], low), max(self._squares[1], high)]
        if low < 1.0 - UNIT_TOLERANCE or high > 1.0 + UNIT_TOLERANCE:
            self._not_unit += int(np.count_nonzero(np.abs(squares - 1.0) > UNIT_TOLERANCE))
        # NaN hides other values from a minimum.
        if low < LEAST_LENGTH_SQUARED or isnan(low):
            zero = squares[:, None] < LEAST_LENGTH_SQUARED
            self._fault('rotation', 'zero').add(self.rows, zero, self._source.layout.rotations)

    def _add_endless(self, block: FloatArray) -> None:
        """Find NaN and infinite numbers."""
        layout = self._source.layout
        fields = {
            'position': layout.positions, 'scale': layout.scales, 'rotation': layout.rotations,
            'opacity': layout.opacities, 'color': np.concatenate([layout.sh_dc, layout.sh_rest]),
        }  # fmt: skip
        for field, columns in fields.items():
            values = block[:, columns]
            if not np.isfinite(values).all():
                for kind, wrong in (
                    ('nan', np.isnan(values)),
                    ('+inf', values == np.inf),
                    ('-inf', values == -np.inf),
                ):
                    self._fault(field, kind).add(self.rows, wrong, columns)

    def _add_huge(self, block: FloatArray) -> None:
        """Find positions and coefficients that are finite, but too large for calculations."""
        layout = self._source.layout
        colors = np.concatenate([layout.sh_dc, layout.sh_rest])
        for field, columns in (('position', layout.positions), ('color', colors)):
            values = block[:, columns]
            wrong = (np.abs(values) > FARTHEST) & np.isfinite(values)
            self._fault(field, 'huge').add(self.rows, wrong, columns)

    def conclude(
        self, findings: Findings, file: str, given: SplatConventions, arrays: SplatArrays
    ) -> ResolvedConventions:
        """
        Report the findings of all rows, and return the conventions.

        `arrays` contains all rows, or a sample of them.
        """
        by_program = writes_wxyz(self._source.comments, self._source.layout.names)
        evidence = replace(self._evidence, by_program=by_program, sample=arrays.sample())
        positions, *_ = evidence.sample
        if self.rows > 1 and (positions == positions[0]).all():
            findings.add('Splats.OnePoint', file, count=self.rows)
        chosen = resolve_conventions(evidence, given, self._source.declared, findings, file)
        for (field, kind), fault in self._faults.items():
            if fault.count and (field, kind) not in _legal(chosen):
                self._note(findings, file, kind, fault)
        if self._not_unit:
            low, high = np.sqrt(self._squares)
            found = f'{low:.3g} to {high:.3g}'
            findings.add('Splats.NotUnitQuaternion', file, count=self._not_unit, found=found)
        return chosen

    def _note(self, findings: Findings, file: str, kind: str, fault: FaultCount) -> None:
        codes = {
            'nan': 'Splats.NotANumber', 'zero': 'Splats.ZeroQuaternion',
            'negative': 'Splats.NegativeScale', 'beyond': 'Splats.OpacityRange',
            'huge': 'Splats.TooLarge', 'huge log': 'Splats.TooLarge',
        }  # fmt: skip
        values: dict[str, Any] = {
            'count': fault.count,
            'limit': f'{FARTHEST:g}',
            'found': f'row {fault.row}',
            'name': self._source.layout.names[fault.column],
        }
        where = self._source.locate(fault.row, fault.column)
        findings.add(codes.get(kind, 'Splats.Infinite'), file, where, **values)


def _legal(conventions: ResolvedConventions) -> set[tuple[str, str]]:
    """Return accepted faults: infinite logits are opaque or transparent, logarithms flat."""
    legal = {('scale', '-inf'), ('opacity', '+inf'), ('opacity', '-inf')}
    if conventions.scales is ScaleEncoding.LOG:
        legal |= {('scale', 'negative'), ('scale', 'huge')}
    else:
        legal.add(('scale', 'huge log'))
    if conventions.opacities is OpacityEncoding.LOGIT:
        legal.add(('opacity', 'beyond'))
    return legal

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Columns of blocks copied into arrays, fast enough to keep up with the disk's cache."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from world_model_core.bundle.conventions import FloatArray, QuaternionOrder

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.bundle.splat_source import Columns, SplatLayout

FEW: Final = ('positions', 'scales', 'rotations', 'opacities', 'sh_dc')
# By the order in the file: where x, y, z and w are.
TO_XYZW: Final = {QuaternionOrder.XYZW: [0, 1, 2, 3], QuaternionOrder.WXYZ: [1, 2, 3, 0]}
# Rows that change their order in place at once, so that no second array is needed.
TURNED: Final = 1 << 16


class Run(NamedTuple):
    """So many columns that follow each other, in a block and in an array."""

    source: int
    target: int
    width: int


def find_runs(columns: Columns) -> list[Run]:
    """Split columns into those that follow each other in the block, too."""
    breaks = np.flatnonzero(np.diff(columns) != 1) + 1
    ends = [0, *breaks.tolist(), len(columns)]
    return [
        Run(int(columns[start]), start, end - start)
        for start, end in pairwise(ends)
        if end > start
    ]


def _items(first: int, width: int, columns: int) -> np.dtype[np.void]:
    """
    Lay out rows of `columns` floats so that `width` of them are one item.

    Numpy copies items in a third of the time that its loops over three or four numbers take.
    """
    size = np.dtype(np.float32).itemsize
    return np.dtype(
        {
            'names': ['run'],
            'formats': [f'V{width * size}'],
            'offsets': [first * size],
            'itemsize': columns * size,
        }
    )


class SplatArrays:
    """
    Arrays that are filled block by block.

    Parameters
    ----------
    layout : SplatLayout
        Of the blocks.
    count : int
        Rows that there is room for.
    rest : bool
        Whether coefficients of higher degrees are kept.

    Attributes
    ----------
    arrays : dict
        By name, shape (count, columns): positions, scales, rotations, opacities, sh_dc, and
        sh_rest, shape (count, k, 3).
    order : QuaternionOrder
        That the file is taken to have; in memory it is x, y, z, w.

    """

    def __init__(self, layout: SplatLayout, count: int, *, rest: bool = True) -> None:
        self.order = QuaternionOrder.XYZW
        self._layout = layout
        # All of a channel follow each other in most files, but not in memory.
        kept = layout.coefficients if rest else 0
        self._channels = [_slice(layout.sh_rest[at::3]) for at in range(3)] if kept else []
        self.arrays = {
            name: np.empty((count, len(getattr(layout, name))), np.float32) for name in FEW
        }
        self.arrays['sh_rest'] = np.empty((count, kept, 3), np.float32)
        self._copies = {name: self._plan(name, getattr(layout, name)) for name in FEW}

    def _plan(self, name: str, columns: Columns) -> list[tuple[np.dtype[Any], NDArray[Any]]]:
        """Lay out what is copied in one go: in blocks, and where it goes."""
        array, width = self.arrays[name], len(self._layout.names)
        return [
            (
                _items(run.source, run.width, width),
                array.view(_items(run.target, run.width, array.shape[1]))['run'],
            )
            for run in find_runs(columns)
        ]

    def fill(self, block: FloatArray, start: int) -> dict[str, FloatArray]:
        """
        Copy a contiguous block to the rows from `start` on.

        Returns
        -------
        dict
            The rows that were filled, as in `arrays`.

        """
        end = start + len(block)
        for copies in self._copies.values():
            for items, target in copies:
                target[start:end] = block.view(items)['run']
        parts = {name: array[start:end] for name, array in self.arrays.items()}
        for channel, columns in enumerate(self._channels):
            parts['sh_rest'][:, :, channel] = block[:, columns]
        return parts

    @property
    def count(self) -> int:
        """Rows that there is room for."""
        return len(self.arrays['positions'])

    def frozen(self) -> dict[str, FloatArray]:
        """Give the arrays away: nobody may write into them any more."""
        for array in self.arrays.values():
            array.flags.writeable = False
        return self.arrays

    def turn(self, order: QuaternionOrder, filled: int) -> None:
        """Take the file to have another order of quaternions, in all rows filled so far."""
        if order is self.order:
            return
        # The orders differ by a rotation by one, there and back.
        step = -1 if order is QuaternionOrder.WXYZ else 1
        for start in range(0, filled, TURNED):
            part = self.arrays['rotations'][start : min(filled, start + TURNED)]
            part[:] = np.roll(part, step, axis=1)
        self.order = order
        turned = self._layout.rotations[TO_XYZW[order]]
        self._copies['rotations'] = self._plan('rotations', turned)


def _slice(columns: Columns) -> Columns | slice:
    """Write columns that follow each other as a slice, which numpy reads without a copy."""
    runs = find_runs(columns)
    if len(runs) > 1:
        return columns
    return slice(runs[0].source, runs[0].source + runs[0].width)

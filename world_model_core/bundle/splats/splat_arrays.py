# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Arrays of splats, filled from blocks of a file as fast as the disk cache delivers them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from world_model_core.bundle.splats.quaternion_order import TO_XYZW, QuaternionOrder

if TYPE_CHECKING:
    from world_model_core.bundle.splats.splat_conventions import FloatArray
    from world_model_core.bundle.splats.splat_source import Columns, SplatLayout

FEW: Final = ('positions', 'scales', 'rotations', 'opacities', 'sh_dc')
# Gaussians in a sample: enough for quantiles of a thousandth, in 4 MB.
SAMPLE: Final = 1 << 16
# Rows that are reordered in place at a time, so that no second array is needed.
REORDERED_ROWS: Final = 1 << 16


class SplatArrays:
    """
    Arrays that are filled block by block.

    Parameters
    ----------
    layout : SplatLayout
        Columns of the blocks.
    count : int
        Capacity [rows].
    rest : bool
        Keep the coefficients of higher degrees.

    Attributes
    ----------
    arrays : dict
        By name, shape (count, columns): positions, scales, rotations, opacities, sh_dc, and
        sh_rest, shape (count, k, 3).
    order : QuaternionOrder
        Assumed order in the file; in memory it is x, y, z, w.

    """

    def __init__(self, layout: SplatLayout, count: int, *, rest: bool = True) -> None:
        self.order = QuaternionOrder.XYZW
        self._layout = layout
        # Most files store the coefficients channel by channel, memory does not.
        kept = layout.coefficients if rest else 0
        self._channels = [_slice(layout.sh_rest[at::3]) for at in range(3)] if kept else []
        self.arrays = {
            name: np.empty((count, len(getattr(layout, name))), np.float32) for name in FEW
        }
        self.arrays['sh_rest'] = np.empty((count, kept, 3), np.float32)
        self._columns = {name: getattr(layout, name).tolist() for name in FEW}

    def fill(self, block: FloatArray, start: int) -> dict[str, FloatArray]:
        """
        Copy a contiguous block to the rows from `start` on.

        Returns
        -------
        dict
            The filled rows, by the names of `arrays`.

        """
        end = start + len(block)
        parts = {name: array[start:end] for name, array in self.arrays.items()}
        # The many columns first: the few are used next, and should be in the cache then.
        for channel, coefficients in enumerate(self._channels):
            parts['sh_rest'][:, :, channel] = block[:, coefficients]
        # Column by column: numpy is slower with loops over the few columns of each row.
        for name, columns in self._columns.items():
            for target, source in enumerate(columns):
                parts[name][:, target] = block[:, source]
        return parts

    @property
    def count(self) -> int:
        """Capacity [rows]."""
        return len(self.arrays['positions'])

    def sample(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """
        Return up to SAMPLE rows, spread evenly: positions, scales, and rotations as in the file.

        All rows must be filled.
        """
        step = -(-self.count // SAMPLE)
        positions, scales, rotations = (
            self.arrays[name][::step] for name in ('positions', 'scales', 'rotations')
        )
        return positions, scales, rotations[:, np.argsort(TO_XYZW[self.order])]

    def frozen(self) -> dict[str, FloatArray]:
        """Make the arrays read-only, and return them."""
        for array in self.arrays.values():
            array.flags.writeable = False
        return self.arrays

    def set_order(self, order: QuaternionOrder, filled: int) -> None:
        """Set the order of quaternions in the file, and reorder all rows filled so far."""
        if order is self.order:
            return
        # The orders differ by a cyclic shift by one.
        step = -1 if order is QuaternionOrder.WXYZ else 1
        for start in range(0, filled, REORDERED_ROWS):
            part = self.arrays['rotations'][start : min(filled, start + REORDERED_ROWS)]
            part[:] = np.roll(part, step, axis=1)
        self.order = order
        self._columns['rotations'] = self._layout.rotations[TO_XYZW[order]].tolist()


def _slice(columns: Columns) -> Columns | slice:
    """Return consecutive columns as a slice, which numpy reads without a copy."""
    first, last = int(columns[0]), int(columns[-1])
    even = np.array_equal(columns, np.arange(first, last + 1))
    return slice(first, last + 1) if even else columns

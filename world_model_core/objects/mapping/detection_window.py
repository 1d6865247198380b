# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Window of each object's latest detections, kept for joint association."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array

NONE = -1


class WindowMeasurements(NamedTuple):
    """Detections of several objects: of shape (n,), (n, 3) or (n, 3, 3), oldest first."""

    owners: NDArray[np.intp]
    """Slots of the objects that they are assigned to."""
    positions: Array
    information: Array
    """Inverse covariances [1/m^2]."""
    labels: NDArray[np.int64]
    frames: NDArray[np.int64]

    def pick(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> WindowMeasurements:
        """Select some of the detections."""
        return WindowMeasurements._make(column[rows] for column in self)


class DetectionWindow:
    """
    Ring buffer of detections for each slot of the table.

    Parameters
    ----------
    length : int
        Detections kept for each object.

    """

    def __init__(self, length: int) -> None:
        self._length = length
        self._next = np.zeros(0, dtype=np.int64)  # of each ring, counted on
        self._positions = np.zeros((0, length, 3))
        self._information = np.zeros((0, length, 3, 3), dtype=np.float32)
        self._labels = np.zeros((0, length), dtype=np.int32)
        self._frames = np.zeros((0, length), dtype=np.int64)

    def reserve(self, slots: int) -> None:
        """Make room for a number of slots."""
        missing = slots - len(self._next)
        if missing > 0:
            length = self._length
            self._next = np.append(self._next, np.zeros(missing, dtype=np.int64))
            self._positions = _extend(self._positions, (missing, length, 3))
            self._information = _extend(self._information, (missing, length, 3, 3))
            self._labels = _extend(self._labels, (missing, length))
            self._frames = _extend(self._frames, (missing, length), NONE)

    def empty(self, slots: NDArray[np.intp]) -> None:
        """Remove the detections of objects."""
        self._next[slots] = 0
        self._frames[slots] = NONE

    def push(self, measurements: WindowMeasurements) -> WindowMeasurements:
        """Append one detection each to some objects; return those that leave the window."""
        slots = measurements.owners
        column = self._next[slots] % self._length
        full = self._frames[slots, column] != NONE
        pushed_out = self._at(slots[full], column[full])
        self._put(measurements, column)
        self._next[slots] += 1
        return pushed_out

    def of(self, slots: NDArray[np.intp]) -> WindowMeasurements:
        """Return the detections of objects, oldest first."""
        rows, columns = np.nonzero(self._frames[slots] != NONE)
        found = self._at(slots[rows], columns)
        return found.pick(np.lexsort((found.owners, found.frames)))

    def replace(
        self, slots: NDArray[np.intp], measurements: WindowMeasurements
    ) -> WindowMeasurements:
        """Replace the detections of objects, oldest first; return the oldest that do not fit."""
        self.empty(slots)
        order = np.argsort(measurements.owners, kind='stable')
        owners, counts = np.unique(measurements.owners, return_counts=True)
        ends = np.cumsum(counts)
        # Number of younger detections of the same object.
        younger = np.empty(len(order), dtype=np.int64)
        younger[order] = np.repeat(ends, counts) - 1 - np.arange(len(order))
        kept = younger < self._length
        total = np.minimum(counts, self._length)
        self._next[owners] = total
        place = total[np.searchsorted(owners, measurements.owners)] - 1 - younger
        self._put(measurements.pick(kept), place[kept])
        return measurements.pick(~kept)

    def _at(self, slots: NDArray[np.intp], columns: NDArray[np.intp]) -> WindowMeasurements:
        """Read from the buffers."""
        return WindowMeasurements(
            owners=slots,
            positions=self._positions[slots, columns],
            information=self._information[slots, columns].astype(np.float64),
            labels=self._labels[slots, columns].astype(np.int64),
            frames=self._frames[slots, columns],
        )

    def _put(self, measurements: WindowMeasurements, columns: NDArray[np.int64]) -> None:
        """Write into the buffers."""
        slots = measurements.owners
        self._positions[slots, columns] = measurements.positions
        self._information[slots, columns] = measurements.information
        self._labels[slots, columns] = measurements.labels
        self._frames[slots, columns] = measurements.frames


def _extend(array: NDArray[np.generic], shape: tuple[int, ...], fill: float = 0) -> NDArray:  # type: ignore[type-arg]
    """Append blank rows."""
    return np.concatenate((array, np.full(shape, fill, dtype=array.dtype)))

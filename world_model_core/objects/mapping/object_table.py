# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Table of all objects of a map: arrays with one slot per object."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.objects.mapping.label_model import EMPTY

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Codes of the states in `ObjectTable.state`.
FREE, TENTATIVE, CONFIRMED, MISSING = 0, 1, 2, 3
# Number of different labels, and colors, kept for one object.
LABELS, COLORS = 8, 4
FIRST_SLOTS = 64
NEVER = -(2**62)


class ObjectTable:
    """
    State of all objects; free slots are reused.

    Attributes
    ----------
    state : array of int8
    serial : array of int64
        Unique number of each object; slots are reused, these numbers are not.
    position, covariance : arrays, shapes (n, 3) and (n, 3, 3)
        In the map's frame [m, m^2], as if the errors of all frames were independent.
    shared : array, shape (n, 3, 3)
        Mean of the part of the detections' covariances that frames share [m^2].
    prior_information, prior_vector : arrays, shapes (n, 3, 3) and (n, 3)
        Inverse covariance, and its product with the mean, of the detections that left the window.
    prior_hits : array
        Number of detections that left the window.
    prior_labels, prior_counts : arrays, shape (n, LABELS)
        Their labels and the number of each.
    labels, counts : arrays, shape (n, LABELS)
        Labels of all detections, and the number of each.
    colors, color_counts : arrays, shape (n, COLORS)
    size, size_information : arrays, shape (n, 3)
        Lengths [m] and their inverse variances [1/m^2].
    turn, axis : arrays, shape (n, 2)
        Sums of the unit vectors of headings, and of twice the headings.
    hits : array
        Expected number of detections that show the object.
    reassigned_hits : array
        Hits at the last joint association.
    misses : array of int
        Frames that should have shown the object since the last detection.
    first_ns, last_ns : array of int64
        Stamps of the first and the last detection.
    presence, existence : arrays
        Log-odds that the object is still present, and that it ever existed.
    view_history : array of uint64
        The last 64 frames that had the object in view; bit 0 is frame `view_frame`.
    view_frame : array of int64

    """

    state: NDArray[np.int8]
    serial: NDArray[np.int64]
    position: NDArray[np.float64]
    covariance: NDArray[np.float64]
    shared: NDArray[np.float64]
    prior_information: NDArray[np.float64]
    prior_vector: NDArray[np.float64]
    prior_hits: NDArray[np.float64]
    prior_labels: NDArray[np.int64]
    prior_counts: NDArray[np.float64]
    labels: NDArray[np.int64]
    counts: NDArray[np.float64]
    colors: NDArray[np.int64]
    color_counts: NDArray[np.float64]
    size: NDArray[np.float64]
    size_information: NDArray[np.float64]
    turn: NDArray[np.float64]
    axis: NDArray[np.float64]
    hits: NDArray[np.float64]
    reassigned_hits: NDArray[np.float64]
    misses: NDArray[np.int64]
    first_ns: NDArray[np.int64]
    last_ns: NDArray[np.int64]
    presence: NDArray[np.float64]
    existence: NDArray[np.float64]
    view_history: NDArray[np.uint64]
    view_frame: NDArray[np.int64]

    def __init__(self) -> None:
        self._columns = {
            'state': _column(np.int8, FREE),
            'serial': _column(np.int64, 0),
            'position': _column(np.float64, 0.0, 3),
            'covariance': _column(np.float64, 0.0, 3, 3),
            'shared': _column(np.float64, 0.0, 3, 3),
            'prior_information': _column(np.float64, 0.0, 3, 3),
            'prior_vector': _column(np.float64, 0.0, 3),
            'prior_hits': _column(np.float64, 0.0),
            'prior_labels': _column(np.int64, EMPTY, LABELS),
            'prior_counts': _column(np.float64, 0.0, LABELS),
            'labels': _column(np.int64, EMPTY, LABELS),
            'counts': _column(np.float64, 0.0, LABELS),
            'colors': _column(np.int64, EMPTY, COLORS),
            'color_counts': _column(np.float64, 0.0, COLORS),
            'size': _column(np.float64, 0.0, 3),
            'size_information': _column(np.float64, 0.0, 3),
            'turn': _column(np.float64, 0.0, 2),
            'axis': _column(np.float64, 0.0, 2),
            'hits': _column(np.float64, 0.0),
            'reassigned_hits': _column(np.float64, 0.0),
            'misses': _column(np.int64, 0),
            'first_ns': _column(np.int64, NEVER),
            'last_ns': _column(np.int64, NEVER),
            'presence': _column(np.float64, 0.0),
            'existence': _column(np.float64, 0.0),
            'view_history': _column(np.uint64, 0),
            'view_frame': _column(np.int64, 0),
        }
        for name, blank in self._columns.items():
            setattr(self, name, np.repeat(blank, FIRST_SLOTS, axis=0))
        self._free = list(range(FIRST_SLOTS - 1, -1, -1))
        self._taken = 0

    def __len__(self) -> int:
        """Return the number of objects."""
        return len(self.state) - len(self._free)

    @property
    def slots(self) -> NDArray[np.intp]:
        """Slots in use."""
        return np.flatnonzero(self.state != FREE)

    def label(self, slots: NDArray[np.intp]) -> NDArray[np.int64]:
        """Return the most frequent label of objects, shape (k,)."""
        most = self.counts[slots].argmax(axis=1)
        labels: NDArray[np.int64] = self.labels[slots, most]
        return labels

    def spread(self, slots: NDArray[np.intp]) -> NDArray[np.float64]:
        """
        Return the covariances of the positions of objects, shape (k, 3, 3) [m^2].

        The mean of n detections with covariances R + B, which share the error with covariance B,
        has
        the covariance R / n + B = (R + B) / n + (1 - 1 / n) B. A drifting pose shares less of its
        error than assumed here, never more.
        """
        alone = 1.0 / np.maximum(self.hits[slots], 1.0)
        spread: NDArray[np.float64] = (
            self.covariance[slots] + (1.0 - alone)[:, None, None] * self.shared[slots]
        )
        return spread

    def take(self, count: int) -> NDArray[np.intp]:
        """Return blank slots for `count` objects; they stay free until they have a state."""
        while len(self._free) < count:
            self._grow()
        taken = [self._free.pop() for _ in range(count)]
        slots = np.array(taken, dtype=np.intp)
        for name, blank in self._columns.items():
            getattr(self, name)[slots] = blank
        self.serial[slots] = np.arange(self._taken, self._taken + count)
        self._taken += count
        return slots

    def release(self, slots: NDArray[np.intp]) -> None:
        """Free the slots of objects."""
        self.state[slots] = FREE
        self._free.extend(slots.tolist())

    def mark_in_view(self, slots: NDArray[np.intp], frame: int) -> None:
        """Record that a frame had objects in view, each given once."""
        gone = frame - self.view_frame[slots]
        # A shift by 64 or more is undefined.
        shifted = self.view_history[slots] << np.minimum(gone, 63).astype(np.uint64)
        self.view_history[slots] = np.where(gone < 64, shifted, 0) | np.uint64(1)
        self.view_frame[slots] = frame

    def count_in_view(self, slots: NDArray[np.intp], frame: int) -> NDArray[np.int64]:
        """Count those of the 64 frames up to `frame` that had objects in view."""
        gone = np.minimum(frame - self.view_frame[slots], 64)
        bits = np.unpackbits(
            self.view_history[slots].astype('<u8').view(np.uint8), bitorder='little'
        )
        within = np.arange(64) < (64 - gone)[:, None]
        counted: NDArray[np.int64] = (bits.reshape(-1, 64) * within).sum(axis=1, dtype=np.int64)
        return counted

    def _grow(self) -> None:
        """Double the number of slots."""
        count = len(self.state)
        for name, blank in self._columns.items():
            grown = np.concatenate((getattr(self, name), np.repeat(blank, count, axis=0)))
            setattr(self, name, grown)
        self._free[:0] = range(2 * count - 1, count - 1, -1)


def _column(kind: type, blank: float, *shape: int) -> NDArray[np.generic]:
    """Return the blank row, shape (1, ...), of a column."""
    return np.full((1, *shape), blank, dtype=kind)

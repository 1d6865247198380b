# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Merging of duplicate objects."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.spatial import cKDTree

from world_model_core.objects.mapping.association import NONE, log_density
from world_model_core.objects.mapping.label_model import EMPTY

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.objects.mapping.object_table import ObjectTable

# Two independently detected objects would have been detected together this many times and were
# not: the probability of that is 5 %.
EXPECTED_TOGETHER = 3.0
SHIFT = 32
# The pairs are pruned when they have grown by half, and beyond this number.
MIN_PRUNED = 4096


class CannotLinkConstraints:
    """
    Pairs of objects that one frame showed side by side, and that are never merged.

    Only pairs that are close enough to be merged are kept. Objects are identified by their serial
    numbers.
    """

    def __init__(self) -> None:
        self._pairs: set[int] = set()
        self._limit = MIN_PRUNED

    def __len__(self) -> int:
        """Return the number of pairs."""
        return len(self._pairs)

    def add(
        self, serials: NDArray[np.int64], positions: Array, covariances: Array, gate: float
    ) -> None:
        """Add the close pairs among the objects of a frame: (n,), (n, 3), (n, 3, 3)."""
        if len(serials) < 2:
            return
        widest = float(np.linalg.norm(covariances, axis=(1, 2)).max())
        pairs = cKDTree(positions).query_pairs(np.sqrt(2.0 * gate * widest), output_type='ndarray')
        first, second = pairs.T
        squared, _ = log_density(
            positions[first] - positions[second], covariances[first] + covariances[second]
        )
        close = squared <= gate
        self._pairs.update(_keys(serials[first[close]], serials[second[close]]))

    def transfer(self, successor: int, serial: int) -> None:
        """Transfer the constraints of a merged object to the object it was merged into."""
        mine = [key for key in self._pairs if serial in (key >> SHIFT, key & ((1 << SHIFT) - 1))]
        others = np.array([(key >> SHIFT) + (key & ((1 << SHIFT) - 1)) - serial for key in mine])
        self._pairs.difference_update(mine)
        if len(others):
            self._pairs.update(_keys(np.full(len(others), successor), others))

    def forbids(self, first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which pairs must not be merged."""
        keys = _keys(first, second)
        return np.array([key in self._pairs for key in keys], dtype=bool)

    def prune(self, serials: NDArray[np.int64]) -> None:
        """Remove pairs of objects that are not among those given, if there are many pairs."""
        if len(self._pairs) < self._limit:
            return
        keys = np.fromiter(self._pairs, dtype=np.int64, count=len(self._pairs))
        alive = np.isin(keys >> SHIFT, serials) & np.isin(keys & ((1 << SHIFT) - 1), serials)
        self._pairs = set(keys[alive].tolist())
        self._limit = max(MIN_PRUNED, len(self._pairs) * 3 // 2)

    @property
    def full(self) -> bool:
        """Whether pairs should be pruned."""
        return len(self._pairs) >= self._limit


def _keys(first: NDArray[np.int64], second: NDArray[np.int64]) -> list[int]:
    """Return one number for each pair, independent of its order."""
    low, high = np.minimum(first, second), np.maximum(first, second)
    keys: list[int] = ((low << SHIFT) | high).tolist()
    return keys


def near_pairs(
    owners: NDArray[np.intp], slots: NDArray[np.intp]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """
    Return the pairs of objects that one detection may show.

    Duplicates are both close to the detections of the object.

    Parameters
    ----------
    owners, slots : arrays of int, shape (k,)
        Object that each detection is assigned to, or NONE, and another that it may show.

    """
    kept = (owners != NONE) & (owners != slots)
    low = np.minimum(owners[kept], slots[kept])
    high = np.maximum(owners[kept], slots[kept])
    keys = np.unique((low << SHIFT) | high)
    return keys >> SHIFT, keys & ((1 << SHIFT) - 1)


def mergeable(
    table: ObjectTable,
    first: NDArray[np.intp],
    second: NDArray[np.intp],
    frame: int,
    gate: float,
) -> NDArray[np.bool_]:
    """
    Return which pairs of objects, slots (k,), may be one object.

    Their positions agree within both covariances, their labels agree, and two objects would have
    been detected together by now.
    """
    squared, _ = log_density(
        table.position[first] - table.position[second],
        table.spread(first) + table.spread(second),
    )
    alike = squared <= gate
    alike &= _share_label(table, first, second)
    in_view = np.maximum(table.count_in_view(first, frame), table.count_in_view(second, frame))
    expected = table.hits[first] * table.hits[second] / np.maximum(in_view, 1)
    alike &= expected >= EXPECTED_TOGETHER
    return alike


def _share_label(
    table: ObjectTable, first: NDArray[np.intp], second: NDArray[np.intp]
) -> NDArray[np.bool_]:
    """Return which pairs have the same most frequent label."""
    names = [
        np.take_along_axis(
            table.labels[slots], table.counts[slots].argmax(axis=1)[:, None], axis=1
        )[:, 0]
        for slots in (first, second)
    ]
    same: NDArray[np.bool_] = (names[0] == names[1]) & (names[0] != EMPTY)
    return same

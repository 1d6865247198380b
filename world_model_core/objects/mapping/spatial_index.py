# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Spatial index of objects, for maps that change a little with every frame."""

from __future__ import annotations

import math
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.spatial import cKDTree

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array

# An object enters the tree again if it is this far from its position in the tree [m].
SLACK = 0.1
# Limit of the small tree: this factor times the square root of the size of the large tree, but at
# least the second number. Building costs N log N, and is due after root N changes; searching the
# small tree costs its size.
WAITING, LEAST_WAITING = 8.0, 64


class Pairs(NamedTuple):
    """Rows of places and slots of objects near each other, both of shape (k,)."""

    places: NDArray[np.intp]
    slots: NDArray[np.intp]


class SpatialIndex:
    """
    A k-d tree of most objects, and a small one of those added or moved since it was built.

    The large tree is rebuilt only when the small one has grown to about the square root of its
    size. Estimates that move by less than `SLACK` change neither.
    """

    def __init__(self) -> None:
        self._slots = np.empty(0, dtype=np.intp)
        self._tree: cKDTree | None = None
        self._anchors = np.empty((0, 3))  # by slot: where the trees have it; NaN if nowhere
        self._waits = np.empty(0, dtype=bool)  # by slot: the small tree has it
        self._fresh: dict[int, None] = {}
        self._small: tuple[cKDTree, NDArray[np.intp]] | None = None

    def place(self, slots: NDArray[np.intp], positions: Array) -> None:
        """Add or move objects: slots (n,) and their positions (n, 3)."""
        if not len(slots):
            return
        self._reserve(int(slots.max()) + 1)
        shift = np.abs(positions - self._anchors[slots]).max(axis=1)
        moved = ~(shift <= SLACK / math.sqrt(3.0))
        if moved.any():
            self._anchors[slots[moved]] = positions[moved]
            self._waits[slots[moved]] = True
            self._fresh.update(dict.fromkeys(slots[moved].tolist()))
            self._small = None

    def remove(self, slots: NDArray[np.intp]) -> None:
        """Remove objects."""
        self._anchors[slots] = np.nan
        # The large tree still contains them; marked slots there are not returned.
        self._waits[slots] = True
        for slot in slots.tolist():
            self._fresh.pop(slot, None)
        self._small = None

    def near(self, places: Array, radius: Array | float) -> Pairs:
        """Return objects within a radius [m], one or (n,), of places (n, 3); a few lie beyond."""
        if not len(places):
            return Pairs(np.empty(0, dtype=np.intp), np.empty(0, dtype=np.intp))
        self._tidy()
        reach = radius + SLACK
        rows = slots = np.empty(0, dtype=np.intp)
        if self._tree is not None:
            rows, slots = _pairs(places, self._tree, self._slots, reach)
            kept = ~self._waits[slots]
            rows, slots = rows[kept], slots[kept]
        if self._small is not None:
            more_rows, more_slots = _pairs(places, *self._small, reach)
            rows, slots = np.append(rows, more_rows), np.append(slots, more_slots)
        return Pairs(rows, slots)

    def clear(self) -> None:
        """Remove all objects."""
        self.__init__()  # type: ignore[misc]

    def _reserve(self, count: int) -> None:
        """Make room for slots below `count`."""
        missing = count - len(self._waits)
        if missing > 0:
            grown = max(missing, len(self._waits))
            self._anchors = np.concatenate((self._anchors, np.full((grown, 3), np.nan)))
            self._waits = np.concatenate((self._waits, np.zeros(grown, dtype=bool)))

    def _tidy(self) -> None:
        """Rebuild the small tree if it changed, or the large one if the small one is too large."""
        if self._small is not None or not self._fresh:
            return
        if len(self._fresh) > LEAST_WAITING + WAITING * math.sqrt(len(self._slots)):
            self._slots = np.flatnonzero(np.isfinite(self._anchors[:, 0]))
            self._tree = cKDTree(self._anchors[self._slots])
            self._waits[:] = False
            self._fresh.clear()
        else:
            slots = np.fromiter(self._fresh, dtype=np.intp, count=len(self._fresh))
            self._small = (cKDTree(self._anchors[slots]), slots)


def _pairs(
    places: Array, tree: cKDTree, slots: NDArray[np.intp], reach: Array | float
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the rows of `places` and the slots of `tree` within `reach` of each other."""
    found = tree.query_ball_point(places, reach)
    counts = np.fromiter(map(len, found), dtype=np.intp, count=len(found))
    members = np.fromiter(chain.from_iterable(found), dtype=np.intp, count=int(counts.sum()))
    return np.repeat(np.arange(len(places)), counts), slots[members]

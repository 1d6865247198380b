# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Which objects are near a place, in a map that changes a little with every frame."""

from __future__ import annotations

import math
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.spatial import cKDTree

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array

# An object is put into the tree again once it is this far from where the tree has it [m].
SLACK = 0.1
# Objects that wait outside of the tree: so many times the root of the number within it. Building
# costs N log N, and is due after the root of N changes; scanning the waiting costs their number.
WAITING, LEAST_WAITING = 8.0, 64


class Pairs(NamedTuple):
    """Rows of places and slots of objects near each other, both of shape (k,)."""

    places: NDArray[np.intp]
    slots: NDArray[np.intp]


class SpatialIndex:
    """
    A k-d tree of most objects, and a small one of those that came or moved since it was built.

    The large tree is built anew only when the small one has grown to some root of its size, and
    an estimate that moves by less than `SLACK` changes neither.
    """

    def __init__(self) -> None:
        self._slots = np.empty(0, dtype=np.intp)
        self._tree: cKDTree | None = None
        self._anchors = np.empty((0, 3))  # by slot: where the trees have it; NaN if nowhere
        self._waits = np.empty(0, dtype=bool)  # by slot: the small tree has it
        self._fresh: dict[int, None] = {}
        self._small: tuple[cKDTree, NDArray[np.intp]] | None = None

    def place(self, slots: NDArray[np.intp], positions: Array) -> None:
        """Enter objects, or follow them: slots (n,) and their positions (n, 3)."""
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
        """Forget objects."""
        self._anchors[slots] = np.nan
        # The large tree still has them; what waits there is not found.
        self._waits[slots] = True
        for slot in slots.tolist():
            self._fresh.pop(slot, None)
        self._small = None

    def near(self, places: Array, radius: Array | float) -> Pairs:
        """Find objects within a radius [m], one or (n,), of places (n, 3); a few lie beyond."""
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
        """Forget all objects."""
        self.__init__()  # type: ignore[misc]

    def _reserve(self, count: int) -> None:
        """Make room for slots below `count`."""
        missing = count - len(self._waits)
        if missing > 0:
            grown = max(missing, len(self._waits))
            self._anchors = np.concatenate((self._anchors, np.full((grown, 3), np.nan)))
            self._waits = np.concatenate((self._waits, np.zeros(grown, dtype=bool)))

    def _tidy(self) -> None:
        """Build the small tree where it changed, or the large one where too many wait."""
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
    """List the rows of `places` and the slots of `tree` within `reach` of each other."""
    found = tree.query_ball_point(places, reach)
    counts = np.fromiter(map(len, found), dtype=np.intp, count=len(found))
    members = np.fromiter(chain.from_iterable(found), dtype=np.intp, count=int(counts.sum()))
    return np.repeat(np.arange(len(places)), counts), slots[members]

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Gating of detections by objects near them, with a spatial index."""

from __future__ import annotations

import math
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.spatial import cKDTree

from world_model_core.objects.mapping.association import Edges, log_density

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.objects.mapping.detection_fusion import Frame
    from world_model_core.objects.mapping.label_model import LabelModel
    from world_model_core.objects.mapping.object_table import ObjectTable
    from world_model_core.objects.mapping.parameters import ObjectMapParameters

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


# Frames after which the largest variance is computed again from all objects.
VARIANCE_FRAMES = 256


class NearbyPairs(NamedTuple):
    """Detections and objects near each other: all of shape (k,), offsets [m] (k, 3)."""

    rows: NDArray[np.intp]
    slots: NDArray[np.intp]
    offsets: Array
    squared: Array
    """Squared distances [m^2]."""
    reachable: NDArray[np.bool_]
    """Whether the detection may show the object."""


class AssociationGate:
    """
    Finds candidate pairs of a frame's detections and the objects of the table.

    Parameters
    ----------
    table : ObjectTable
    index : SpatialIndex
        Of the objects in the table.
    parameters : ObjectMapParameters

    """

    def __init__(
        self, table: ObjectTable, index: SpatialIndex, parameters: ObjectMapParameters
    ) -> None:
        self._table, self._index, self._parameters = table, index, parameters
        self._largest_variance = 0.0  # of any object, or an upper bound

    def include(self, slots: NDArray[np.intp]) -> None:
        """Extend the search radius to objects whose covariances changed."""
        largest = max_variance(self._table.covariance[slots])
        self._largest_variance = max(self._largest_variance, largest)

    def nearby(self, frame: Frame) -> NearbyPairs:
        """Return all pairs within the birth gate or the neighborhood."""
        table, parameters = self._table, self._parameters
        if frame.number % VARIANCE_FRAMES == 0:
            self._largest_variance = max_variance(table.covariance[table.slots])
        largest = np.linalg.eigvalsh(frame.covariances)[:, -1] + self._largest_variance
        reach = np.maximum(parameters.birth_gate * largest, parameters.neighborhood**2)
        rows, slots = self._index.near(frame.positions, np.sqrt(reach))
        offsets = frame.positions[rows] - table.position[slots]
        squared = np.einsum('ki,ki->k', offsets, offsets)
        reachable = squared <= parameters.birth_gate * largest[rows]
        return NearbyPairs(rows, slots, offsets, squared, reachable)

    def candidates(
        self, frame: Frame, near: NearbyPairs, model: LabelModel, detection: float
    ) -> Edges:
        """
        Compute distances and likelihood ratios of the pairs within the birth gate.

        Parameters
        ----------
        frame : Frame
        near : NearbyPairs
        model : LabelModel
        detection : float
            Probability that an object in view is detected.

        """
        table, parameters = self._table, self._parameters
        rows, slots = near.rows[near.reachable], near.slots[near.reachable]
        squared, density = log_density(
            near.offsets[near.reachable], frame.covariances[rows] + table.covariance[slots]
        )
        close = squared <= parameters.birth_gate
        rows, slots, squared = rows[close], slots[close], squared[close]
        label = model.probability(table.labels[slots], table.counts[slots], frame.labels[rows])
        none = parameters.clutter_density * model.chance
        gains = density[close] + np.log(detection * label / none)
        return Edges(rows, slots, squared, gains)


def max_variance(covariances: Array) -> float:
    """Return the largest variance along any axis of covariances (n, 3, 3) [m^2]."""
    return float(np.linalg.eigvalsh(covariances)[:, -1].max(initial=0.0))

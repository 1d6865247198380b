# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Joint association of ambiguous objects of the table, and its results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.objects.mapping.association import NONE, Edges, assign
from world_model_core.objects.mapping.joint_association import (
    Ambiguity,
    AssociationModel,
    JointAssociation,
)
from world_model_core.objects.mapping.label_model import EMPTY, add_votes
from world_model_core.objects.mapping.object_table import LABELS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.objects.mapping.detection_window import (
        DetectionWindow,
        WindowMeasurements,
    )
    from world_model_core.objects.mapping.object_table import ObjectTable

# Sweeps after an object was rejected, to reassign its detections.
REJECTION_SWEEPS = 2
# Existence evidence for each detection that left the window [log-odds], the maximum for one frame.
PRIOR_EVIDENCE = 3.0


@dataclass(frozen=True, slots=True)
class AssociationResult:
    """
    Result of a joint association.

    Attributes
    ----------
    owners : mapping
        From the slot to which a detection of this frame was assigned before, to the slot of the
        object that it shows now, or NONE.
    rejected : mapping
        From the slot of a rejected object to the slot of the object that received most of its
        detections, or NONE.

    """

    owners: dict[int, int]
    rejected: dict[int, int]


class AmbiguityResolver:
    """
    Associates the kept detections of ambiguous objects again.

    Parameters
    ----------
    table : ObjectTable
    window : DetectionWindow
        Both are modified.
    min_existence : float
        Log-odds below which an object that others explain is rejected.

    """

    def __init__(self, table: ObjectTable, window: DetectionWindow, min_existence: float) -> None:
        self._table, self._window = table, window
        self._least = min_existence

    def resolve(
        self,
        slots: NDArray[np.intp],
        free: NDArray[np.bool_],
        frame: int,
        association_model: AssociationModel,
    ) -> AssociationResult:
        """
        Associate the kept detections of some objects again.

        Parameters
        ----------
        slots : array of int, shape (m,)
            Objects involved, ascending.
        free : array of bool, shape (m,)
            Which of them may change; the others only compete for detections.
        frame : int
            Number of this frame.
        association_model : AssociationModel

        Returns
        -------
        AssociationResult

        """
        kept = self._window.of(slots)
        words = np.unique(np.concatenate((kept.labels, self._table.prior_labels[slots].ravel())))
        words = words[words != EMPTY]
        local = kept._replace(
            owners=np.searchsorted(slots, kept.owners),
            labels=np.searchsorted(words, kept.labels),
        )
        association = JointAssociation(
            self._ambiguity(slots, free, words), local, association_model
        )
        association.run()
        in_view = self._table.count_in_view(slots, frame)
        existence = self._existence(association, slots, in_view)
        row = self._weakest(existence, free)
        rejected: dict[int, int] = {}
        if row is not None:
            association.reject(row)
            association.run(REJECTION_SWEEPS)
            existence = self._existence(association, slots, in_view)
            rejected[int(slots[row])] = _successor(association, local, row, slots)
        self._write(association, slots, words, existence)
        self._reorder(association, kept, slots)
        return AssociationResult(_assign_newest(association, kept, frame, slots), rejected)

    def _ambiguity(
        self, slots: NDArray[np.intp], free: NDArray[np.bool_], words: NDArray[np.int64]
    ) -> Ambiguity:
        """Copy the state of the objects from the table."""
        table = self._table
        return Ambiguity(
            position=table.position[slots],
            covariance=table.covariance[slots],
            prior_information=table.prior_information[slots],
            prior_vector=table.prior_vector[slots],
            prior_counts=_spread(table.prior_labels[slots], table.prior_counts[slots], words),
            counts=_spread(table.labels[slots], table.counts[slots], words),
            free=free,
        )

    def _existence(
        self, association: JointAssociation, slots: NDArray[np.intp], in_view: NDArray[np.int64]
    ) -> Array:
        """Return the log-odds that the objects exist, from kept detections and those that left."""
        old: Array = PRIOR_EVIDENCE * self._table.prior_hits[slots]
        return association.existence(in_view) + old

    def _weakest(self, existence: Array, free: NDArray[np.bool_]) -> int | None:
        """Return the row of the least likely object below the limit, or None; one at a time."""
        candidates = np.where(free, existence, np.inf)
        row = int(candidates.argmin())
        return row if candidates[row] < self._least else None

    def _write(
        self,
        association: JointAssociation,
        slots: NDArray[np.intp],
        words: NDArray[np.int64],
        existence: Array,
    ) -> None:
        """Write the estimates back to the table."""
        table, ambiguity = self._table, association.ambiguity
        free = ambiguity.free
        chosen = slots[free]
        table.position[chosen] = ambiguity.position[free]
        table.covariance[chosen] = ambiguity.covariance[free]
        table.hits[chosen] = (table.prior_hits[slots] + association.hits)[free]
        table.existence[chosen] = existence[free]
        table.reassigned_hits[chosen] = table.hits[chosen]
        # An object that has lost all its detections keeps its label.
        named = free & (ambiguity.counts.max(axis=1) > 0.0)
        labels, counts = _gather(ambiguity.counts[named], words)
        table.labels[slots[named]], table.counts[slots[named]] = labels, counts

    def _reorder(
        self, association: JointAssociation, kept: WindowMeasurements, slots: NDArray[np.intp]
    ) -> None:
        """Move each kept detection to its most likely object, and drop those that show none."""
        rows = association.owners()
        owners = np.where(rows >= 0, slots[rows], NONE)
        changed = owners != kept.owners
        if changed.any():
            touched = np.unique(np.concatenate((kept.owners[changed], owners[changed])))
            touched = touched[touched != NONE]
            theirs = kept._replace(owners=owners).pick(np.isin(owners, touched))
            self.marginalize(self._window.replace(touched, theirs))

    def merge(self, older: int, younger: int) -> None:
        """Merge one object into another; their detections are distinct."""
        table = self._table
        pair = np.array((older, younger), dtype=np.intp)
        theirs = self._window.of(pair)
        self.marginalize(
            self._window.replace(pair, theirs._replace(owners=np.full_like(theirs.owners, older)))
        )
        information = np.linalg.inv(table.covariance[pair])
        vector = np.einsum('nij,nj->i', information, table.position[pair])
        spread = np.linalg.inv(information.sum(axis=0))
        table.covariance[older] = 0.5 * (spread + spread.T)
        table.position[older] = table.covariance[older] @ vector
        table.shared[older] = np.average(table.shared[pair], axis=0, weights=table.hits[pair])
        for name in (
            'prior_information',
            'prior_vector',
            'prior_hits',
            'hits',
            'turn',
            'axis',
        ):
            column = getattr(table, name)
            column[older] += column[younger]
        for words, counts in (
            (table.labels, table.counts),
            (table.prior_labels, table.prior_counts),
            (table.colors, table.color_counts),
        ):
            _add_histogram(words, counts, older, younger)
        self._merge_sizes(older, younger)

    def _merge_sizes(self, older: int, younger: int) -> None:
        """Average the two sizes by their information."""
        table = self._table
        both = table.size_information[older] + table.size_information[younger]
        part = np.divide(table.size_information[younger], both, out=np.zeros(3), where=both > 0.0)
        table.size[older] += part * (table.size[younger] - table.size[older])
        table.size_information[older] = both

    def marginalize(self, old: WindowMeasurements) -> None:
        """Add detections that left the window to the priors of their objects."""
        table = self._table
        for number in range(len(old.frames)):
            slot, information = old.owners[number], old.information[number]
            table.prior_information[slot] += information
            table.prior_vector[slot] += information @ old.positions[number]
            table.prior_hits[slot] += 1.0
            labels, counts = table.prior_labels[slot], table.prior_counts[slot]
            same = labels == old.labels[number]
            column = int(same.argmax() if same.any() else counts.argmin())
            if not same.any():
                counts[column] = 0.0
            labels[column] = old.labels[number]
            counts[column] += 1.0


def _add_histogram(words: NDArray[np.int64], counts: Array, older: int, younger: int) -> None:
    """Add one label histogram to another of the same table."""
    slot = np.array((older,), dtype=np.intp)
    for word, count in zip(words[younger].tolist(), counts[younger].tolist(), strict=True):
        if word != EMPTY:
            add_votes(words, counts, slot, np.array((word,)), np.array((count,)))


def _spread(labels: NDArray[np.int64], counts: Array, words: NDArray[np.int64]) -> Array:
    """Expand histograms to the labels of the ambiguity, shape (m, labels)."""
    spread = np.zeros((len(labels), len(words)))
    columns = np.searchsorted(words, labels)
    known = (labels != EMPTY) & (columns < len(words))
    known &= words[np.minimum(columns, len(words) - 1)] == labels
    rows = np.nonzero(known)[0]
    spread[rows, columns[known]] = counts[known]
    return spread


def _gather(counts: Array, words: NDArray[np.int64]) -> tuple[NDArray[np.int64], Array]:
    """Keep the most frequent labels of each object, shapes (m, LABELS)."""
    order = np.argsort(-counts, axis=1, kind='stable')[:, :LABELS]
    labels = np.full((len(counts), LABELS), EMPTY, dtype=np.int64)
    kept = np.zeros((len(counts), LABELS))
    found = np.take_along_axis(counts, order, axis=1)
    width = order.shape[1]
    labels[:, :width] = np.where(found > 0.0, words[order], EMPTY)
    kept[:, :width] = found
    return labels, kept


def _successor(
    association: JointAssociation, local: WindowMeasurements, row: int, slots: NDArray[np.intp]
) -> int:
    """Return the slot of the object with most of another object's detections, or NONE."""
    detections, objects = association.pairs.detections, association.pairs.objects
    his = local.owners[detections] == row
    shares = np.bincount(objects[his], association.probability[his], len(slots))
    return int(slots[shares.argmax()]) if shares.max(initial=0.0) > 0.5 else NONE


def _assign_newest(
    association: JointAssociation, kept: WindowMeasurements, frame: int, slots: NDArray[np.intp]
) -> dict[int, int]:
    """Assign the detections of this frame, one to one."""
    now = np.flatnonzero(kept.frames == frame)
    detections, objects = association.pairs.detections, association.pairs.objects
    rows = np.full(len(kept.frames), NONE, dtype=np.intp)
    rows[now] = np.arange(len(now))
    chosen = rows[detections] != NONE
    gains = association.logarithms[chosen]
    edges = Edges(rows[detections[chosen]], slots[objects[chosen]], gains, gains)
    found = assign(edges, len(now))
    return dict(zip(kept.owners[now].tolist(), found.tolist(), strict=True))

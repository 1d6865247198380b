# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The object map: detections in, frame by frame; objects out."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.objects.labels import normalize_label
from world_model_core.objects.mapping.detection_fusion import Frame
from world_model_core.objects.mapping.detection_validation import pick, usable
from world_model_core.objects.mapping.frame_history import StampFilter
from world_model_core.objects.mapping.label_model import (
    EMPTY,
    LabelModel,
    LabelVocabulary,
)
from world_model_core.objects.mapping.lifecycle import log_odds
from world_model_core.objects.mapping.map_changes import (
    ChangeTracker,
    restore_rows,
    valid_rows,
)
from world_model_core.objects.mapping.map_estimator import MapEstimator
from world_model_core.objects.mapping.object_conversion import restore_object, write_object
from world_model_core.objects.mapping.object_ids import ObjectIds
from world_model_core.objects.mapping.object_table import FREE
from world_model_core.objects.mapping.parameters import ObjectMapParameters
from world_model_core.objects.values import UNKNOWN, ObjectState, Tombstone

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from world_model_core.objects.mapping.map_changes import MapChange
    from world_model_core.objects.mapping.map_estimator import FrameUpdate
    from world_model_core.objects.values import CameraView, Detections, MapObject

__all__ = ['MapUpdate', 'ObjectMap']


@dataclass(frozen=True, slots=True)
class MapUpdate:
    """
    Changes of a frame; objects by their ids.

    Attributes
    ----------
    ids : tuple of (str or None)
        Object that each detection shows; None if it was dropped or not assigned.
    created, confirmed, missing, deleted : tuple of str
        Tentative objects that are discarded are not listed.
    merged : tuple of (str, str)
        Ids of merged objects, and of the objects into which they were merged.
    dropped : str
        Why the whole frame was dropped; empty if it was used.

    """

    ids: tuple[str | None, ...]
    created: tuple[str, ...] = ()
    confirmed: tuple[str, ...] = ()
    merged: tuple[tuple[str, str], ...] = ()
    missing: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    dropped: str = ''


class ObjectMap:
    """
    Map of the objects of a place, from noisy, partly false and incomplete detections.

    Each frame is compared with the objects near its detections, associated, and fused. Where the
    association is ambiguous, the detections of the last frames are associated again. The result
    does not depend on the order of the detections within a frame.

    Parameters
    ----------
    parameters : ObjectMapParameters, optional

    Attributes
    ----------
    dropped : Counter
        Dropped frames, detections and new objects, by cause.
    interest : frozenset of str
        Labels to map: detections of other labels are ignored, and their objects are not missed.
        Empty for all.
    ignored : frozenset of str
        Labels not to map.

    """

    def __init__(self, parameters: ObjectMapParameters | None = None) -> None:
        self._parameters = parameters or ObjectMapParameters()
        self.dropped: Counter[str] = Counter()
        self.interest: frozenset[str] = frozenset()
        self.ignored: frozenset[str] = frozenset()
        self._names = ObjectIds(self._parameters.tombstone_limit)
        self.clear()

    def clear(self) -> None:
        """Remove all objects; ids that were given are not reused."""
        parameters, given = self._parameters, self._names.next_id
        self._names = ObjectIds(parameters.tombstone_limit)
        self._names.next_id = given
        self._labels = LabelVocabulary(parameters.label_limit)
        self._colors = LabelVocabulary(parameters.label_limit)
        self._stamp_filter = StampFilter(parameters.lateness, parameters.leap)
        self._estimator = MapEstimator(parameters)
        self._number = 0
        self._track()

    def _track(self) -> None:
        table = self._estimator.table
        self._tracker = ChangeTracker(table, self._names, self._labels, self._colors)

    @property
    def next_id(self) -> int:
        """Number of the id of the next new object."""
        return self._names.next_id

    @property
    def objects(self) -> tuple[MapObject, ...]:
        """All objects that are not deleted."""
        return self._write(self._estimator.table.slots)

    @property
    def tombstones(self) -> tuple[Tombstone, ...]:
        """Tombstones of deleted objects, oldest first."""
        return self._names.tombstones

    def restore(
        self, objects: Iterable[MapObject], tombstones: Iterable[Tombstone], next_id: int
    ) -> None:
        """
        Replace all objects by those of a saved map.

        Parameters
        ----------
        objects : iterable of MapObject
        tombstones : iterable of Tombstone
        next_id : int
            Number of the next id.

        """
        self.clear()
        self.skip_ids(next_id)
        for record in tombstones:
            self._names.add_tombstone(record)
        kept = [each for each in objects if each.state is not ObjectState.DELETED]
        table = self._estimator.table
        slots = table.take(len(kept))
        words, certain = (self._labels, self._colors), log_odds(self._parameters.most_certain)
        for slot, each in zip(slots.tolist(), kept, strict=True):
            self._names.enter(slot, each.id, each)
            restore_object(
                table, slot, each, words=words, parameters=self._parameters, evidence=certain
            )
        self._estimator.enter(slots)

    def skip_ids(self, next_id: int) -> None:
        """Give no id below a number."""
        self._names.next_id = max(self._names.next_id, next_id)

    def take_change(self, *, full: bool = False) -> MapChange:
        """Return the change since the last call; at first, and after `clear`, the full map."""
        if full:
            self._track()
        return self._tracker.take()

    def resume(self, change: MapChange) -> None:
        """
        Replace all objects by those of a full change, as it was taken from another map.

        Invalid objects are dropped and counted.
        """
        self.clear()
        self.skip_ids(change.next_id)
        for record in change.tombstones:
            self._names.add_tombstone(record)
        words = self._labels.number(change.labels), self._colors.number(change.colors)
        valid = valid_rows(change, words[0])
        self.dropped.update(+Counter({'invalid object in the journal': int((~valid).sum())}))
        numbers, slots = np.flatnonzero(valid), self._estimator.table.take(int(valid.sum()))
        restore_rows(self._estimator.table, slots, change.rows[numbers], *words)
        for slot, number in zip(slots.tolist(), numbers.tolist(), strict=True):
            name = change.ids[number]
            self._names.enter(slot, name, change.origins.get(name))
        self._estimator.enter(slots)

    def observe(self, detections: Detections, view: CameraView | None = None) -> MapUpdate:
        """
        Update the map with a frame.

        Parameters
        ----------
        detections : Detections
            Invalid detections are dropped and counted, and so are frames with an invalid stamp,
            see
            StampFilter.
        view : CameraView, optional
            Field of view of the camera; without it objects are never missed.

        Returns
        -------
        MapUpdate

        """
        nothing: tuple[str | None, ...] = (None,) * len(detections)
        reason = self._stamp_filter.check(detections.stamp_ns)
        if reason is not None:
            self.dropped[reason] += 1
            return MapUpdate(nothing, dropped=reason)
        rows, frame = self._select(detections)
        model = LabelModel(self._parameters.label_flicker, len(self._labels))
        self._estimator.interest_labels = (
            self._labels.known(self.interest) if self.interest else None
        )
        update = self._estimator.observe(frame, model, view)
        return self._report(rows, update, detections)

    def _select(self, detections: Detections) -> tuple[NDArray[np.intp], Frame]:
        """Select the detections to use, in an order that does not depend on the detector."""
        rows, dropped = usable(detections, self._parameters)
        self.dropped.update(dropped)
        if self.interest or self.ignored:
            wanted, unwanted = map(_normalized, (self.interest, self.ignored))
            labels = [normalize_label(detections.labels[row]) for row in rows.tolist()]
            used = [label not in unwanted and (not wanted or label in wanted) for label in labels]
            rows = rows[np.array(used, dtype=bool)]
        rows = _order(detections, rows)
        numbers = self._labels.number(detections.labels[row] for row in rows.tolist())
        known = numbers != EMPTY
        self.dropped.update(+Counter({'too many labels': int((~known).sum())}))
        return rows[known], self._frame(detections, rows[known], numbers[known])

    def _frame(
        self, detections: Detections, rows: NDArray[np.intp], labels: NDArray[np.int64]
    ) -> Frame:
        """Convert detections to the arrays of the estimator."""
        self._number += 1
        chosen = pick(detections, rows, self._parameters)
        covariances = 0.5 * (chosen.covariances + chosen.covariances.swapaxes(1, 2))
        covariances += self._parameters.least_std**2 * np.eye(3)
        colors = np.full(len(rows), EMPTY, dtype=np.int64)
        named = [row for row, color in enumerate(chosen.colors) if color != UNKNOWN]
        colors[named] = self._colors.number(chosen.colors[row] for row in named)
        return Frame(
            number=self._number,
            stamp_ns=chosen.stamp_ns,
            positions=chosen.positions,
            covariances=covariances,
            information=np.asarray(np.linalg.inv(covariances), dtype=np.float64),
            shared=np.zeros_like(covariances) if chosen.shared is None else chosen.shared,
            labels=labels,
            colors=colors,
            sizes=chosen.sizes,
            headings=chosen.headings,
        )

    def _report(
        self, rows: NDArray[np.intp], update: FrameUpdate, detections: Detections
    ) -> MapUpdate:
        """Convert the changes of slots to ids, and delete objects."""
        changes = update.changes
        for slot in update.created.tolist():
            self._names.begin(slot)
        self.dropped.update(+Counter({'map full': self._estimator.full}))
        self._estimator.full = 0
        ids: list[str | None] = [None] * len(detections)
        for row, slot in zip(rows.tolist(), update.owners.tolist(), strict=True):
            ids[row] = self._names.find(slot)
        successors = {a: self._names.name((b,))[0] for a, b in update.merged.items()}
        changed = MapUpdate(
            ids=tuple(ids),
            created=self._names.name(update.created.tolist()),
            confirmed=self._names.name(changes.confirmed.tolist()),
            merged=tuple(
                (self._names.name((a,))[0], successor) for a, successor in successors.items()
            ),
            missing=self._names.name(changes.missing.tolist()),
            deleted=self._names.name(changes.deleted.tolist()),
        )
        self._delete((*successors, *update.removed), successors, detections.stamp_ns)
        return changed

    def _delete(self, gone: Iterable[int], successors: Mapping[int, str], stamp_ns: int) -> None:
        """Delete objects; those that were confirmed leave a tombstone."""
        slots = np.array(tuple(gone), dtype=np.intp)
        self._estimator.table.state[slots] = FREE
        for slot, lost in zip(slots.tolist(), self._write(slots), strict=True):
            successor = successors.get(slot)
            reason = 'not seen though in view' if successor is None else 'merged'
            counted = lost.hits >= self._parameters.confirm_hits
            stone = Tombstone(lost.id, lost.label, stamp_ns, reason, successor)
            self._names.remove(slot, stone if counted else None)
        self._estimator.leave(slots)

    def _write(self, slots: NDArray[np.intp]) -> tuple[MapObject, ...]:
        """Convert the objects in some slots to values."""
        model = LabelModel(self._parameters.label_flicker, len(self._labels))
        names = self._names.name(slots.tolist())
        sure = self._estimator.lifecycle.confidence(slots).tolist()
        words = (self._labels, self._colors)
        return tuple(
            write_object(
                self._estimator.table,
                slot,
                name=name,
                confidence=chance,
                words=words,
                model=model,
                origin=self._names.origin(slot),
            )
            for slot, name, chance in zip(slots.tolist(), names, sure, strict=True)
        )


def _normalized(labels: Iterable[str]) -> frozenset[str]:
    return frozenset(map(normalize_label, labels))


def _order(detections: Detections, rows: NDArray[np.intp]) -> NDArray[np.intp]:
    """Sort detections by position, and detections at one position by label."""
    places = detections.positions[rows]
    order = np.lexsort(places.T)
    if (np.diff(places[order], axis=0) == 0.0).all(axis=1).any():
        labels = [detections.labels[row] for row in rows.tolist()]
        order = np.lexsort((np.array(labels, dtype=np.str_), *places.T))
    return rows[order]

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The map of objects: detections in, frame by frame; objects out."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.objects.mapping.detection_fusion import Frame
from world_model_core.objects.mapping.detection_validation import pick, usable
from world_model_core.objects.mapping.label_model import (
    EMPTY,
    LabelModel,
    LabelVocabulary,
    normalise,
)
from world_model_core.objects.mapping.lifecycle import log_odds
from world_model_core.objects.mapping.map_estimator import MapEstimator
from world_model_core.objects.mapping.object_conversion import restore_object, write_object
from world_model_core.objects.mapping.object_ids import ObjectIds
from world_model_core.objects.mapping.object_table import FREE
from world_model_core.objects.mapping.parameters import ObjectMapParameters
from world_model_core.objects.mapping.stamp_filter import StampFilter
from world_model_core.objects.values import UNKNOWN, ObjectState, Tombstone

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from world_model_core.objects.mapping.map_estimator import FrameUpdate
    from world_model_core.objects.values import CameraView, Detections, MapObject

__all__ = ['MapUpdate', 'ObjectMap']


@dataclass(frozen=True, slots=True)
class MapUpdate:
    """
    What a frame changed; objects by their ids.

    Attributes
    ----------
    ids : tuple of (str or None)
        Object that each detection shows; None where it was dropped, or shows none for sure.
    created, confirmed, missing, deleted : tuple of str
        Tentative objects that proved to be none are forgotten without being told of.
    merged : tuple of (str, str)
        Objects that were found to be others, and those.

    """

    ids: tuple[str | None, ...]
    created: tuple[str, ...] = ()
    confirmed: tuple[str, ...] = ()
    merged: tuple[tuple[str, str], ...] = ()
    missing: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()


class ObjectMap:
    """
    The objects of a place, of detections that are vague, sometimes wrong and often missing.

    What a frame shows is compared with all that is known near it, assigned as well as can be, and
    fused; where objects compete for detections, those of the last frames are assigned again. The
    result does not depend on the order of the detections within a frame.

    Parameters
    ----------
    parameters : ObjectMapParameters, optional

    Attributes
    ----------
    dropped : Counter
        Frames, detections and births that were not taken, by cause.
    interest : frozenset of str
        Labels to which the map gives its effort; detections of others are passed over, and objects
        of others are not missed. Empty for all.

    """

    def __init__(self, parameters: ObjectMapParameters | None = None) -> None:
        self._parameters = parameters or ObjectMapParameters()
        self.dropped: Counter[str] = Counter()
        self.interest: frozenset[str] = frozenset()
        self._names = ObjectIds(self._parameters.tombstone_limit)
        self.clear()

    def clear(self) -> None:
        """Forget everything but which ids were given."""
        parameters, given = self._parameters, self._names.next_id
        self._names = ObjectIds(parameters.tombstone_limit)
        self._names.next_id = given
        self._labels = LabelVocabulary(parameters.label_limit)
        self._colors = LabelVocabulary(parameters.label_limit)
        self._stamp_filter = StampFilter(parameters.lateness, parameters.leap)
        self._estimator = MapEstimator(parameters)
        self._number = 0

    @property
    def next_id(self) -> int:
        """The number that the next new object is called by."""
        return self._names.next_id

    @property
    def objects(self) -> tuple[MapObject, ...]:
        """All objects but those deleted."""
        return self._write(self._estimator.table.slots)

    @property
    def tombstones(self) -> tuple[Tombstone, ...]:
        """Records of the objects that were deleted, oldest first."""
        return self._names.tombstones

    def restore(
        self, objects: Iterable[MapObject], tombstones: Iterable[Tombstone], next_id: int
    ) -> None:
        """Begin with the objects of a saved map in place of those at hand."""
        self.clear()
        self._names.next_id = max(self._names.next_id, next_id)
        for record in tombstones:
            self._names.add_tombstone(record)
        kept = [each for each in objects if each.state is not ObjectState.DELETED]
        table = self._estimator.table
        slots = table.take(len(kept))
        words, certain = (self._labels, self._colors), log_odds(self._parameters.most_certain)
        for slot, each in zip(slots.tolist(), kept, strict=True):
            self._names.restore(slot, each)
            restore_object(
                table, slot, each, words=words, parameters=self._parameters, evidence=certain
            )
        self._estimator.enter(slots)

    def observe(self, detections: Detections, view: CameraView | None = None) -> MapUpdate:
        """
        Take in what a frame shows.

        Parameters
        ----------
        detections : Detections
            Bad ones are dropped and counted; so are frames whose stamps make no sense, see Stamps.
        view : CameraView, optional
            What the sensor could see: without it objects are never missed.

        """
        nothing: tuple[str | None, ...] = (None,) * len(detections)
        reason = self._stamp_filter.check(detections.stamp_ns)
        if reason is not None:
            self.dropped[reason] += 1
            return MapUpdate(nothing)
        rows, frame = self._select(detections)
        model = LabelModel(self._parameters.label_flicker, len(self._labels))
        self._estimator.interest_labels = (
            self._labels.known(self.interest) if self.interest else None
        )
        update = self._estimator.observe(frame, model, view)
        return self._report(rows, update, detections)

    def _select(self, detections: Detections) -> tuple[NDArray[np.intp], Frame]:
        """Choose what of a frame is used, in an order that is not that of the detector."""
        rows, dropped = usable(detections, self._parameters)
        self.dropped.update(dropped)
        if self.interest:
            wanted = {normalise(label) for label in self.interest}
            labels = [normalise(detections.labels[row]) for row in rows.tolist()]
            rows = rows[np.array([label in wanted for label in labels], dtype=bool)]
        rows = _order(detections, rows)
        numbers = self._labels.number(detections.labels[row] for row in rows.tolist())
        known = numbers != EMPTY
        self.dropped.update(+Counter({'too many labels': int((~known).sum())}))
        return rows[known], self._frame(detections, rows[known], numbers[known])

    def _frame(
        self, detections: Detections, rows: NDArray[np.intp], labels: NDArray[np.int64]
    ) -> Frame:
        """Put detections into the form in which the estimator works."""
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
        """Name what changed, and bury what is no more."""
        changes = update.changes
        for slot in update.created.tolist():
            self._names.begin(slot)
        self.dropped.update(+Counter({'map full': self._estimator.full}))
        self._estimator.full = 0
        ids: list[str | None] = [None] * len(detections)
        for row, slot in zip(rows.tolist(), update.owners.tolist(), strict=True):
            ids[row] = self._names.find(slot)
        successors = {a: self._names.name((b,))[0] for a, b in update.merged.items()}
        told = MapUpdate(
            ids=tuple(ids),
            created=self._names.name(update.created.tolist()),
            confirmed=self._names.name(changes.confirmed.tolist()),
            merged=tuple(
                (self._names.name((a,))[0], successor) for a, successor in successors.items()
            ),
            missing=self._names.name(changes.missing.tolist()),
            deleted=self._names.name(changes.deleted.tolist()),
        )
        self._delete((*successors, *update.given_up), successors, detections.stamp_ns)
        return told

    def _delete(self, gone: Iterable[int], successors: Mapping[int, str], stamp_ns: int) -> None:
        """Give objects up, with a tombstone for each that ever counted."""
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
        """Write objects as values."""
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


def _order(detections: Detections, rows: NDArray[np.intp]) -> NDArray[np.intp]:
    """Sort detections by their places, and those of one place by their labels."""
    places = detections.positions[rows]
    order = np.lexsort(places.T)
    if (np.diff(places[order], axis=0) == 0.0).all(axis=1).any():
        labels = [detections.labels[row] for row in rows.tolist()]
        order = np.lexsort((np.array(labels, dtype=np.str_), *places.T))
    return rows[order]

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Changes of an object map: the rows of the objects that differ from the last change."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.frames import is_covariance
from world_model_core.objects.mapping.label_model import EMPTY
from world_model_core.objects.mapping.object_table import COLORS, FREE, LABELS, MISSING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from world_model_core.objects.mapping.label_model import LabelVocabulary
    from world_model_core.objects.mapping.object_ids import ObjectIds
    from world_model_core.objects.mapping.object_table import ObjectTable
    from world_model_core.objects.values import MapObject, Tombstone

# The columns of `ObjectTable` from which an object can be restored. The others describe the
# detections of the last frames, which are not kept. All items have 8 bytes, so that rows can be
# compared as integers.
ROW = np.dtype(
    [
        ('state', '<i8'),
        ('serial', '<i8'),
        ('position', '<f8', (3,)),
        ('covariance', '<f8', (3, 3)),
        ('shared', '<f8', (3, 3)),
        ('labels', '<i8', (LABELS,)),
        ('counts', '<f8', (LABELS,)),
        ('colors', '<i8', (COLORS,)),
        ('color_counts', '<f8', (COLORS,)),
        ('size', '<f8', (3,)),
        ('size_information', '<f8', (3,)),
        ('turn', '<f8', (2,)),
        ('axis', '<f8', (2,)),
        ('hits', '<f8'),
        ('misses', '<i8'),
        ('first_ns', '<i8'),
        ('last_ns', '<i8'),
        ('presence', '<f8'),
        ('existence', '<f8'),
    ]
)
NAMES = ROW.names or ()
REALS = tuple(name for name in NAMES if ROW[name].base.kind == 'f')


@dataclass(frozen=True, slots=True)
class MapChange:
    """
    Difference between two states of an object map.

    Attributes
    ----------
    full : bool
        The former state is the empty map.
    next_id : int
        All numbers below it are ids that were given, or are reserved.
    labels, colors : tuple of str
        New words; `rows` contains the numbers of words, counted from the last full change.
    ids : tuple of str
        New and changed objects.
    rows : array of ROW, shape (n,)
        These objects.
    origins : mapping
        By id, loaded objects with values that `rows` does not contain; only in a full change.
    removed : tuple of str
        Ids of removed objects.
    tombstones : tuple of Tombstone
        New ones.

    """

    full: bool = False
    next_id: int = 0
    labels: tuple[str, ...] = ()
    colors: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    rows: NDArray[np.void] = field(default_factory=lambda: np.empty(0, ROW))
    origins: Mapping[str, MapObject] = field(default_factory=dict)
    removed: tuple[str, ...] = ()
    tombstones: tuple[Tombstone, ...] = ()


class ChangeTracker:
    """
    Finds the changes of an object map.

    Parameters
    ----------
    table : ObjectTable
    ids : ObjectIds
    labels, colors : LabelVocabulary

    """

    def __init__(
        self, table: ObjectTable, ids: ObjectIds, labels: LabelVocabulary, colors: LabelVocabulary
    ) -> None:
        self._table, self._names, self._words = table, ids, (labels, colors)
        self._rows = np.zeros(len(table.state), ROW)
        self._spare = self._rows.copy()
        self._ids: dict[int, str] = {}
        self._reported = [0, 0]
        self._tombstones = 0
        self._full = True

    def take(self) -> MapChange:
        """Return the change since the last call; the first one is full."""
        full, self._full = self._full, False
        rows, before = self._pack()
        changed = np.flatnonzero((_items(rows) != _items(before)).any(axis=1))
        living = rows['state'][changed] != FREE
        other = rows['serial'][changed] != before['serial'][changed]
        gone = (before['state'][changed] != FREE) & (~living | other)
        removed = tuple(self._ids.pop(slot) for slot in changed[gone].tolist())
        slots = changed[living]
        ids = self._names.name(slots.tolist())
        self._ids.update(zip(slots.tolist(), ids, strict=True))
        labels, colors = self._new_words()
        return MapChange(
            full=full,
            next_id=self._names.next_id,
            labels=labels,
            colors=colors,
            ids=ids,
            # Numpy copies integers ten times as fast as rows.
            rows=np.take(_items(rows), slots, axis=0).reshape(-1).view(ROW),
            origins=self._origins() if full else {},
            removed=removed,
            tombstones=self._new_tombstones(),
        )

    def _pack(self) -> tuple[NDArray[np.void], NDArray[np.void]]:
        """Return the rows of all slots, now and at the last call."""
        before, rows = self._rows, self._spare
        added = len(self._table.state) - len(rows)
        if added:
            before, rows = (
                np.concatenate((each, np.zeros(added, ROW))) for each in (before, rows)
            )
        for name in NAMES:
            rows[name] = getattr(self._table, name)
        # New arrays of this size would take longer than the rest.
        self._rows, self._spare = rows, before
        return rows, before

    def _new_words(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        known, self._reported = self._reported, [len(each) for each in self._words]
        labels, colors = (
            tuple(each.words[n:]) for each, n in zip(self._words, known, strict=True)
        )
        return labels, colors

    def _new_tombstones(self) -> tuple[Tombstone, ...]:
        count = self._names.buried - self._tombstones
        self._tombstones = self._names.buried
        return self._names.tombstones[-count:] if count else ()

    def _origins(self) -> dict[str, MapObject]:
        """Return the loaded objects with names, regions or keys that detections do not have."""
        found = (self._names.origin(slot) for slot in self._ids)
        return {each.id: each for each in found if each is not None and _has_details(each)}


def _has_details(thing: MapObject) -> bool:
    painted = any(each.rgb is not None or each.extra for each in thing.colors)
    return bool(thing.aliases or thing.region or thing.extra or painted)


def _items(rows: NDArray[np.void]) -> NDArray[np.int64]:
    """View rows as integers, shape (n, m)."""
    return rows.view(np.int64).reshape(len(rows), ROW.itemsize // 8)


def restore_rows(
    table: ObjectTable,
    slots: NDArray[np.intp],
    rows: NDArray[np.void],
    labels: NDArray[np.int64],
    colors: NDArray[np.int64],
) -> None:
    """
    Write rows into blank slots; their detections become the prior.

    Parameters
    ----------
    table : ObjectTable
    slots : array of int, shape (n,)
    rows : array of ROW, shape (n,)
    labels, colors : array of int
        New numbers of the words of the rows.

    """
    for name in (each for each in NAMES if each != 'serial'):
        getattr(table, name)[slots] = rows[name]
    # The number EMPTY, -1, selects the last item.
    table.labels[slots] = np.append(labels, EMPTY)[rows['labels']]
    table.colors[slots] = np.append(colors, EMPTY)[rows['colors']]
    information = np.linalg.inv(table.covariance[slots])
    table.prior_information[slots] = information
    table.prior_vector[slots] = (information @ table.position[slots][..., None])[..., 0]
    table.prior_hits[slots] = table.reassigned_hits[slots] = table.hits[slots]
    table.prior_labels[slots] = table.labels[slots]
    table.prior_counts[slots] = table.counts[slots]


def valid_rows(change: MapChange, labels: NDArray[np.int64]) -> NDArray[np.bool_]:
    """
    Return which rows describe an object: finite, with a state and a label.

    Parameters
    ----------
    change : MapChange
    labels : array of int
        New numbers of its labels.

    Returns
    -------
    array of bool, shape (n,)

    """
    rows = change.rows
    valid = (rows['state'] > FREE) & (rows['state'] <= MISSING) & (rows['hits'] > 0.0)
    for name in REALS:
        finite = np.isfinite(rows[name])
        valid &= finite.all(axis=tuple(range(1, finite.ndim)))
    for name, words in (('labels', change.labels), ('colors', change.colors)):
        valid &= ((rows[name] >= EMPTY) & (rows[name] < len(words))).all(axis=1)
    # `inv` needs more than a semi-definite matrix.
    known = np.where(valid[:, None, None], rows['covariance'], np.eye(3))
    valid &= is_covariance(known) & (np.linalg.det(known) > 0.0)
    numbers = np.append(labels, EMPTY)[np.where(valid[:, None], rows['labels'], EMPTY)]
    return np.asarray(valid & (numbers != EMPTY).any(axis=1), dtype=np.bool_)

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Settles contests between objects of the table, and writes back what came of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.objects.mapping.association import NONE, Edges, assign
from world_model_core.objects.mapping.classes import EMPTY, add_votes
from world_model_core.objects.mapping.joint_association import Contest, Odds, Rivals
from world_model_core.objects.mapping.table import LABELS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.objects.mapping.table import ObjectTable
    from world_model_core.objects.mapping.window import Sightings, Window

# Sweeps after an object was dismissed, until its detections are shared out.
MORE_SWEEPS = 2
# Each detection that left the window made its object so much likelier: as much as is believed of
# one frame.
OLD_EVIDENCE = 3.0


@dataclass(frozen=True, slots=True)
class Verdict:
    """
    What came of a contest.

    Attributes
    ----------
    owners : mapping
        From the slot that a detection of this frame was kept with before the contest to the slot
        of the object which it shows, or NONE.
    dismissed : mapping
        From the slot of an object that there is not to that which has most of its detections, or
        NONE.

    """

    owners: dict[int, int]
    dismissed: dict[int, int]


class Arbiter:
    """
    Puts the objects of a neighbourhood before a contest.

    Parameters
    ----------
    table : ObjectTable
    window : Window
        Both are changed.
    least_reality : float
        Log-odds below which an object that others explain away is dismissed.

    """

    def __init__(self, table: ObjectTable, window: Window, least_reality: float) -> None:
        self._table, self._window = table, window
        self._least = least_reality

    def settle(
        self, slots: NDArray[np.intp], free: NDArray[np.bool_], frame: int, odds: Odds
    ) -> Verdict:
        """
        Assign anew what is kept of some objects.

        Parameters
        ----------
        slots : array of int, shape (m,)
            Ascending.
        free : array of bool, shape (m,)
            Which of them may change; the others are neighbours that compete.
        frame : int
            Number of this frame.
        odds : Odds

        """
        kept = self._window.of(slots)
        words = np.unique(np.concatenate((kept.labels, self._table.settled_labels[slots].ravel())))
        words = words[words != EMPTY]
        local = kept._replace(
            owners=np.searchsorted(slots, kept.owners),
            labels=np.searchsorted(words, kept.labels),
        )
        contest = Contest(self._rivals(slots, free, words), local, odds)
        contest.run()
        looks = self._table.count_looks(slots, frame)
        reality = self._judge(contest, slots, looks)
        row = self._weakest(reality, free)
        dismissed: dict[int, int] = {}
        if row is not None:
            contest.dismiss(row)
            contest.run(MORE_SWEEPS)
            reality = self._judge(contest, slots, looks)
            dismissed[int(slots[row])] = _heir(contest, local, row, slots)
        self._write(contest, slots, words, reality)
        self._reorder(contest, kept, slots)
        return Verdict(_present(contest, kept, frame, slots), dismissed)

    def _rivals(
        self, slots: NDArray[np.intp], free: NDArray[np.bool_], words: NDArray[np.int64]
    ) -> Rivals:
        """Copy what a contest works on."""
        table = self._table
        return Rivals(
            position=table.position[slots],
            covariance=table.covariance[slots],
            settled_information=table.settled_information[slots],
            settled_vector=table.settled_vector[slots],
            settled_counts=_spread(
                table.settled_labels[slots], table.settled_counts[slots], words
            ),
            counts=_spread(table.labels[slots], table.counts[slots], words),
            free=free,
        )

    def _judge(self, contest: Contest, slots: NDArray[np.intp], looks: NDArray[np.int64]) -> Array:
        """Ask how likely the objects are, by what is kept and by what is not."""
        old: Array = OLD_EVIDENCE * self._table.settled_hits[slots]
        return contest.reality(looks) + old

    def _weakest(self, reality: Array, free: NDArray[np.bool_]) -> int | None:
        """Choose the one object that is explained away best: without it others may be real."""
        candidates = np.where(free, reality, np.inf)
        row = int(candidates.argmin())
        return row if candidates[row] < self._least else None

    def _write(
        self, contest: Contest, slots: NDArray[np.intp], words: NDArray[np.int64], reality: Array
    ) -> None:
        """Write back what changed."""
        table, rivals = self._table, contest.rivals
        free = rivals.free
        chosen = slots[free]
        table.position[chosen] = rivals.position[free]
        table.covariance[chosen] = rivals.covariance[free]
        table.hits[chosen] = (table.settled_hits[slots] + contest.hits)[free]
        table.reality[chosen] = reality[free]
        table.reviewed[chosen] = table.hits[chosen]
        # What has lost all its detections is still called what it was.
        named = free & (rivals.counts.max(axis=1) > 0.0)
        labels, counts = _gather(rivals.counts[named], words)
        table.labels[slots[named]], table.counts[slots[named]] = labels, counts

    def _reorder(self, contest: Contest, kept: Sightings, slots: NDArray[np.intp]) -> None:
        """Keep each detection with its likeliest object, and drop those that show none."""
        rows = contest.owners()
        owners = np.where(rows >= 0, slots[rows], NONE)
        changed = owners != kept.owners
        if changed.any():
            touched = np.unique(np.concatenate((kept.owners[changed], owners[changed])))
            touched = touched[touched != NONE]
            theirs = kept._replace(owners=owners).pick(np.isin(owners, touched))
            self.retire(self._window.refill(touched, theirs))

    def join(self, older: int, younger: int) -> None:
        """Give all that is known of one object to another: their detections are not the same."""
        table = self._table
        pair = np.array((older, younger), dtype=np.intp)
        theirs = self._window.of(pair)
        self.retire(
            self._window.refill(pair, theirs._replace(owners=np.full_like(theirs.owners, older)))
        )
        information = np.linalg.inv(table.covariance[pair])
        vector = np.einsum('nij,nj->i', information, table.position[pair])
        spread = np.linalg.inv(information.sum(axis=0))
        table.covariance[older] = 0.5 * (spread + spread.T)
        table.position[older] = table.covariance[older] @ vector
        table.shared[older] = np.average(table.shared[pair], axis=0, weights=table.hits[pair])
        for name in (
            'settled_information',
            'settled_vector',
            'settled_hits',
            'hits',
            'turn',
            'axis',
        ):
            column = getattr(table, name)
            column[older] += column[younger]
        for words, counts in (
            (table.labels, table.counts),
            (table.settled_labels, table.settled_counts),
            (table.colors, table.color_counts),
        ):
            _pour(words, counts, older, younger)
        self._join_sizes(older, younger)

    def _join_sizes(self, older: int, younger: int) -> None:
        """Average two sizes by what is known of each."""
        table = self._table
        both = table.size_information[older] + table.size_information[younger]
        part = np.divide(table.size_information[younger], both, out=np.zeros(3), where=both > 0.0)
        table.size[older] += part * (table.size[younger] - table.size[older])
        table.size_information[older] = both

    def retire(self, old: Sightings) -> None:
        """Add detections that left the window to what is settled of their objects."""
        table = self._table
        for number in range(len(old.frames)):
            slot, information = old.owners[number], old.information[number]
            table.settled_information[slot] += information
            table.settled_vector[slot] += information @ old.positions[number]
            table.settled_hits[slot] += 1.0
            labels, counts = table.settled_labels[slot], table.settled_counts[slot]
            same = labels == old.labels[number]
            column = int(same.argmax() if same.any() else counts.argmin())
            if not same.any():
                counts[column] = 0.0
            labels[column] = old.labels[number]
            counts[column] += 1.0


def _pour(words: NDArray[np.int64], counts: Array, older: int, younger: int) -> None:
    """Add one histogram to another of the same table."""
    slot = np.array((older,), dtype=np.intp)
    for word, count in zip(words[younger].tolist(), counts[younger].tolist(), strict=True):
        if word != EMPTY:
            add_votes(words, counts, slot, np.array((word,)), np.array((count,)))


def _spread(labels: NDArray[np.int64], counts: Array, words: NDArray[np.int64]) -> Array:
    """Lay histograms out over the words of a contest, shape (m, words)."""
    spread = np.zeros((len(labels), len(words)))
    columns = np.searchsorted(words, labels)
    known = (labels != EMPTY) & (columns < len(words))
    known &= words[np.minimum(columns, len(words) - 1)] == labels
    rows = np.nonzero(known)[0]
    spread[rows, columns[known]] = counts[known]
    return spread


def _gather(counts: Array, words: NDArray[np.int64]) -> tuple[NDArray[np.int64], Array]:
    """Keep the most frequent words of each object, shapes (m, LABELS)."""
    order = np.argsort(-counts, axis=1, kind='stable')[:, :LABELS]
    labels = np.full((len(counts), LABELS), EMPTY, dtype=np.int64)
    kept = np.zeros((len(counts), LABELS))
    found = np.take_along_axis(counts, order, axis=1)
    width = order.shape[1]
    labels[:, :width] = np.where(found > 0.0, words[order], EMPTY)
    kept[:, :width] = found
    return labels, kept


def _heir(contest: Contest, local: Sightings, row: int, slots: NDArray[np.intp]) -> int:
    """Find which object has most of what was kept with another one, or NONE."""
    detections, objects = contest.pairing.detections, contest.pairing.objects
    his = local.owners[detections] == row
    shares = np.bincount(objects[his], contest.probability[his], len(slots))
    return int(slots[shares.argmax()]) if shares.max(initial=0.0) > 0.5 else NONE


def _present(
    contest: Contest, kept: Sightings, frame: int, slots: NDArray[np.intp]
) -> dict[int, int]:
    """Assign the detections of this frame, one to one."""
    now = np.flatnonzero(kept.frames == frame)
    detections, objects = contest.pairing.detections, contest.pairing.objects
    rows = np.full(len(kept.frames), NONE, dtype=np.intp)
    rows[now] = np.arange(len(now))
    chosen = rows[detections] != NONE
    gains = contest.logarithms[chosen]
    edges = Edges(rows[detections[chosen]], slots[objects[chosen]], gains, gains)
    found = assign(edges, len(now))
    return dict(zip(kept.owners[now].tolist(), found.tolist(), strict=True))

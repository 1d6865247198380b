# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""How candidates stand to their anchors, in every possible world."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.spatial.distance import cdist

from world_model_core.objects import relations
from world_model_core.objects.between import between
from world_model_core.objects.picking import EQUAL
from world_model_core.objects.viewpoint import stands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from world_model_core.gaussian import Array
    from world_model_core.objects.boxes import Boxes
    from world_model_core.objects.candidates import Candidates
    from world_model_core.objects.query import RelationKind
    from world_model_core.objects.worlds import Truth, Worlds

# Pairs times worlds that are compared at once, for the sake of memory.
CHUNK = 1 << 21
# Standard deviations by which a place may be off: of 16,000 draws one is farther off.
MARGIN = 4.0
# Probability of what is left out.
IMPROBABLE = 1e-3


class Standing:
    """
    Relations among the objects of some worlds.

    Parameters
    ----------
    worlds : Worlds

    """

    def __init__(self, worlds: Worlds) -> None:
        self._worlds = worlds

    def related(
        self,
        found: Candidates,
        anchors: Candidates,
        kind: RelationKind,
        *,
        inverse: bool = False,
        every: bool = False,
        loose: bool = False,
        observer: Array | None = None,
    ) -> Truth:
        """
        Tell who stands in a relation to an anchor, or to every one; nobody does to itself.

        Parameters
        ----------
        found, anchors : Candidates
        kind : RelationKind
        inverse : bool
            The anchors stand in it to the candidates.
        every : bool
        loose : bool
            In the loose sense of `relations`.
        observer : array, shape (S, 2) or (2,), optional
            From where it is looked [m], when the relation is one of sides.

        Returns
        -------
        array of bool, shape (S, c)

        """
        result = np.zeros_like(found.fits)
        objects = self._worlds.boxes.take(anchors.columns)
        for part in self._parts(len(found.columns), len(anchors.columns)):
            subjects = self._worlds.boxes.take(found.columns[part])
            if inverse:
                held = _hold(kind, objects, subjects, observer, loose=loose).swapaxes(-1, -2)
            else:
                held = _hold(kind, subjects, objects, observer, loose=loose)
            others = found.columns[part, None] != anchors.columns
            result[:, part] = _gather(held & others, anchors.fits, others, every=every)
        return result

    def between(
        self, found: Candidates, first: Candidates, second: Candidates, *, loose: bool = False
    ) -> Truth:
        """
        Tell who is between a `first` and a `second`, shape (S, c).

        Both may be one phrase: between two columns is between any two of them.
        """
        result = np.zeros_like(found.fits)
        ones, others = (
            self._worlds.boxes.take(first.columns),
            self._worlds.boxes.take(second.columns),
        )
        apart = first.columns[:, None] != second.columns
        for part in self._parts(len(found.columns), apart.size):
            columns = found.columns[part]
            held = between(self._worlds.boxes.take(columns), ones, others, loose=loose)
            own = (columns[:, None] != first.columns)[:, :, None]
            own = own & (columns[:, None] != second.columns)[:, None, :]
            held &= own & apart & first.fits[:, None, :, None] & second.fits[:, None, None, :]
            result[:, part] = held.any(axis=(-1, -2))
        return result

    def distances(self, found: Candidates, anchors: Candidates) -> Array:
        """Measure how far each is from its nearest anchor [m], shape (S, c); infinite if none."""
        nearest = np.full(found.fits.shape, np.inf)
        who, which = np.nonzero(self._may_be_nearest(found, anchors))
        if not len(who):
            return nearest
        positions, fits = self._worlds.positions, anchors.fits[:, which]
        for part in self._parts(len(who), 1):
            apart = positions[:, found.columns[who[part]]]
            apart = apart - positions[:, anchors.columns[which[part]]]
            measured = np.sqrt(np.einsum('spi,spi->sp', apart, apart))
            measured[~fits[:, part]] = np.inf
            starts = np.flatnonzero(np.diff(who[part], prepend=-1))
            reduced = np.minimum.reduceat(measured, starts, axis=1)
            rows = who[part][starts]
            nearest[:, rows] = np.minimum(nearest[:, rows], reduced)
        return nearest

    def may_be_closest(self, found: Candidates, anchors: Candidates) -> Truth:
        """Tell who may be closest of all in any world that matters, shape (c,)."""
        least, most = self._bound_distances(found, anchors)
        near = _may_be_first(least, most, anchors.fits.mean(axis=0))
        least = np.where(near, least, np.inf).min(axis=1, initial=np.inf)
        most = np.where(near, most, -np.inf).max(axis=1, initial=-np.inf)
        most[~np.isfinite(least)] = np.inf
        closest: Truth = _may_be_first(least[None], most[None], found.fits.mean(axis=0))[0]
        return closest

    def _may_be_nearest(self, found: Candidates, anchors: Candidates) -> Truth:
        """Tell which anchor may be the nearest of each candidate, shape (c, a)."""
        return _may_be_first(*self._bound_distances(found, anchors), anchors.fits.mean(axis=0))

    def _bound_distances(self, found: Candidates, anchors: Candidates) -> tuple[Array, Array]:
        """Find the least and the greatest distances of all worlds [m], each (c, a)."""
        apart = self._believe_distances(found, anchors)
        apart[found.columns[:, None] == anchors.columns] = np.inf
        slack = self._slack(found)[:, None] + self._slack(anchors)
        return apart - slack, apart + slack

    def _believe_distances(self, found: Candidates, anchors: Candidates) -> Array:
        """Measure from where candidates are believed to be to anchors [m], shape (c, a)."""
        positions = self._worlds.inventory.positions[self._worlds.rows]
        apart: Array = cdist(positions[found.columns], positions[anchors.columns])
        return apart

    def _slack(self, found: Candidates) -> Array:
        """Say by how much the place of each may be off in a world [m], shape (c,)."""
        deviations = self._worlds.inventory.deviations[self._worlds.rows[found.columns]]
        slack: Array = MARGIN * deviations + EQUAL
        return slack

    def _parts(self, subjects: int, others: int) -> Iterator[slice]:
        """Split subjects so that no part has too many pairs."""
        step = max(1, CHUNK // max(1, others * self._worlds.count))
        return (slice(start, start + step) for start in range(0, subjects, step))


def _hold(
    kind: RelationKind, subjects: Boxes, anchors: Boxes, observer: Array | None, *, loose: bool
) -> Truth:
    """Tell which subjects stand in a relation to which anchors, (S, n, m)."""
    if observer is None:
        return relations.holds(kind, subjects, anchors, loose=loose)
    return stands(kind, subjects, anchors, observer, loose=loose)


def _gather(held: Truth, fits: Truth, others: Truth, *, every: bool) -> Truth:
    """
    Join what holds of pairs (S, c, a) over the anchors that fit (S, a).

    `others` (c, a) tells pairs of different objects.
    """
    asked = fits[:, None, :] & others
    joined: Truth = np.logical_or.reduce(asked & held, axis=2)
    if every:
        joined &= np.logical_and.reduce(held | ~asked, axis=2)
    return joined


def _may_be_first(least: Array, most: Array, chances: Array) -> Truth:
    """
    Tell who may be the nearest of some, by bounds of their distances (c, o).

    In the order of the greater bound they are passed until it is next to sure that one of them
    fits, as each does by chance (o,): whoever is beyond that in any case is not the nearest.
    """
    if not len(chances):
        return np.zeros(least.shape, dtype=np.bool_)
    order = np.argsort(most, axis=1)
    none = np.cumprod(1.0 - chances[order], axis=1)
    passed = np.count_nonzero(none > IMPROBABLE, axis=1).clip(0, len(chances) - 1)
    last = np.take_along_axis(order, passed[:, None], axis=1)
    first: Truth = np.isfinite(least) & (least <= np.take_along_axis(most, last, axis=1))
    return first

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""How far candidates are from the nearest of their anchors, in every possible world."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.spatial import KDTree
from scipy.spatial.distance import cdist

from world_model_core.objects.answering.ordinal_selection import EQUAL

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.objects.answering.candidates import Candidates
    from world_model_core.objects.answering.object_arrays import Rows
    from world_model_core.objects.answering.posterior_samples import Mask, PosteriorSamples

# Pairs times worlds that are measured at once, for the sake of memory.
CHUNK = 1 << 21
# Standard deviations by which a place may be off: of 16,000 draws one is farther off.
MARGIN = 4.0
# Probability of what is left out.
IMPROBABLE = 1e-3
# Anchors of each candidate that are looked at, where there are many: those believed nearest.
MOST_ANCHORS = 64


class _Bounds(NamedTuple):
    """
    Distances of candidates to some anchors, each array of shape (c, k).

    `which` anchors, by index; `least` and `most` [m] of all worlds, infinite to oneself.
    """

    which: Rows
    least: Array
    most: Array


class AnchorDistances:
    """
    Distances among the objects of some worlds.

    Parameters
    ----------
    worlds : Worlds

    """

    def __init__(self, samples: PosteriorSamples) -> None:
        self._samples = samples

    def distances(self, found: Candidates, anchors: Candidates) -> Array:
        """Measure how far each is from its nearest anchor [m], shape (S, c); infinite if none."""
        nearest = np.full(found.fits.shape, np.inf)
        if not nearest.size or not len(anchors.columns):
            return nearest
        bounds = self._bound(found, anchors)
        near = _may_be_first(bounds.least, bounds.most, _chances(anchors)[bounds.which])
        who, which = np.nonzero(near)[0], bounds.which[near]
        step = max(1, CHUNK // self._samples.count)
        for start in range(0, len(who), step):
            part = slice(start, start + step)
            measured = self._measure(found.columns[who[part]], anchors.columns[which[part]])
            measured[~anchors.fits[:, which[part]]] = np.inf
            starts = np.flatnonzero(np.diff(who[part], prepend=-1))
            rows = who[part][starts]
            reduced = np.minimum.reduceat(measured, starts, axis=1)
            nearest[:, rows] = np.minimum(nearest[:, rows], reduced)
        return nearest

    def may_be_closest(self, found: Candidates, anchors: Candidates) -> Mask:
        """Tell who may be closest of all in any world that matters, shape (c,)."""
        if not len(found.columns) or not len(anchors.columns):
            return np.zeros(len(found.columns), dtype=np.bool_)
        bounds = self._bound(found, anchors)
        near = _may_be_first(bounds.least, bounds.most, _chances(anchors)[bounds.which])
        least = np.where(near, bounds.least, np.inf).min(axis=1)
        most = np.where(near, bounds.most, -np.inf).max(axis=1)
        most[~np.isfinite(least)] = np.inf
        closest: Mask = _may_be_first(least[None], most[None], _chances(found)[None])[0]
        return closest

    def _measure(self, columns: Rows, others: Rows) -> Array:
        """Measure from centre to centre [m], pair by pair, shape (S, p)."""
        apart = self._samples.positions[:, columns] - self._samples.positions[:, others]
        measured: Array = np.sqrt(np.einsum('spi,spi->sp', apart, apart))
        return measured

    def _bound(self, found: Candidates, anchors: Candidates) -> _Bounds:
        """Bound the distances of all worlds by where things are believed to be."""
        positions = self._samples.arrays.positions[self._samples.rows]
        here, there = positions[found.columns], positions[anchors.columns]
        if len(there) <= MOST_ANCHORS:
            apart = cdist(here, there)
            which = np.broadcast_to(np.arange(len(there)), apart.shape)
        else:
            apart, which = KDTree(there).query(here, k=MOST_ANCHORS)
        apart[anchors.columns[which] == found.columns[:, None]] = np.inf
        slack = self._slack(found)[:, None] + self._slack(anchors)[which]
        return _Bounds(which, apart - slack, apart + slack)

    def _slack(self, found: Candidates) -> Array:
        """Say by how much the place of each may be off in a world [m], shape (c,)."""
        deviations = self._samples.arrays.deviations[self._samples.rows[found.columns]]
        slack: Array = MARGIN * deviations + EQUAL
        return slack


def _chances(found: Candidates) -> Array:
    """Return how likely each candidate fits, shape (c,)."""
    chances: Array = found.fits.mean(axis=0)
    return chances


def _may_be_first(least: Array, most: Array, chances: Array) -> Mask:
    """
    Tell who may be the nearest of some, by bounds of their distances (c, k).

    In the order of the greater bound they are passed until it is next to sure that one of them
    fits, as each does by chance (c, k): whoever is beyond that in any case is not the nearest.
    """
    order = np.argsort(most, axis=1)
    none = np.cumprod(1.0 - np.take_along_axis(chances, order, axis=1), axis=1)
    passed = np.count_nonzero(none > IMPROBABLE, axis=1).clip(0, most.shape[1] - 1)
    last = np.take_along_axis(order, passed[:, None], axis=1)
    first: Mask = np.isfinite(least) & (least <= np.take_along_axis(most, last, axis=1))
    return first

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Distances from candidates to their nearest anchors, in each posterior sample."""

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

__all__ = ['MARGIN', 'AnchorDistances']

# Number of pairs times samples that are processed at once, to limit memory.
CHUNK = 1 << 21
# Largest offset of a sampled position, in standard deviations: exceeded by 1 of 16,000 draws.
MARGIN = 4.0
# Probability that is neglected.
IMPROBABLE = 1e-3
# Number of anchors that are considered for each candidate: those with the nearest means.
MOST_ANCHORS = 64


class _Bounds(NamedTuple):
    """
    Bounds on the distances from candidates to anchors; each array has shape (c, k).

    `which` are indices of anchors; `least` and `most` [m] hold for all samples and are infinite
    from an object to itself.
    """

    which: Rows
    least: Array
    most: Array


class AnchorDistances:
    """
    Distances between objects of posterior samples.

    Parameters
    ----------
    samples : PosteriorSamples

    """

    def __init__(self, samples: PosteriorSamples) -> None:
        self._samples = samples

    def distances(self, found: Candidates, anchors: Candidates) -> Array:
        """Return the distance of each candidate to its nearest anchor [m], (S, c), or infinity."""
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
        """Return which candidates may be the closest in a sample that matters, shape (c,)."""
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
        """Return distances between centers [m], pair by pair, shape (S, p)."""
        apart = self._samples.positions[:, columns] - self._samples.positions[:, others]
        measured: Array = np.sqrt(np.einsum('spi,spi->sp', apart, apart))
        return measured

    def _bound(self, found: Candidates, anchors: Candidates) -> _Bounds:
        """Bound the distances of all samples by the estimated positions."""
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
        """Return the largest offset of each candidate in a sample [m], shape (c,)."""
        deviations = self._samples.arrays.deviations[self._samples.rows[found.columns]]
        slack: Array = MARGIN * deviations + EQUAL
        return slack


def _chances(found: Candidates) -> Array:
    """Return the probability that each candidate fits, shape (c,)."""
    chances: Array = found.fits.mean(axis=0)
    return chances


def _may_be_first(least: Array, most: Array, chances: Array) -> Mask:
    """
    Return which objects may be the nearest, given bounds on their distances (c, k).

    Objects are sorted by their upper bound. Once it is nearly certain that one of the objects so
    far fits, by their probabilities `chances` (c, k), objects whose lower bound is larger are
    excluded.
    """
    order = np.argsort(most, axis=1)
    none = np.cumprod(1.0 - np.take_along_axis(chances, order, axis=1), axis=1)
    passed = np.count_nonzero(none > IMPROBABLE, axis=1).clip(0, most.shape[1] - 1)
    last = np.take_along_axis(order, passed[:, None], axis=1)
    first: Mask = np.isfinite(least) & (least <= np.take_along_axis(most, last, axis=1))
    return first

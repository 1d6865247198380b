# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Spatial relations between candidates and anchors, in each posterior sample."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.objects.answering.anchor_distances import MARGIN
from world_model_core.objects.answering.candidates import Candidates
from world_model_core.objects.relations import pairwise_relations as relations
from world_model_core.objects.relations.between import is_between
from world_model_core.objects.relations.viewpoint_relations import is_on_side

if TYPE_CHECKING:
    from collections.abc import Iterator

    from world_model_core.gaussian import Array
    from world_model_core.objects.answering.posterior_samples import Mask, PosteriorSamples
    from world_model_core.objects.query import RelationKind
    from world_model_core.objects.relations.boxes import Boxes

__all__ = ['SpatialRelations']

# Number of pairs times samples that are compared at once, to limit memory.
CHUNK = 1 << 21
# Number of pairs above which distant anchors are excluded block by block.
MANY = 1 << 20
# Number of candidates in a block, and width of the floor tiles that sort them [m].
BLOCK, FIELD = 256, 4.0
# Largest gap between footprints at which a relation can hold, except for viewpoint relations [m].
REACH = 2.5


class SpatialRelations:
    """
    Relations between the objects of posterior samples.

    Parameters
    ----------
    samples : PosteriorSamples

    """

    def __init__(self, samples: PosteriorSamples) -> None:
        self._samples = samples

    def holds(
        self,
        found: Candidates,
        anchors: Candidates,
        kind: RelationKind,
        *,
        inverse: bool = False,
        every: bool = False,
        loose: bool = False,
        observer: Array | None = None,
    ) -> Mask:
        """
        Return which candidates are in a relation to any anchor, or to all; never to themselves.

        Parameters
        ----------
        found, anchors : Candidates
        kind : RelationKind
        inverse : bool
            The anchors must be in the relation to the candidates.
        every : bool
            The relation must hold for all anchors.
        loose : bool
            Use the loose sense of the relation (see `pairwise_relations`).
        observer : array, shape (S, 2) or (2,), optional
            Position of the observer for viewpoint relations [m].

        Returns
        -------
        array of bool, shape (S, c)

        """
        if observer is None and len(found.columns) * len(anchors.columns) > MANY and not every:
            return self._related_nearby(found, anchors, kind, inverse=inverse, loose=loose)
        result = np.zeros_like(found.fits)
        objects = self._samples.boxes.take(anchors.columns)
        for part in self._parts(len(found.columns), len(anchors.columns)):
            subjects = self._samples.boxes.take(found.columns[part])
            if inverse:
                held = _holds(kind, objects, subjects, observer, loose=loose).swapaxes(-1, -2)
            else:
                held = _holds(kind, subjects, objects, observer, loose=loose)
            others = found.columns[part, None] != anchors.columns
            result[:, part] = _gather(held & others, anchors.fits, others, every=every)
        return result

    def _related_nearby(
        self,
        found: Candidates,
        anchors: Candidates,
        kind: RelationKind,
        *,
        inverse: bool,
        loose: bool,
    ) -> Mask:
        """Evaluate a relation of many pairs, block by block of the floor."""
        arrays, result = self._samples.arrays, np.zeros_like(found.fits)
        places, others = (
            arrays.positions[self._samples.rows[each.columns], :2] for each in (found, anchors)
        )
        widest = 2.0 * float(self._samples.map_boxes.footprint_radii.max())
        reach = REACH + widest + 2.0 * MARGIN * float(arrays.deviations.max())
        order = np.lexsort(np.floor(places / FIELD).T)
        for start in range(0, len(order), BLOCK):
            block = order[start : start + BLOCK]
            low, high = places[block].min(axis=0) - reach, places[block].max(axis=0) + reach
            near = np.flatnonzero(((others >= low) & (others <= high)).all(axis=1))
            here = Candidates(found.columns[block], found.fits[:, block])
            there = Candidates(anchors.columns[near], anchors.fits[:, near])
            result[:, block] = self.holds(here, there, kind, inverse=inverse, loose=loose)
        return result

    def between(
        self, found: Candidates, first: Candidates, second: Candidates, *, loose: bool = False
    ) -> Mask:
        """
        Return which candidates are between a `first` and a `second` anchor, shape (S, c).

        Both may be the same phrase: between two columns is between any two of them.
        """
        result = np.zeros_like(found.fits)
        ones, others = (
            self._samples.boxes.take(first.columns),
            self._samples.boxes.take(second.columns),
        )
        apart = first.columns[:, None] != second.columns
        for part in self._parts(len(found.columns), apart.size):
            columns = found.columns[part]
            held = is_between(self._samples.boxes.take(columns), ones, others, loose=loose)
            own = (columns[:, None] != first.columns)[:, :, None]
            own = own & (columns[:, None] != second.columns)[:, None, :]
            held &= own & apart & first.fits[:, None, :, None] & second.fits[:, None, None, :]
            result[:, part] = held.any(axis=(-1, -2))
        return result

    def _parts(self, subjects: int, others: int) -> Iterator[slice]:
        """Split the subjects so that no part has too many pairs."""
        step = max(1, CHUNK // max(1, others * self._samples.count))
        return (slice(start, start + step) for start in range(0, subjects, step))


def _holds(
    kind: RelationKind, subjects: Boxes, anchors: Boxes, observer: Array | None, *, loose: bool
) -> Mask:
    """Return which subjects are in a relation to which anchors, (S, n, m)."""
    if observer is None:
        return relations.holds(kind, subjects, anchors, loose=loose)
    return is_on_side(kind, subjects, anchors, observer, loose=loose)


def _gather(held: Mask, fits: Mask, others: Mask, *, every: bool) -> Mask:
    """
    Combine a relation of pairs (S, c, a) over the anchors that fit (S, a).

    `others` (c, a) marks pairs of different objects.
    """
    asked = fits[:, None, :] & others
    joined: Mask = np.logical_or.reduce(asked & held, axis=2)
    if every:
        joined &= np.logical_and.reduce(held | ~asked, axis=2)
    return joined

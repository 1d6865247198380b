# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Samples of the map's posterior.

A question is answered in all samples at once; the share of samples that give an answer is its
probability. Each object is sampled once for the whole question, so that all parts of a nested
phrase use the same position. The draws are fixed and stratified (a Latin hypercube: McKay,
Beckman, Conover, Technometrics 21, 1979): an object that exists with probability 0.75 exists in
three of four samples, and a repeated question to an unchanged map gets the same answer.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.objects.answering.object_arrays import ObjectArrays, Rows
    from world_model_core.objects.relations.boxes import Boxes
    from world_model_core.objects.values import MapObject

__all__ = ['DISTINCT', 'SAMPLES', 'Mask', 'PosteriorSamples']

# Standard error of a probability near one half: at most 0.03; less, because of stratification.
SAMPLES = 256
# Questions about many objects use fewer samples, to limit memory.
LEAST_SAMPLES, MOST_DRAWS = 32, 1 << 21
# Draws for each object: x, y, z, existence, class and color.
DRAWS = 6
# Further objects reuse the draws of these objects, rotated.
DISTINCT = 2048
SEED = 20260101

Mask = NDArray[np.bool_]


class PosteriorSamples:
    """
    Some objects of a map in S samples; one sample if everything is certain.

    Parameters
    ----------
    arrays : ObjectArrays
    boxes : Boxes, shape (n,)
        Estimated boxes of all objects.
    rows : array of int, shape (k,)
        Sorted rows of the objects that a question refers to.
    most : int
        Number of samples if anything is uncertain.
    ambiguous : bool
        The question refers to colors, or to nouns with several senses, which are uncertain even if
        all positions are known.

    Attributes
    ----------
    count : int
        S.

    """

    def __init__(
        self,
        arrays: ObjectArrays,
        boxes: Boxes,
        rows: Rows,
        most: int = SAMPLES,
        *,
        ambiguous: bool = False,
    ) -> None:
        self.arrays, self.rows, self.map_boxes = arrays, rows, boxes
        affordable = max(LEAST_SAMPLES, MOST_DRAWS // max(1, len(rows)))
        certain = bool(arrays.certain[rows].all()) and not ambiguous
        self.count = 1 if certain else max(1, min(most, affordable))

    def __len__(self) -> int:
        """Count the objects."""
        return len(self.rows)

    def locate(self, rows: Rows) -> Rows:
        """Return the columns of rows of the object arrays; all rows must be sampled."""
        return np.searchsorted(self.rows, rows)

    def objects(self, columns: Rows) -> tuple[MapObject, ...]:
        """Return the objects of columns."""
        objects = self.arrays.objects
        return tuple(objects[row] for row in self.rows[columns].tolist())

    @cached_property
    def boxes(self) -> Boxes:
        """Boxes of all objects at their sampled positions, shape (S, k)."""
        boxes = self.map_boxes.take(self.rows)
        roles = np.broadcast_to(boxes.roles, self.positions.shape[:-1])
        return replace(boxes, centers=self.positions, roles=roles)

    @cached_property
    def positions(self) -> Array:
        """Sampled positions [m], shape (S, k, 3)."""
        means = self.arrays.positions[self.rows]
        if self.count == 1:
            return means[None]
        factors, normal = self.arrays.factors[self.rows], self._draw_normal()
        # Axis by axis is several times as fast as products of small matrices.
        drawn = np.empty((self.count, len(self), 3))
        for axis in range(3):
            along = factors[:, axis, 0] * normal[0]
            along += factors[:, axis, 1] * normal[1]
            along += factors[:, axis, 2] * normal[2]
            drawn[..., axis] = means[:, axis] + along
        return drawn

    @cached_property
    def existing(self) -> Mask:
        """Which objects exist in each sample, shape (S, k)."""
        exists: Mask = self._draw(3) < self.arrays.confidences[self.rows]
        return exists

    def of_class(self, labels: tuple[str, ...], columns: Rows) -> Mask:
        """Return which objects exist and belong to one of some classes, or any, shape (S, c)."""
        exists = self.existing[:, columns]
        if not labels:
            return exists
        draws, fits = self._draw(4)[:, columns], np.zeros_like(exists)
        for share in self.arrays.shares(labels):
            who = np.isin(share.rows, self.rows[columns], assume_unique=True)
            at = np.searchsorted(self.rows[columns], share.rows[who])
            fits[:, at] |= (share.low[who] <= draws[:, at]) & (draws[:, at] < share.high[who])
        return exists & fits

    @cached_property
    def color_draws(self) -> Array:
        """Uniform draws in [0, 1) that select a color of each object, shape (S, k)."""
        return self._draw(5)

    def sense_draws(self, noun: str) -> Array:
        """Return uniform draws in (0, 1) that select the sense of a noun, shape (S,)."""
        return _draw_senses(self.count, noun)

    def _draw(self, what: int) -> Array:
        """Return uniform draws in (0, 1) for each object in each sample, shape (S, k)."""
        if self.count == 1:
            return np.full((1, len(self)), 0.5)
        return self._deal(_stratify(self.count, self._columns)[0][what])

    def _draw_normal(self) -> tuple[Array, ...]:
        """Return three standard normal draws for each object in each sample, each (S, k)."""
        return tuple(self._deal(each) for each in _stratify(self.count, self._columns)[1])

    @property
    def _columns(self) -> int:
        """Number of columns of the table of draws, a power of two to keep tables few."""
        return 1 << max(0, min(len(self), DISTINCT) - 1).bit_length()

    def _deal(self, table: Array) -> Array:
        """Assign the columns of a table to the objects."""
        if len(self) <= DISTINCT:
            return table[:, : len(self)]
        column = np.arange(len(self))
        turned = (np.arange(self.count)[:, None] + column // DISTINCT) % self.count
        return np.take_along_axis(table[:, column % DISTINCT], turned, axis=0)


@lru_cache(maxsize=256)
def _draw_senses(samples: int, noun: str) -> Array:
    """Shuffle the midpoints of equal parts of [0, 1), for each noun by its own seed."""
    seed = (SEED, *noun.encode())
    middles = (np.arange(samples) + 0.5) / samples
    return np.random.default_rng(seed).permutation(middles)


@lru_cache(maxsize=32)
def _stratify(samples: int, objects: int) -> tuple[Array, Array]:
    """
    Shuffle the midpoints of equal parts of [0, 1) in each column.

    Returns
    -------
    uniform : array, shape (DRAWS, samples, objects)
    normal : array, shape (3, samples, objects)
        The first three as standard normal draws.

    """
    middles = (np.arange(samples) + 0.5) / samples
    columns = np.broadcast_to(middles[:, None], (DRAWS, samples, objects))
    uniform = np.random.default_rng(SEED).permuted(columns, axis=1)
    normal = ndtri(uniform[:3])
    for table in (uniform, normal):
        table.flags.writeable = False
    return uniform, normal

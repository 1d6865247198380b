# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Possible worlds: what a map believes, drawn many times over.

A question is answered in all of them at once, and the share of worlds that give an answer is its
probability. Each object is drawn once for the whole question, so that the parts of a nested phrase
agree on where it is. The draws are fixed, and each of them is stratified (a Latin hypercube:
McKay, Beckman, Conover, Technometrics 21, 1979): an object that exists with probability 0.75 does
so in three worlds of four, and the same question to the same map gets the same answer.
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

# Standard error of a probability near one half: 0.03 at most, less for being stratified.
SAMPLES = 256
# Questions about very many objects get fewer worlds than that, for the sake of memory.
LEAST_SAMPLES, MOST_DRAWS = 32, 1 << 21
# What is drawn of each object: x, y, z, existence, class and colour.
DRAWS = 6
# Objects beyond so many share the draws of earlier ones, turned against them.
DISTINCT = 2048
SEED = 20260101

Mask = NDArray[np.bool_]


class PosteriorSamples:
    """
    Some objects of an inventory in S worlds; one world, when all of it is certain.

    Parameters
    ----------
    inventory : Inventory
    boxes : Boxes, shape (n,)
        Of the inventory, as it believes them.
    rows : array of int, shape (k,)
        Those objects that a question touches, in order.
    most : int
        Worlds, when anything is uncertain.
    vague : bool
        What is asked for is uncertain even where all places are known, as colours are.

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
        draw_colors: bool = False,
    ) -> None:
        self.arrays, self.rows, self.map_boxes = arrays, rows, boxes
        affordable = max(LEAST_SAMPLES, MOST_DRAWS // max(1, len(rows)))
        certain = bool(arrays.certain[rows].all()) and not draw_colors
        self.count = 1 if certain else max(1, min(most, affordable))

    def __len__(self) -> int:
        """Count the objects."""
        return len(self.rows)

    def locate(self, rows: Rows) -> Rows:
        """Return the columns of rows of the inventory, which must be among the objects."""
        return np.searchsorted(self.rows, rows)

    def objects(self, columns: Rows) -> tuple[MapObject, ...]:
        """Return the objects of columns."""
        objects = self.arrays.objects
        return tuple(objects[row] for row in self.rows[columns].tolist())

    @cached_property
    def boxes(self) -> Boxes:
        """The boxes of all objects where they are in each world, shape (S, k)."""
        boxes = self.map_boxes.take(self.rows)
        roles = np.broadcast_to(boxes.roles, self.positions.shape[:-1])
        return replace(boxes, centers=self.positions, roles=roles)

    @cached_property
    def positions(self) -> Array:
        """Where each object is in each world [m], shape (S, k, 3)."""
        means = self.arrays.positions[self.rows]
        if self.count == 1:
            return means[None]
        factors, normal = self.arrays.factors[self.rows], self._draw_normal()
        # Axis by axis, which is several times as fast as a product of small matrices.
        drawn = np.empty((self.count, len(self), 3))
        for axis in range(3):
            along = factors[:, axis, 0] * normal[0]
            along += factors[:, axis, 1] * normal[1]
            along += factors[:, axis, 2] * normal[2]
            drawn[..., axis] = means[:, axis] + along
        return drawn

    @cached_property
    def existing(self) -> Mask:
        """Who is there in each world, shape (S, k)."""
        exists: Mask = self._draw(3) < self.arrays.confidences[self.rows]
        return exists

    def of_class(self, labels: tuple[str, ...], columns: Rows) -> Mask:
        """Tell who is there and of one of the classes, shape (S, c); any class, of none."""
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
        """Decide which of its possible colours each has, uniform in [0, 1), shape (S, k)."""
        return self._draw(5)

    def _draw(self, what: int) -> Array:
        """Draw a number in (0, 1) for each object in each world, shape (S, k)."""
        if self.count == 1:
            return np.full((1, len(self)), 0.5)
        return self._deal(_stratify(self.count, self._columns)[0][what])

    def _draw_normal(self) -> tuple[Array, ...]:
        """Draw three standard normal numbers for each object in each world, each (S, k)."""
        return tuple(self._deal(each) for each in _stratify(self.count, self._columns)[1])

    @property
    def _columns(self) -> int:
        """Columns of a table of draws that suffice; few different numbers make few tables."""
        return 1 << max(0, min(len(self), DISTINCT) - 1).bit_length()

    def _deal(self, table: Array) -> Array:
        """Deal the columns of a table to the objects."""
        if len(self) <= DISTINCT:
            return table[:, : len(self)]
        column = np.arange(len(self))
        turned = (np.arange(self.count)[:, None] + column // DISTINCT) % self.count
        return np.take_along_axis(table[:, column % DISTINCT], turned, axis=0)


@lru_cache(maxsize=32)
def _stratify(samples: int, objects: int) -> tuple[Array, Array]:
    """
    Shuffle the middles of equal parts of [0, 1), column by column.

    Returns
    -------
    uniform : array, shape (DRAWS, worlds, objects)
    normal : array, shape (3, worlds, objects)
        The first three of them as standard normal numbers.

    """
    middles = (np.arange(samples) + 0.5) / samples
    columns = np.broadcast_to(middles[:, None], (DRAWS, samples, objects))
    uniform = np.random.default_rng(SEED).permuted(columns, axis=1)
    normal = ndtri(uniform[:3])
    for table in (uniform, normal):
        table.flags.writeable = False
    return uniform, normal

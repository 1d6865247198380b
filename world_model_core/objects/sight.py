# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Which objects a frame would have shown, and how often one that is shown is detected."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.objects.association import NONE
from world_model_core.objects.fusion import heading_of
from world_model_core.objects.table import CONFIRMED
from world_model_core.objects.visibility import hidden_by_boxes, hidden_by_points, in_view

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.objects.fusion import Frame
    from world_model_core.objects.index import SpatialIndex
    from world_model_core.objects.table import ObjectTable
    from world_model_core.objects.values import View

# How many frames the probability in the parameters is worth.
PRIOR = 4.0
# Whatever was learnt: nothing is so sure to be detected that one miss undoes it.
LEAST, MOST = 0.05, 0.9


class DetectionRate:
    """
    The probability that an object in view is detected, learnt from the map itself.

    Parameters
    ----------
    first : float
        Before any frame.

    """

    def __init__(self, first: float) -> None:
        self._hits, self._looks = PRIOR * first, PRIOR

    @property
    def probability(self) -> float:
        """Mean of what was seen and what was assumed."""
        return float(np.clip(self._hits / self._looks, LEAST, MOST))

    def learn(self, hits: int, looks: int) -> None:
        """Take in how many of the objects that a frame would have shown it did show."""
        self._hits += hits
        self._looks += looks


class Sight:
    """
    Finds the objects that a frame would have shown.

    Parameters
    ----------
    table : ObjectTable
    index : SpatialIndex
    neighbourhood : float
        What is so close to a detection [m] was looked at, where no view is given.

    """

    def __init__(self, table: ObjectTable, index: SpatialIndex, neighbourhood: float) -> None:
        self._table, self._index = table, index
        self._neighbourhood = neighbourhood

    def within(self, view: View) -> NDArray[np.intp]:
        """List the objects in a view that nothing hides."""
        reach = self._index.near(view.position[None], view.far).slots
        seen = reach[in_view(view, self._table.position[reach])]
        positions = self._table.position[seen]
        hidden = hidden_by_points(view, positions)
        if view.points is None:
            hidden = hidden_by_boxes(view.position, positions, *self._boxes(seen))
        return seen[~hidden]

    def around(
        self, frame: Frame, owners: NDArray[np.intp]
    ) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
        """
        List the objects near detections: a frame that shows something of a place shows the place.

        Returns
        -------
        slots : array of int
            Objects near a detection, their own included.
        besides : array of bool
            Which of them are near one that is not theirs, which says nothing of whether they
            themselves were detected.

        """
        rows, near = self._index.near(frame.positions, self._neighbourhood)
        offset = frame.positions[rows] - self._table.position[near]
        close = (offset**2).sum(axis=1) <= self._neighbourhood**2
        rows, near = rows[close], near[close]
        others = np.unique(near[owners[rows] != near])
        slots = np.union1d(others, owners[owners != NONE])
        return slots, np.isin(slots, others)

    def _boxes(
        self, slots: NDArray[np.intp]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Give the boxes of the confirmed objects among some: centres, sizes and headings."""
        table = self._table
        boxed = slots[
            (table.size_information[slots] > 0.0).all(axis=1) & (table.state[slots] == CONFIRMED)
        ]
        headings = np.array(
            [heading_of(table.turn[slot], table.axis[slot]) or 0.0 for slot in boxed.tolist()]
        )
        return table.position[boxed], table.size[boxed], headings

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Which objects a frame would have shown, and how often one that is shown is detected."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.objects.mapping.detection_fusion import heading_of
from world_model_core.objects.mapping.object_table import CONFIRMED
from world_model_core.objects.mapping.visibility import hidden_by_boxes, hidden_by_points, in_view

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.objects.mapping.object_table import ObjectTable
    from world_model_core.objects.mapping.spatial_index import SpatialIndex
    from world_model_core.objects.values import CameraView

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

    """

    def __init__(self, table: ObjectTable, index: SpatialIndex) -> None:
        self._table, self._index = table, index

    def within(self, view: CameraView) -> NDArray[np.intp]:
        """List the objects in a view that nothing hides."""
        reach = self._index.near(view.position[None], view.far).slots
        seen = reach[in_view(view, self._table.position[reach])]
        positions = self._table.position[seen]
        hidden = hidden_by_points(view, positions)
        if view.points is None:
            hidden = hidden_by_boxes(view.position, positions, *self._boxes(seen))
        return np.sort(seen[~hidden])

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

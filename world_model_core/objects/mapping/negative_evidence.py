# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Negative evidence: objects that a frame should have shown, and did not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.objects.mapping.association import NONE
from world_model_core.objects.mapping.detection_fusion import heading_of
from world_model_core.objects.mapping.object_table import CONFIRMED, TENTATIVE
from world_model_core.objects.mapping.visibility import hidden_by_boxes, hidden_by_points, in_view

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.objects.mapping.gating import NearbyPairs, SpatialIndex
    from world_model_core.objects.mapping.lifecycle import Lifecycle
    from world_model_core.objects.mapping.object_table import ObjectTable
    from world_model_core.objects.mapping.parameters import ObjectMapParameters
    from world_model_core.objects.values import CameraView

# Number of frames that the initial detection probability counts for.
PRIOR = 4.0
# Limits of the estimated detection probability: one miss must never delete an object.
LEAST, MOST = 0.05, 0.9


class DetectionRate:
    """
    Probability that an object in view is detected, estimated from the map itself.

    Parameters
    ----------
    first : float
        Initial probability.

    """

    def __init__(self, first: float) -> None:
        self._hits, self._expected = PRIOR * first, PRIOR

    @property
    def probability(self) -> float:
        """Mean of the observed rate and the initial probability."""
        return float(np.clip(self._hits / self._expected, LEAST, MOST))

    def update(self, hits: int, expected: int) -> None:
        """Add how many of the objects expected in a frame were detected."""
        self._hits += hits
        self._expected += expected


class NegativeEvidence:
    """
    Counts expected and missed detections of objects.

    Parameters
    ----------
    table : ObjectTable
    index : SpatialIndex
    lifecycle : Lifecycle
        Updated with missed detections.
    parameters : ObjectMapParameters

    Attributes
    ----------
    rate : DetectionRate

    """

    def __init__(
        self,
        table: ObjectTable,
        index: SpatialIndex,
        lifecycle: Lifecycle,
        parameters: ObjectMapParameters,
    ) -> None:
        self._table, self._index, self._lifecycle = table, index, lifecycle
        self._neighborhood = parameters.neighborhood
        self.rate = DetectionRate(parameters.detection_probability)

    def apply(
        self,
        frame: int,
        owners: NDArray[np.intp],
        near: NearbyPairs,
        view: CameraView | None,
        interest_labels: NDArray[np.int64] | None,
    ) -> None:
        """
        Record which objects a frame had in view, and count those that it missed.

        Without a view, objects near a detection of another object count as in view: a frame that
        shows an object also shows its surroundings.

        Parameters
        ----------
        frame : int
            Number of the frame.
        owners : array of int, shape (n,)
            Slot of the object that each detection shows, or NONE.
        near : NearbyPairs
        view : CameraView or None
        interest_labels : array of int or None
            Labels that the map is interested in; objects of other labels are not missed.

        """
        expected = self._near_others(owners, near) if view is None else self.within(view)
        if interest_labels is not None:
            expected = expected[np.isin(self._table.label(expected), interest_labels)]
        shown = np.union1d(expected, owners[owners != NONE])
        self._table.mark_in_view(shown, frame)
        missed = shown[~np.isin(shown, owners)]
        log_missed = float(np.log1p(-self.rate.probability))
        self._lifecycle.miss(missed, log_missed, viewed=view is not None)
        known = expected[self._table.state[expected] > TENTATIVE]
        self.rate.update(int(np.isin(known, owners).sum()), len(known))

    def _near_others(self, owners: NDArray[np.intp], near: NearbyPairs) -> NDArray[np.intp]:
        """
        Return the objects near detections of other objects.

        An object's own detections do not count: they contain no information about how often it is
        missed.
        """
        close = near.squared <= self._neighborhood**2
        close &= owners[near.rows] != near.slots
        return np.unique(near.slots[close])

    def within(self, view: CameraView) -> NDArray[np.intp]:
        """Return the objects in a camera's view that are not occluded."""
        reach = self._index.near(view.position[None], view.far).slots
        visible = reach[in_view(view, self._table.position[reach])]
        positions = self._table.position[visible]
        hidden = hidden_by_points(view, positions)
        if view.points is None:
            hidden = hidden_by_boxes(view.position, positions, *self._boxes(visible))
        return np.sort(visible[~hidden])

    def _boxes(
        self, slots: NDArray[np.intp]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Return centers, sizes and headings of the boxes of confirmed objects."""
        table = self._table
        boxed = slots[
            (table.size_information[slots] > 0.0).all(axis=1) & (table.state[slots] == CONFIRMED)
        ]
        headings = np.array(
            [heading_of(table.turn[slot], table.axis[slot]) or 0.0 for slot in boxed.tolist()]
        )
        return table.position[boxed], table.size[boxed], headings

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Gating: pairs of a detection and an object that are close enough to belong together."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.objects.mapping.association import Edges, log_density

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.objects.mapping.detection_fusion import Frame
    from world_model_core.objects.mapping.label_model import LabelModel
    from world_model_core.objects.mapping.object_table import ObjectTable
    from world_model_core.objects.mapping.parameters import ObjectMapParameters
    from world_model_core.objects.mapping.spatial_index import SpatialIndex

# Frames after which the largest variance is computed again from all objects.
VARIANCE_FRAMES = 256


class NearbyPairs(NamedTuple):
    """Detections and objects near each other: all of shape (k,), offsets [m] (k, 3)."""

    rows: NDArray[np.intp]
    slots: NDArray[np.intp]
    offsets: Array
    squared: Array
    """Squared distances [m^2]."""
    reachable: NDArray[np.bool_]
    """Whether the detection may show the object."""


class AssociationGate:
    """
    Finds candidate pairs of a frame's detections and the objects of the table.

    Parameters
    ----------
    table : ObjectTable
    index : SpatialIndex
        Of the objects in the table.
    parameters : ObjectMapParameters

    """

    def __init__(
        self, table: ObjectTable, index: SpatialIndex, parameters: ObjectMapParameters
    ) -> None:
        self._table, self._index, self._parameters = table, index, parameters
        self._largest_variance = 0.0  # of any object, or an upper bound

    def include(self, slots: NDArray[np.intp]) -> None:
        """Extend the search radius to objects whose covariances changed."""
        largest = max_variance(self._table.covariance[slots])
        self._largest_variance = max(self._largest_variance, largest)

    def nearby(self, frame: Frame) -> NearbyPairs:
        """Return all pairs within the birth gate or the neighborhood."""
        table, parameters = self._table, self._parameters
        if frame.number % VARIANCE_FRAMES == 0:
            self._largest_variance = max_variance(table.covariance[table.slots])
        largest = np.linalg.eigvalsh(frame.covariances)[:, -1] + self._largest_variance
        reach = np.maximum(parameters.birth_gate * largest, parameters.neighborhood**2)
        rows, slots = self._index.near(frame.positions, np.sqrt(reach))
        offsets = frame.positions[rows] - table.position[slots]
        squared = np.einsum('ki,ki->k', offsets, offsets)
        reachable = squared <= parameters.birth_gate * largest[rows]
        return NearbyPairs(rows, slots, offsets, squared, reachable)

    def candidates(
        self, frame: Frame, near: NearbyPairs, model: LabelModel, detection: float
    ) -> Edges:
        """
        Compute distances and likelihood ratios of the pairs within the birth gate.

        Parameters
        ----------
        frame : Frame
        near : NearbyPairs
        model : LabelModel
        detection : float
            Probability that an object in view is detected.

        """
        table, parameters = self._table, self._parameters
        rows, slots = near.rows[near.reachable], near.slots[near.reachable]
        squared, density = log_density(
            near.offsets[near.reachable], frame.covariances[rows] + table.covariance[slots]
        )
        close = squared <= parameters.birth_gate
        rows, slots, squared = rows[close], slots[close], squared[close]
        label = model.probability(table.labels[slots], table.counts[slots], frame.labels[rows])
        none = parameters.clutter_density * model.chance
        gains = density[close] + np.log(detection * label / none)
        return Edges(rows, slots, squared, gains)


def max_variance(covariances: Array) -> float:
    """Return the largest variance along any axis of covariances (n, 3, 3) [m^2]."""
    return float(np.linalg.eigvalsh(covariances)[:, -1].max(initial=0.0))

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Baselines and an oracle that the object map is compared with.

All keep one Kalman filter of a static point for each object, and the class of its first detection.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np
from scipy.optimize import linear_sum_assignment

from world_model_core.gaussian import chi_square_gate, mahalanobis_squared, update
from world_model_core.objects.values import MapObject

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.objects.values import CameraView, Detections

# Gate of the first specification, which called it the 95 % gate of 3 degrees of freedom; it is the
# 99 % gate of 2.
FIRST_GATE = 9.21
# Number of detections from which an object of a baseline counts; otherwise clutter would dominate
# the results.
LEAST_HITS = 4
# Greater than any sum of costs within gates.
FORBIDDEN = 1e9
# Gate of the oracle: 99.9 % of an object's detections.
ORACLE_GATE = chi_square_gate(3, 0.999)


class Mapper(Protocol):
    """Interface of mapping methods."""

    def observe(
        self, detections: Detections, view: CameraView | None = None
    ) -> tuple[str | None, ...]:
        """Update the map with a frame, and return the object of each detection, or None."""

    @property
    def objects(self) -> tuple[MapObject, ...]:
        """All objects, counted or not."""

    @property
    def counted(self) -> tuple[MapObject, ...]:
        """Objects that count as mapped."""

    def survivor(self, name: str) -> str:
        """Return the id of the object into which another was merged, or its own."""


class _Baseline:
    """Kalman filters in arrays; each baseline assigns detections to them."""

    def __init__(self) -> None:
        self._positions = np.zeros((0, 3))
        self._covariances = np.zeros((0, 3, 3))
        self._labels: list[str] = []
        self._hits = np.zeros(0, dtype=np.intp)

    @property
    def objects(self) -> tuple[MapObject, ...]:
        """All objects."""
        rows = zip(self._labels, self._positions, self._covariances, self._hits, strict=True)
        return tuple(
            MapObject(str(number), label, position, covariance, hits=int(hits))
            for number, (label, position, covariance, hits) in enumerate(rows)
        )

    @property
    def counted(self) -> tuple[MapObject, ...]:
        """Objects that were detected often enough."""
        return tuple(each for each in self.objects if each.hits >= LEAST_HITS)

    def survivor(self, name: str) -> str:
        """Return the id itself: nothing is merged."""
        return name

    def _add(self, detections: Detections, index: int) -> int:
        self._positions = np.vstack((self._positions, detections.positions[index]))
        self._covariances = np.concatenate(
            (self._covariances, detections.covariances[index][None])
        )
        self._labels.append(detections.labels[index])
        self._hits = np.append(self._hits, 1)
        return len(self._hits) - 1

    def _correct(self, number: int, position: Array, covariance: Array) -> None:
        """Update an object with a detection."""
        mean, prior = self._positions[number], self._covariances[number]
        corrected = update(mean, prior, position, np.eye(3), covariance)
        self._positions[number], self._covariances[number] = corrected.mean, corrected.covariance
        self._hits[number] += 1

    def _distances(self, labels: Sequence[str], positions: Array, covariances: Array) -> Array:
        """
        Return squared Mahalanobis distances of detections to all objects, shape (n, m).

        Distances to objects of other classes are infinite. `positions` are (n, 3) or (3,), and
        `covariances` (n, 3, 3) or (3, 3).
        """
        difference = positions.reshape(-1, 1, 3) - self._positions
        spread = covariances.reshape(-1, 1, 3, 3) + self._covariances
        squared = mahalanobis_squared(difference, spread)
        other = np.array(labels)[:, None] != np.array(self._labels, dtype=np.str_)
        squared[other] = np.inf
        return squared


class FirstMatch(_Baseline):
    """
    Algorithm of the first specification: a detection updates the first object in its gate.

    Only objects of its class are considered. Covariances are arrays here; as lists, `+` would
    concatenate them. Ids are consecutive.
    """

    def observe(
        self, detections: Detections, _view: CameraView | None = None
    ) -> tuple[str | None, ...]:
        """Update the map with a frame, one detection after another."""
        owners = []
        for index, (position, covariance) in enumerate(
            zip(detections.positions, detections.covariances, strict=True)
        ):
            squared = self._distances(detections.labels[index : index + 1], position, covariance)
            fitting = np.flatnonzero(squared[0] < FIRST_GATE)
            if len(fitting):
                self._correct(int(fitting[0]), position, covariance)
                owners.append(str(fitting[0]))
            else:
                owners.append(str(self._add(detections, index)))
        return tuple(owners)


class NearestNeighbor(_Baseline):
    """
    Global nearest neighbor: the assignment with the least sum of squared distances.

    Parameters
    ----------
    gate : float
        Detections beyond it start a new object.

    """

    def __init__(self, gate: float) -> None:
        super().__init__()
        self._gate = gate

    def observe(
        self, detections: Detections, _view: CameraView | None = None
    ) -> tuple[str | None, ...]:
        """Update the map with all detections of a frame at once."""
        squared = self._distances(detections.labels, detections.positions, detections.covariances)
        chosen = assign(squared, self._gate)
        for index, owner in enumerate(chosen):
            if owner >= 0:
                self._correct(owner, detections.positions[index], detections.covariances[index])
            else:
                chosen[index] = self._add(detections, index)
        return tuple(map(str, chosen.tolist()))


class Oracle(_Baseline):
    """
    Uses the true positions and classes of all objects, and the rate of wrong labels.

    It assigns detections by their likelihood given the truth, a bound for all methods.

    Parameters
    ----------
    truth : sequence of MapObject
    flicker : float
        Fraction of wrong labels.

    """

    def __init__(self, truth: Sequence[MapObject], flicker: float) -> None:
        super().__init__()
        self._truth = truth
        self._places = np.array([each.position for each in truth])
        self._classes = np.array([each.label for each in truth])
        others = max(len(set(self._classes.tolist())) - 1, 1)
        # Twice the negative log-likelihood of a right and of a wrong label.
        self._surprise = -2.0 * np.log(np.clip((1.0 - flicker, flicker / others), 1e-9, None))
        self._numbers: dict[int, int] = {}

    def observe(
        self, detections: Detections, _view: CameraView | None = None
    ) -> tuple[str | None, ...]:
        """Update the map with a frame; detections far from all objects are dropped."""
        difference = detections.positions[:, None] - self._places
        squared = mahalanobis_squared(difference, detections.covariances[:, None])
        wrong = np.array(detections.labels)[:, None] != self._classes
        costs = squared + self._surprise[wrong.astype(np.intp)]
        costs[squared >= ORACLE_GATE] = np.inf
        chosen = assign(costs, np.inf)
        owners = (
            self._take(detections, index, true) for index, true in enumerate(chosen.tolist())
        )
        return tuple(owners)

    def _take(self, detections: Detections, index: int, true: int) -> str | None:
        """Update the filter of a true object with a detection."""
        if true < 0:
            return None
        if true not in self._numbers:
            number = self._numbers[true] = self._add(detections, index)
            self._labels[number] = self._truth[true].label
        else:
            number = self._numbers[true]
            self._correct(number, detections.positions[index], detections.covariances[index])
        return str(number)


def assign(costs: Array, gate: float) -> NDArray[np.intp]:
    """
    Assign as many rows to columns as possible, at the least cost.

    Parameters
    ----------
    costs : array, shape (n, m)
    gate : float
        Costs from this value on are not allowed, and neither are infinite costs.

    Returns
    -------
    array, shape (n,)
        Column of each row, -1 for none.

    """
    allowed = costs < gate
    rows, columns = linear_sum_assignment(np.where(allowed, costs, FORBIDDEN))
    chosen = np.full(len(costs), -1, dtype=np.intp)
    kept = allowed[rows, columns]
    chosen[rows[kept]] = columns[kept]
    return chosen

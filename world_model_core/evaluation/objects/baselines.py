# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Simple ways to make a map of detections, to compare ours with, and an oracle to measure both by.

All keep one Kalman filter of a point at rest for each object, and its first detection's class.
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

# The gate of the first specification, which called it that of 95 % with 3 degrees of freedom: it
# is that of 99 % with 2.
FIRST_GATE = 9.21
# Detections without which an object of a baseline does not count: false ones would else be so many
# objects that nothing could be learnt of the rest.
LEAST_HITS = 4
# More than any sum of costs within gates.
FORBIDDEN = 1e9
# What the oracle takes for an object's detection: 99.9 % of them.
ORACLE_GATE = chi_square_gate(3, 0.999)


class Mapper(Protocol):
    """What makes a map of detections."""

    def observe(
        self, detections: Detections, view: CameraView | None = None
    ) -> tuple[str | None, ...]:
        """Take in a frame; name the object that each detection went to, if any."""

    @property
    def objects(self) -> tuple[MapObject, ...]:
        """Everything that it follows, counted or not."""

    @property
    def counted(self) -> tuple[MapObject, ...]:
        """The map: what it holds to be there."""

    def survivor(self, name: str) -> str:
        """Name the object that another was merged into, or itself."""


class _Baseline:
    """Objects as filters in arrays; each baseline says which detection goes to which of them."""

    def __init__(self) -> None:
        self._positions = np.zeros((0, 3))
        self._covariances = np.zeros((0, 3, 3))
        self._labels: list[str] = []
        self._hits = np.zeros(0, dtype=np.intp)

    @property
    def objects(self) -> tuple[MapObject, ...]:
        """Everything that it follows."""
        rows = zip(self._labels, self._positions, self._covariances, self._hits, strict=True)
        return tuple(
            MapObject(str(number), label, position, covariance, hits=int(hits))
            for number, (label, position, covariance, hits) in enumerate(rows)
        )

    @property
    def counted(self) -> tuple[MapObject, ...]:
        """What was detected often enough."""
        return tuple(each for each in self.objects if each.hits >= LEAST_HITS)

    def survivor(self, name: str) -> str:
        """Name the object itself: nothing is merged."""
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
        """Update an object by a detection."""
        mean, prior = self._positions[number], self._covariances[number]
        corrected = update(mean, prior, position, np.eye(3), covariance)
        self._positions[number], self._covariances[number] = corrected.mean, corrected.covariance
        self._hits[number] += 1

    def _distances(self, labels: Sequence[str], positions: Array, covariances: Array) -> Array:
        """
        Square the Mahalanobis distances of detections to all objects, shape (n, m).

        Those of other classes are infinitely far away. `positions` are (n, 3) or (3,), and
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
    The first specification's: each detection updates the first object of its class in the gate.

    Its covariances are arrays here; as lists, `+` would join them. Ids are counted on.
    """

    def observe(
        self, detections: Detections, _view: CameraView | None = None
    ) -> tuple[str | None, ...]:
        """Take in a frame, one detection after another."""
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
        Beyond it a detection is no detection of an object of its class, and makes a new one.

    """

    def __init__(self, gate: float) -> None:
        super().__init__()
        self._gate = gate

    def observe(
        self, detections: Detections, _view: CameraView | None = None
    ) -> tuple[str | None, ...]:
        """Take in a frame as a whole."""
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
    Knows where all objects truly are, of which class, and how often labels are wrong.

    It assigns detections by their likelihood under that truth: what it gets wrong, nobody can
    know better.

    Parameters
    ----------
    truth : sequence of MapObject
    flicker : float
        Part of the labels that are those of another class.

    """

    def __init__(self, truth: Sequence[MapObject], flicker: float) -> None:
        super().__init__()
        self._truth = truth
        self._places = np.array([each.position for each in truth])
        self._classes = np.array([each.label for each in truth])
        others = max(len(set(self._classes.tolist())) - 1, 1)
        # Of a label that is right, and of one that is wrong: twice the negative log-likelihood.
        self._surprise = -2.0 * np.log(np.clip((1.0 - flicker, flicker / others), 1e-9, None))
        self._numbers: dict[int, int] = {}

    def observe(
        self, detections: Detections, _view: CameraView | None = None
    ) -> tuple[str | None, ...]:
        """Take in a frame; what is near no object is dropped."""
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
        """Put a detection to the filter of a true object."""
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
    Assign rows to columns, as many as possible and then at the least cost.

    Parameters
    ----------
    costs : array, shape (n, m)
    gate : float
        Costs that are not below it are forbidden, as infinite ones are.

    Returns
    -------
    array, shape (n,)
        A column for each row, -1 for none.

    """
    allowed = costs < gate
    rows, columns = linear_sum_assignment(np.where(allowed, costs, FORBIDDEN))
    chosen = np.full(len(costs), -1, dtype=np.intp)
    kept = allowed[rows, columns]
    chosen[rows[kept]] = columns[kept]
    return chosen

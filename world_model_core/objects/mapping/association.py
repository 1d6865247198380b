# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Association of the detections of one frame with objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array

NONE = -1
LOG_TWO_PI = float(np.log(2.0 * np.pi))


class Edges(NamedTuple):
    """
    Candidate pairs of a detection and an object, all of shape (k,).

    `gains` are log-likelihood ratios: the detection shows the object, against clutter or a new
    object. `distances` are squared Mahalanobis distances.
    """

    rows: NDArray[np.intp]
    slots: NDArray[np.intp]
    distances: Array
    gains: Array

    def pick(self, chosen: NDArray[np.bool_] | NDArray[np.intp]) -> Edges:
        """Select some of the pairs."""
        return Edges._make(column[chosen] for column in self)


def log_density(differences: Array, covariances: Array) -> tuple[Array, Array]:
    """
    Evaluate normal densities in three dimensions.

    Parameters
    ----------
    differences : array, shape (k, 3)
        From their means [m].
    covariances : array, shape (k, 3, 3)

    Returns
    -------
    squared, density : arrays, shape (k,)
        Squared Mahalanobis distances, and logarithms of the densities [1/m^3].

    """
    a, b, c = (covariances[:, 0, i] for i in range(3))
    d, e, f = covariances[:, 1, 1], covariances[:, 1, 2], covariances[:, 2, 2]
    # The adjugate: three times as fast as a factorization of each matrix.
    aa, ab, ac = d * f - e * e, c * e - b * f, b * e - c * d
    bb, bc, cc = a * f - c * c, b * c - a * e, a * d - b * b
    determinant = a * aa + b * ab + c * ac
    x, y, z = differences.T
    form = aa * x * x + bb * y * y + cc * z * z + 2.0 * (ab * x * y + ac * x * z + bc * y * z)
    squared: Array = form / determinant
    density: Array = -0.5 * (squared + np.log(determinant) + 3.0 * LOG_TWO_PI)
    return squared, density


def crowded(edges: Edges) -> NDArray[np.bool_]:
    """Return which pairs share their detection or their object with another pair."""
    _, columns, counts = np.unique(edges.slots, return_inverse=True, return_counts=True)
    shared: NDArray[np.bool_] = np.bincount(edges.rows)[edges.rows] > 1
    return shared | (counts[columns] > 1)


def _components(edges: Edges) -> NDArray[np.intp]:
    """
    Return the number of the connected component of each pair.

    Each pair adopts the least number of its neighbors until nothing changes. Components are
    small, so that this takes a few rounds, a fifth of the time of building a graph.
    """
    _, columns = np.unique(edges.slots, return_inverse=True)
    numbers = np.arange(len(edges.rows))
    while True:
        spread = _least(edges.rows, _least(columns, numbers))
        if (spread == numbers).all():
            return numbers
        numbers = spread


def _least(keys: NDArray[np.intp], numbers: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return for each pair the least number among the pairs with the same key."""
    least = np.full(int(keys.max()) + 1, len(numbers))
    np.minimum.at(least, keys, numbers)
    return least[keys]


def assign(edges: Edges, detections: int) -> NDArray[np.intp]:
    """
    Find the assignment with the greatest sum of gains, component by component.

    Each detection is assigned to at most one object and each object to at most one detection;
    no pair has a negative gain.

    Parameters
    ----------
    edges : Edges
    detections : int
        Number of detections.

    Returns
    -------
    array of int, shape (detections,)
        Slot of each detection's object; NONE if it is not assigned.

    """
    owners = np.full(detections, NONE, dtype=np.intp)
    gaining = edges.pick(edges.gains > 0.0)
    if not len(gaining.rows):
        return owners
    shared = crowded(gaining)
    owners[gaining.rows[~shared]] = gaining.slots[~shared]
    if shared.any():
        gaining = gaining.pick(shared)
        numbers = _components(gaining)
        order = np.argsort(numbers, kind='stable')
        ends = np.flatnonzero(np.diff(numbers[order])) + 1
        for members in np.split(order, ends):
            _assign_component(gaining.pick(members), owners)
    return owners


def _assign_component(edges: Edges, owners: NDArray[np.intp]) -> None:
    """Assign the detections of one component, in place."""
    rows, i = np.unique(edges.rows, return_inverse=True)
    slots, j = np.unique(edges.slots, return_inverse=True)
    gains = np.zeros((len(rows), len(slots)))
    gains[i, j] = edges.gains
    chosen, columns = linear_sum_assignment(gains, maximize=True)
    kept = gains[chosen, columns] > 0.0
    owners[rows[chosen[kept]]] = slots[columns[kept]]

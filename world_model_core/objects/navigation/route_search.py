# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The cheapest way over a ground, with as few way points as go straight."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import dijkstra

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_matrix

    from world_model_core.gaussian import Array
    from world_model_core.objects.navigation.costmap import Costmap

# Steps from a cell to half of its neighbours, in rows and columns; the others come from there.
STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))
# A way is looked for so far about its ends [m] before it is looked for anywhere.
NEARBY = 4.0
_UNREACHED = -9999  # scipy's mark


def find_route(costmap: Costmap, start: Array, places: Array, penalties: Array) -> Array | None:
    """
    Find the cheapest way to the best of some places.

    Parameters
    ----------
    ground : Ground
    start : array, shape (2,)
        [m]; when no robot can be there, the way begins at the nearest cell where one can.
    places : array, shape (k, 2)
        Where it may end [m].
    penalties : array, shape (k,)
        What each of them costs by itself, as metres of way.

    Returns
    -------
    array, shape (m, 2), optional
        From place to place in straight lines [m], the start left out, the end included; None when
        none of the places can be reached.

    """
    if not len(places):
        return None
    guess = int((np.linalg.norm(places - start, axis=1) + penalties).argmin())
    if costmap.worst_between(start, places[guess]) <= 1.0:
        return places[None, guess]
    ends = np.concatenate([start[None], places])
    for reach in (NEARBY, np.inf):
        part = costmap.part(costmap.window(ends, reach))
        route = _search(part, start, places, penalties)
        if route is not None:
            return straighten(part, route)
    return None


def _search(costmap: Costmap, start: Array, places: Array, penalties: Array) -> Array | None:
    """Find the cheapest way, cell by cell, start and end included, shape (m, 2)."""
    cells = _flatten(costmap, places)
    origin = _nearest_free(costmap, start)
    costs, before = dijkstra(
        _connect(costmap), directed=False, indices=origin, return_predecessors=True
    )
    totals = costs[cells] + penalties
    best = int(totals.argmin())
    if not np.isfinite(totals[best]):
        return None
    trail = [int(cells[best])]
    while before[trail[-1]] != _UNREACHED:
        trail.append(int(before[trail[-1]]))
    centers = costmap.centers.reshape(-1, 2)[trail[::-1][1:]]
    return np.concatenate([start[None], centers[:-1], places[None, best]])


def straighten(costmap: Costmap, route: Array) -> Array:
    """
    Leave out way points (m, 2) where the straight line costs no more a metre than the way does.

    Returns
    -------
    array, shape (k, 2)
        Without the first, with the last.

    """
    costs = costmap.costs_at(route)
    kept, here = [], 0
    while here < len(route) - 1:
        there, step = here + 1, 1
        while step:
            farther = min(there + step, len(route) - 1)
            worst = float(costs[here : farther + 1].max())
            if farther > there and costmap.worst_between(route[here], route[farther]) <= worst:
                there, step = farther, 2 * step
            else:
                step //= 2
        kept.append(route[there])
        here = there
    return np.array(kept)


def _connect(costmap: Costmap) -> csr_matrix:
    """Join each cell where a robot can be to its eight neighbours, by the cost of going there."""
    rows, columns = costmap.costs.shape
    numbers = np.arange(rows * columns).reshape(rows, columns)
    starts, ends, weights = [], [], []
    for down, right in STEPS:
        here = (slice(0, rows - down), slice(max(0, -right), columns - max(0, right)))
        there = (slice(down, rows), slice(max(0, right), columns + min(0, right)))
        weight = (
            costmap.cell
            * np.hypot(down, right)
            * (costmap.costs[here] + costmap.costs[there])
            / 2.0
        )
        passable = np.isfinite(weight)
        starts.append(numbers[here][passable])
        ends.append(numbers[there][passable])
        weights.append(weight[passable])
    edges = (np.concatenate(starts), np.concatenate(ends))
    return coo_matrix((np.concatenate(weights), edges), shape=(numbers.size,) * 2).tocsr()


def _flatten(costmap: Costmap, places: Array) -> NDArray[np.intp]:
    """Find the numbers of the cells of places (k, 2), counted row by row."""
    rows, columns = costmap.locate(places).T
    numbers: NDArray[np.intp] = rows * costmap.costs.shape[1] + columns
    return numbers


def _nearest_free(costmap: Costmap, place: Array) -> int:
    """Find the number of the cell nearest to a place in which a robot can be."""
    apart = np.linalg.norm(costmap.centers - place, axis=-1)
    return int(np.where(np.isfinite(costmap.costs), apart, np.inf).argmin())

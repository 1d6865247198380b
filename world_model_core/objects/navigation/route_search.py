# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Cheapest route over a costmap, with as few way points as possible."""

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

__all__ = ['find_route', 'straighten']

# Steps from a cell to half of its neighbors, as rows and columns; the graph is undirected.
STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))
# Margin around both ends in which a route is searched first [m].
NEARBY = 4.0
_UNREACHED = -9999  # scipy's value for no predecessor


def find_route(costmap: Costmap, start: Array, places: Array, penalties: Array) -> Array | None:
    """
    Find the cheapest route to the best of some places.

    Parameters
    ----------
    costmap : Costmap
    start : array, shape (2,)
        [m]; if it is impassable, the route starts at the nearest passable cell.
    places : array, shape (k, 2)
        Possible ends [m].
    penalties : array, shape (k,)
        Penalty of each end, as length of route [m].

    Returns
    -------
    array, shape (m, 2), optional
        Vertices of the route [m], without the start and with the end; None if no place can be
        reached.

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
    """Return the cheapest route cell by cell, start and end included, shape (m, 2)."""
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
    Remove vertices (m, 2) where the straight line costs no more per meter than the route.

    Returns
    -------
    array, shape (k, 2)
        Without the first vertex, with the last one.

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
    """Connect each passable cell to its eight neighbors, weighted by driving cost."""
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
    """Return the flat indices of the cells of places (k, 2)."""
    rows, columns = costmap.locate(places).T
    numbers: NDArray[np.intp] = rows * costmap.costs.shape[1] + columns
    return numbers


def _nearest_free(costmap: Costmap, place: Array) -> int:
    """Return the flat index of the passable cell nearest to a place."""
    apart = np.linalg.norm(costmap.centers - place, axis=-1)
    return int(np.where(np.isfinite(costmap.costs), apart, np.inf).argmin())

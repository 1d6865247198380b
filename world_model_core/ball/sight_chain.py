# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Which of all sights of balls are of the ball of the match, judged from the whole recording."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from world_model_core.gaussian import Array

    Indices = NDArray[np.intp]
    Stamps = NDArray[np.int64]

# Two sights of one camera are of one ball when no further apart than this in time [ns] and place:
# noise [m] and the fastest a ball seems to move [m/s], a flying one seen along the carpet.
LINK_NS = 60_000_000
LINK_NOISE, LINK_SPEED = 0.03, 12.0
# Fewer sights in a row are no ball.
SHORTEST_CHAIN = 5
# A ball that stayed within this [m] lies; two cameras show one ball, if it lies, this near.
LYING = 0.15


@dataclass(frozen=True, slots=True, eq=False)
class Sights:
    """
    What cameras saw of balls, in order of time.

    Parameters
    ----------
    stamps_ns : array of int64, shape (n,)
        Capture times [ns, vision's clock], not falling.
    places : array, shape (n, 2)
        On the carpet [m], field frame.
    cameras : array of int, shape (n,)
        Their numbers.

    """

    stamps_ns: Stamps
    places: Array
    cameras: Indices

    def __len__(self) -> int:
        """Count the sights."""
        return len(self.stamps_ns)


def follow_ball(sights: Sights) -> tuple[Indices, ...]:
    """
    Find the match's ball among all balls seen.

    Of balls seen at once by one camera the one that moves most, and for long, is taken; of two
    cameras, a ball that lies elsewhere than the taken one is left out. Cameras may disagree.

    Returns
    -------
    tuple of array of int
        Chains of sights, each of one camera and without a gap, as indices in order of time.

    """
    chains = [_one_a_frame(sights, chain) for chain in _linked(sights)]
    chains.sort(key=lambda chain: _extent(sights, chain) * len(chain) ** 0.5, reverse=True)
    taken: list[Indices] = []
    for chain in chains:
        if not any(_excludes(sights, other, chain) for other in taken):
            taken.append(chain)
    return tuple(sorted(taken, key=lambda chain: int(chain[0])))


def _linked(sights: Sights) -> Iterator[Indices]:
    """Link sights of a camera that are near in time and place, and yield the long chains."""
    cameras = np.unique(sights.cameras)
    links = [_links(sights, np.flatnonzero(sights.cameras == camera)) for camera in cameras]
    rows, columns = np.concatenate([np.zeros((2, 0), dtype=np.intp), *links], axis=1)
    shape = (len(sights), len(sights))
    graph = coo_array((np.ones(len(rows), dtype=np.int8), (rows, columns)), shape=shape)
    labels = connected_components(graph, directed=False)[1]
    order = np.argsort(labels, kind='stable')
    for chain in np.split(order, np.flatnonzero(np.diff(labels[order])) + 1):
        if len(chain) >= SHORTEST_CHAIN:
            yield chain


def _links(sights: Sights, own: Indices) -> Indices:
    """Link each sight of one camera to the next and to the last one near it, shape (2, m)."""
    stamps, places = sights.stamps_ns[own], sights.places[own]
    found = []
    for step in range(1, len(own)):
        dt, moved = stamps[step:] - stamps[:-step], places[step:] - places[:-step]
        if dt.min() > LINK_NS:
            break
        apart = np.hypot(*moved.T)
        near = (dt > 0) & (dt <= LINK_NS) & (apart <= LINK_NOISE + LINK_SPEED * dt / 1e9)
        (rows,) = np.nonzero(near)
        found.append(np.stack((rows, rows + step, dt[rows], apart[rows])))
    if not found:
        return np.zeros((2, 0), dtype=np.intp)
    rows, columns, dt, apart = np.concatenate(found, axis=1)
    links = np.stack((rows, columns)).astype(np.intp)
    # Of those in the nearest frame the nearest one: a ball further off is another.
    best = [
        order[np.unique(end[order], return_index=True)[1]]
        for end in links
        for order in (np.lexsort((apart, dt, end)),)
    ]
    chosen: Indices = own[links[:, np.concatenate(best)]]
    return chosen


def _one_a_frame(sights: Sights, chain: Indices) -> Indices:
    """Keep of several sights in a frame the one nearest to those of the frames around."""
    stamps, places = sights.stamps_ns[chain], sights.places[chain]
    _, frames, counts = np.unique(stamps, return_inverse=True, return_counts=True)
    alone = counts[frames] == 1
    if alone.all() or not alone.any():
        return chain if alone.all() else chain[np.unique(frames, return_index=True)[1]]
    seconds = (stamps - stamps[0]) / 1e9
    expected = np.stack(
        [np.interp(seconds, seconds[alone], axis) for axis in places[alone].T], axis=1
    )
    off = np.hypot(*(places - expected).T)
    order = np.lexsort((off, frames))
    return chain[np.sort(order[np.unique(frames[order], return_index=True)[1]])]


def _extent(sights: Sights, chain: Indices) -> float:
    """Measure the area in which the ball moved by its diagonal [m]; one that lies has some."""
    return max(float(np.hypot(*np.ptp(sights.places[chain], axis=0))), 0.1 * LYING)


def _excludes(sights: Sights, taken: Indices, chain: Indices) -> bool:
    """Whether a chain cannot be of the same ball as one that was taken."""
    first, last = sights.stamps_ns[chain[0]], sights.stamps_ns[chain[-1]]
    begin, end = sights.stamps_ns[taken[0]], sights.stamps_ns[taken[-1]]
    if last < begin or end < first:
        return False
    if sights.cameras[chain[0]] == sights.cameras[taken[0]]:
        return True
    return _extent(sights, chain) < LYING and _apart(sights, taken, chain) > LYING


def _apart(sights: Sights, one: Indices, other: Indices) -> float:
    """Find how far two chains are apart while both last, as a median [m]."""
    stamps = sights.stamps_ns
    begin = stamps[one[0]]
    both = one[(stamps[one] >= stamps[other[0]]) & (stamps[one] <= stamps[other[-1]])]
    if not len(both):
        return 0.0
    places = [
        np.interp(stamps[both] - begin, stamps[other] - begin, axis)
        for axis in sights.places[other].T
    ]
    return float(np.median(np.hypot(*(sights.places[both].T - places))))

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Which of all sights of balls are of the ball of the match, judged from the whole recording."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.time import NANOSECONDS_PER_SECOND

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
    cameras = np.unique(sights.cameras)
    chains = [
        chain
        for camera in cameras
        for chain in _chains(sights, np.flatnonzero(sights.cameras == camera))
    ]
    chains.sort(key=lambda chain: _extent(sights, chain) * len(chain) ** 0.5, reverse=True)
    taken: list[Indices] = []
    for chain in chains:
        if not any(_excludes(sights, other, chain) for other in taken):
            taken.append(chain)
    return tuple(sorted(taken, key=lambda chain: int(chain[0])))


def _chains(sights: Sights, own: Indices) -> Iterator[Indices]:
    """Link each sight of one camera to at most one later one, and yield the long chains."""
    followers: dict[int, int] = {}
    followed: set[int] = set()
    for row, column in _candidates(sights, own):
        if row not in followers and column not in followed:
            followers[row] = column
            followed.add(column)
    for first in sorted(followers.keys() - followed):
        chain = [first]
        while chain[-1] in followers:
            chain.append(followers[chain[-1]])
        if len(chain) >= SHORTEST_CHAIN:
            yield own[chain]


def _candidates(sights: Sights, own: Indices) -> Iterator[tuple[int, int]]:
    """Pair sights that may be of one ball, those in the nearest frame and nearest there first."""
    stamps, places = sights.stamps_ns[own], sights.places[own]
    found = []
    for step in range(1, len(own)):
        dt, moved = stamps[step:] - stamps[:-step], places[step:] - places[:-step]
        if dt.min() > LINK_NS:
            break
        apart = np.hypot(*moved.T)
        near = (
            (dt > 0)
            & (dt <= LINK_NS)
            & (apart <= LINK_NOISE + LINK_SPEED * dt / NANOSECONDS_PER_SECOND)
        )
        (rows,) = np.nonzero(near)
        found.append(np.stack((rows, rows + step, dt[rows], apart[rows])))
    if not found:
        return
    rows, columns, dt, apart = np.concatenate(found, axis=1)
    order = np.lexsort((apart, dt))
    for row, column in zip(rows[order].tolist(), columns[order].tolist(), strict=True):
        yield int(row), int(column)


def _extent(sights: Sights, chain: Indices) -> float:
    """Measure the area in which the ball moved by its diagonal [m]; one that lies has some."""
    return max(float(np.hypot(*np.ptp(sights.places[chain], axis=0))), 0.1 * LYING)


def _excludes(sights: Sights, taken: Indices, chain: Indices) -> bool:
    """Whether a chain cannot be of the same ball as one that was taken."""
    first, last = sights.stamps_ns[chain[0]], sights.stamps_ns[chain[-1]]
    begin, end = sights.stamps_ns[taken[0]], sights.stamps_ns[taken[-1]]
    if min(last, end) - max(first, begin) < LINK_NS:
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

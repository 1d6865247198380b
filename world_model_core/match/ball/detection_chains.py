# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Selection of the match ball among all detected balls of a recording."""

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

# Two detections of one camera are linked within this time [ns] and distance: noise [m] plus the
# largest apparent speed [m/s], including flying balls projected to the carpet.
LINK_NS = 60_000_000
LINK_NOISE, LINK_SPEED = 0.03, 12.0
# A shorter chain is clutter.
SHORTEST_CHAIN = 5
# A ball that stays within this distance rests [m]; two cameras show a resting ball this near.
LYING = 0.15


@dataclass(frozen=True, slots=True, eq=False)
class BallDetections:
    """
    Ball detections of all cameras, ordered by time.

    Parameters
    ----------
    stamps_ns : array of int64, shape (n,)
        Capture times [ns, vision's clock], not decreasing.
    places : array, shape (n, 2)
        Positions on the carpet [m], field frame.
    cameras : array of int, shape (n,)
        Camera ids.

    """

    stamps_ns: Stamps
    places: Array
    cameras: Indices

    def __len__(self) -> int:
        """Return the number of detections."""
        return len(self.stamps_ns)


def select_match_ball(detections: BallDetections) -> tuple[Indices, ...]:
    """
    Select the detections of the match ball.

    Of balls that one camera shows at once, the one that moves most, and for long, is selected. Of
    two cameras, a ball that rests elsewhere than the selected one is rejected. Cameras may have
    different biases.

    Returns
    -------
    tuple of array of int
        Chains of detections, each of one camera and without a gap, as indices in order of time.

    """
    cameras = np.unique(detections.cameras)
    chains = [
        chain
        for camera in cameras
        for chain in _chains(detections, np.flatnonzero(detections.cameras == camera))
    ]
    chains.sort(key=lambda chain: _extent(detections, chain) * len(chain) ** 0.5, reverse=True)
    taken: list[Indices] = []
    for chain in chains:
        if not any(_excludes(detections, other, chain) for other in taken):
            taken.append(chain)
    return tuple(sorted(taken, key=lambda chain: int(chain[0])))


def _chains(detections: BallDetections, own: Indices) -> Iterator[Indices]:
    """Link each detection of one camera to at most one later one, and yield long chains."""
    followers: dict[int, int] = {}
    followed: set[int] = set()
    for row, column in _candidates(detections, own):
        if row not in followers and column not in followed:
            followers[row] = column
            followed.add(column)
    for first in sorted(followers.keys() - followed):
        chain = [first]
        while chain[-1] in followers:
            chain.append(followers[chain[-1]])
        if len(chain) >= SHORTEST_CHAIN:
            yield own[chain]


def _candidates(detections: BallDetections, own: Indices) -> Iterator[tuple[int, int]]:
    """Yield pairs of detections that may be of one ball, ordered by time, then distance."""
    stamps, places = detections.stamps_ns[own], detections.places[own]
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


def _extent(detections: BallDetections, chain: Indices) -> float:
    """Return the diagonal of the bounding box of a chain [m], with a lower bound."""
    return max(float(np.hypot(*np.ptp(detections.places[chain], axis=0))), 0.1 * LYING)


def _excludes(detections: BallDetections, taken: Indices, chain: Indices) -> bool:
    """Return whether a chain cannot be of the same ball as a selected one."""
    first, last = detections.stamps_ns[chain[0]], detections.stamps_ns[chain[-1]]
    begin, end = detections.stamps_ns[taken[0]], detections.stamps_ns[taken[-1]]
    if min(last, end) - max(first, begin) < LINK_NS:
        return False
    if detections.cameras[chain[0]] == detections.cameras[taken[0]]:
        return True
    return _extent(detections, chain) < LYING and _apart(detections, taken, chain) > LYING


def _apart(detections: BallDetections, one: Indices, other: Indices) -> float:
    """Return the median distance of two chains while both exist [m]."""
    stamps = detections.stamps_ns
    begin = stamps[one[0]]
    both = one[(stamps[one] >= stamps[other[0]]) & (stamps[one] <= stamps[other[-1]])]
    if not len(both):
        return 0.0
    places = [
        np.interp(stamps[both] - begin, stamps[other] - begin, axis)
        for axis in detections.places[other].T
    ]
    return float(np.median(np.hypot(*(detections.places[both].T - places))))

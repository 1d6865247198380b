# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Segmentation of recorded ball detections at kicks and contacts, using the whole recording.

No model of deceleration is assumed: within a window a free ball follows a parabola, and one that
was hit has a different velocity afterwards. Each camera is processed alone, so that no bias
between cameras looks like a hit.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.match.ball.detection_chains import (
    LINK_SPEED,
    BallDetections,
    select_match_ball,
)
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.match.ball.detection_chains import Indices

__all__ = ['BallDetections', 'Stretch', 'segment']

# Detections compared on either side of a time, and fewest. With 10 and noise of 1.4 mm a change of
# 0.5 m/s is detected; many more would take the end of sliding for a hit.
REACH, FEWEST = 10, 4
# Detections whose parabola decides whether the next one belongs to it.
PARABOLA = 7
# A change of velocity is a hit if it exceeds this [m/s] and this many standard deviations. In a
# match and in a simulator hits had 8 and more, free balls 4 at most.
LEAST_CHANGE, LEAST_RATIO = 0.3, 6.0
# Smallest noise of vision [m]; smaller residuals are not significant.
LEAST_NOISE = 5e-4
# A detection off the parabola of its neighbors by more standard deviations than this belongs to
# the hit; at most this many detections.
OFF, MOST_OFF = 5.0, 3
# After a gap of this length [ns] the motion in between is unknown.
LONGEST_GAP_NS = 100_000_000
# Largest distance between two cameras showing one ball [m].
CAMERA_DISTANCE = 0.06


@dataclass(frozen=True, slots=True, eq=False)
class Stretch:
    """
    Part of the ball's path on which nothing hit it.

    Parameters
    ----------
    start_ns, end_ns : int
        Capture times of its first and last detection [ns, vision's clock].
    indices : array of int
        Its detections, of all cameras, in order of time.
    kicked : bool
        Whether it begins with a kick: the ball is faster than before.

    """

    start_ns: int
    end_ns: int
    indices: Indices
    kicked: bool


class _Piece(NamedTuple):
    """Detections of one camera between two hits, and whether a hit ended them."""

    indices: Indices
    hit: bool


def segment(detections: BallDetections) -> tuple[Stretch, ...]:
    """
    Split the path of the match ball into stretches without kick or contact.

    A bounce of a chipped ball changes its apparent velocity and splits the path as well.

    Parameters
    ----------
    detections : BallDetections
        Of all balls and cameras; other balls are rejected.

    Returns
    -------
    tuple of Stretch
        In order of time; they do not overlap.

    """
    chains = select_match_ball(detections)
    pieces = [piece for chain in chains for piece in _split(detections, chain)]
    hits = _hits(detections, pieces) + _reappearances(detections, chains)
    kept = np.sort(np.concatenate([piece.indices for piece in pieces])) if pieces else None
    if kept is None:
        return ()
    parts = _cut(detections, kept, hits)
    stretches: list[Stretch] = []
    for part in parts:
        before = stretches[-1].indices if stretches else None
        stamps = detections.stamps_ns[part]
        kicked = before is not None and _gained(detections, before, part)
        stretches.append(Stretch(int(stamps[0]), int(stamps[-1]), part, kicked))
    return tuple(stretches)


def _split(detections: BallDetections, chain: Indices) -> list[_Piece]:
    """Split a chain recursively at its most significant hit."""
    pieces: list[_Piece] = []
    waiting = [_Piece(chain, hit=False)]
    while waiting:
        piece = waiting.pop()
        found = _most_significant_hit(detections, piece.indices)
        if found is None:
            pieces.append(piece)
            continue
        before = _trimmed(detections, piece.indices[:found])
        after = _trimmed(detections, piece.indices[found:][::-1])[::-1]
        waiting += [_Piece(after, piece.hit), _Piece(before, hit=True)]
    return pieces


def _most_significant_hit(detections: BallDetections, chain: Indices) -> int | None:
    """Return the detection before which the velocity changed most significantly."""
    if len(chain) < 2 * FEWEST:
        return None
    change, ratio = _changes(detections, chain)
    ratio[change < LEAST_CHANGE] = 0.0
    best = int(ratio.argmax())
    return best + FEWEST if ratio[best] >= LEAST_RATIO else None


def _changes(detections: BallDetections, chain: Indices) -> tuple[Array, Array]:
    """
    Estimate the change of velocity between consecutive detections.

    Returns
    -------
    change, ratio : array, shape (n - 2 FEWEST + 1,)
        Magnitude of the change before detection FEWEST and later ones [m/s], and its ratio to the
        standard deviation.

    """
    stamps, places = detections.stamps_ns[chain], detections.places[chain]
    seconds = (stamps - stamps[0]) / NANOSECONDS_PER_SECOND
    middle = np.arange(FEWEST, len(chain) - FEWEST + 1)
    around = middle[:, None] + np.arange(-REACH, REACH)
    inside = (around >= 0) & (around < len(chain))
    around = around.clip(0, len(chain) - 1)
    centre = 0.5 * (seconds[middle - 1] + seconds[middle])
    unit = float(np.median(np.diff(seconds))) * REACH
    time = (seconds[around] - centre[:, None]) / unit
    after = np.arange(2 * REACH) >= REACH
    basis = np.stack(
        [np.ones_like(time), time, time**2, np.where(after, 1.0, 0.0) + 0 * time, after * time],
        axis=-1,
    )
    basis *= inside[..., None]
    moved = (places[around] - places[middle][:, None]) * inside[..., None]
    inverse = np.linalg.inv(basis.transpose(0, 2, 1) @ basis)
    fit = inverse @ (basis.transpose(0, 2, 1) @ moved)
    left = ((moved - basis @ fit) ** 2).sum(axis=(1, 2))
    variance = left / (2.0 * (inside.sum(axis=1) - 5))
    # Too few detections for a variance of their own: use that of the chain as lower bound.
    noise = np.sqrt(np.maximum(variance, max(float(np.median(variance)), LEAST_NOISE**2)))
    change: Array = np.hypot(*fit[:, 4].T) / unit
    return change, change * unit / (noise * np.sqrt(inverse[:, 4, 4]))


def _trimmed(detections: BallDetections, chain: Indices) -> Indices:
    """Remove the last detections of a chain that are off the parabola of those before."""
    for _ in range(MOST_OFF):
        if len(chain) <= PARABOLA:
            break
        stamps, places = (
            detections.stamps_ns[chain[-PARABOLA - 1 :]],
            detections.places[chain[-PARABOLA - 1 :]],
        )
        time = (stamps - stamps[0]) / float(stamps[-2] - stamps[0])
        basis = np.vander(time, 3)
        fit, *_ = np.linalg.lstsq(basis[:-1], places[:-1], rcond=None)
        off = places - basis @ fit
        variance = (off[:-1] ** 2).sum() / (2.0 * (PARABOLA - 3))
        lever = basis[-1] @ np.linalg.inv(basis[:-1].T @ basis[:-1]) @ basis[-1]
        noise = max(variance, LEAST_NOISE**2) * (1.0 + lever)
        if (off[-1] ** 2).sum() <= OFF**2 * noise:
            break
        chain = chain[:-1]
    return chain


def _hits(detections: BallDetections, pieces: list[_Piece]) -> list[tuple[int, int]]:
    """Return the last time before and the first after each hit [ns]."""
    stamps = detections.stamps_ns
    return [
        (int(stamps[piece.indices[-1]]), int(stamps[following.indices[0]]))
        for piece, following in pairwise(pieces)
        if piece.hit
    ]


def _reappearances(
    detections: BallDetections, chains: tuple[Indices, ...]
) -> list[tuple[int, int]]:
    """Return when the ball disappears and reappears at another position [ns]."""
    stamps = detections.stamps_ns
    found = []
    for number, chain in enumerate(chains):
        earlier = chains[:number]
        if not earlier:
            continue
        last = max(earlier, key=lambda other: int(stamps[other[-1]]))[-1]
        dt = int(stamps[chain[0]] - stamps[last])
        moved = float(np.hypot(*(detections.places[chain[0]] - detections.places[last])))
        # A camera that still detects the ball follows the same one.
        if (
            dt > -LONGEST_GAP_NS // 2
            and moved > CAMERA_DISTANCE + LINK_SPEED * abs(dt) / NANOSECONDS_PER_SECOND
        ):
            found.append((int(stamps[last]), int(stamps[chain[0]])))
    return found


def _cut(detections: BallDetections, kept: Indices, hits: list[tuple[int, int]]) -> list[Indices]:
    """Split the detections at hits and gaps; those within a hit are dropped."""
    stamps = detections.stamps_ns[kept]
    outside = np.ones(len(kept), dtype=bool)
    cuts = set((np.flatnonzero(np.diff(stamps) > LONGEST_GAP_NS) + 1).tolist())
    for before, after in hits:
        outside &= (stamps <= min(before, after)) | (stamps >= max(before, after))
        cuts.add(int(np.searchsorted(stamps, max(before, after))))
    index = np.arange(len(kept))
    parts = np.split(index, sorted(cuts))
    return [kept[part[outside[part]]] for part in parts if outside[part].sum() >= FEWEST]


def _gained(detections: BallDetections, before: Indices, part: Indices) -> bool:
    """Return whether the ball is faster after a cut; a displaced ball was at rest before."""
    dt = (
        detections.stamps_ns[part[0]] - detections.stamps_ns[before[-1]]
    ) / NANOSECONDS_PER_SECOND
    apart = float(np.hypot(*(detections.places[part[0]] - detections.places[before[-1]])))
    elsewhere = apart > CAMERA_DISTANCE + LINK_SPEED * dt
    was = 0.0 if elsewhere else _speed(detections, before[-2 * REACH :])
    return _speed(detections, part[: 2 * REACH]) > was + LEAST_CHANGE


def _speed(detections: BallDetections, indices: Indices) -> float:
    """Return the speed over some detections of the camera with most of them [m/s]."""
    numbers, counts = np.unique(detections.cameras[indices], return_counts=True)
    own = indices[detections.cameras[indices] == numbers[counts.argmax()]]
    if len(own) < 2:
        return 0.0
    seconds = (detections.stamps_ns[own] - detections.stamps_ns[own[0]]) / NANOSECONDS_PER_SECOND
    return float(np.hypot(*np.polyfit(seconds, detections.places[own], 1)[0]))

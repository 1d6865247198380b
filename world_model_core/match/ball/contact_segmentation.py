# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Cuts what vision saw of the ball wherever something has hit it, with the whole recording at hand.

Nothing is assumed of how a ball slows down: within a window a free ball follows a parabola, and
one that was hit has another velocity after than before. Each camera is looked at alone, so that
no disagreement between cameras can look like a hit.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.match.ball.detection_chains import LINK_SPEED, Sights, follow_ball
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.match.ball.detection_chains import Indices

__all__ = ['Sights', 'Stretch', 'segment']

# Sights on either side of an instant that are compared, and the fewest that can be: with 10 and
# noise of 1.4 mm a change of 0.5 m/s is found; many more would take the end of sliding for a hit.
REACH, FEWEST = 10, 4
# As many sights tell whether the next one is on their parabola.
PARABOLA = 7
# A change of velocity is a hit when it is this large [m/s] and this many times its own standard
# deviation. In a match and in a simulator hits had 8 and more, free balls 4 at most.
LEAST_CHANGE, LEAST_RATIO = 0.3, 6.0
# Vision is not better than this [m]: what differs by less from a parabola is no sign of anything.
LEAST_NOISE = 5e-4
# A sight further off the parabola through its neighbours than so many standard deviations
# belongs to the hit, at most so many of them.
OFF, MOST_OFF = 5.0, 3
# The ball was out of sight for this long [ns]: nobody knows what happened to it.
LONGEST_GAP_NS = 100_000_000
# Two cameras show one ball this far apart at most [m].
DISAGREEMENT = 0.06


@dataclass(frozen=True, slots=True, eq=False)
class Stretch:
    """
    A part of the ball's way on which nothing hit it.

    Parameters
    ----------
    start_ns, end_ns : int
        Capture times of its first and last sight [ns, vision's clock].
    indices : array of int
        Its sights, of all cameras, in order of time.
    kicked : bool
        Whether it begins with a kick or a launch: the ball is faster than before.

    """

    start_ns: int
    end_ns: int
    indices: Indices
    kicked: bool


class _Piece(NamedTuple):
    """What one camera saw between two hits: its sights, and whether a hit ended it."""

    indices: Indices
    hit: bool


def segment(sights: Sights) -> tuple[Stretch, ...]:
    """
    Cut the way of the match's ball into stretches without kick or contact.

    A bounce of a chipped ball off the carpet changes what is seen of its velocity and cuts as
    well.

    Parameters
    ----------
    sights : Sights
        Of all balls and cameras; false second balls are left out.

    Returns
    -------
    tuple of Stretch
        In order of time; they do not overlap.

    """
    chains = follow_ball(sights)
    pieces = [piece for chain in chains for piece in _split(sights, chain)]
    hits = _hits(sights, pieces) + _launches(sights, chains)
    kept = np.sort(np.concatenate([piece.indices for piece in pieces])) if pieces else None
    if kept is None:
        return ()
    parts = _cut(sights, kept, hits)
    stretches: list[Stretch] = []
    for part in parts:
        before = stretches[-1].indices if stretches else None
        stamps = sights.stamps_ns[part]
        kicked = before is not None and _gained(sights, before, part)
        stretches.append(Stretch(int(stamps[0]), int(stamps[-1]), part, kicked))
    return tuple(stretches)


def _split(sights: Sights, chain: Indices) -> list[_Piece]:
    """Split a chain at its surest hit, and its parts again, until none is left."""
    pieces: list[_Piece] = []
    waiting = [_Piece(chain, hit=False)]
    while waiting:
        piece = waiting.pop()
        found = _surest_hit(sights, piece.indices)
        if found is None:
            pieces.append(piece)
            continue
        before = _trimmed(sights, piece.indices[:found])
        after = _trimmed(sights, piece.indices[found:][::-1])[::-1]
        waiting += [_Piece(after, piece.hit), _Piece(before, hit=True)]
    return pieces


def _surest_hit(sights: Sights, chain: Indices) -> int | None:
    """Find before which sight of a chain the velocity changed most surely."""
    if len(chain) < 2 * FEWEST:
        return None
    change, ratio = _changes(sights, chain)
    ratio[change < LEAST_CHANGE] = 0.0
    best = int(ratio.argmax())
    return best + FEWEST if ratio[best] >= LEAST_RATIO else None


def _changes(sights: Sights, chain: Indices) -> tuple[Array, Array]:
    """
    Estimate the change of velocity between any two sights.

    Returns
    -------
    change, ratio : array, shape (n - 2 FEWEST + 1,)
        The size of the change before sight FEWEST and those after [m/s], and over its own
        standard deviation.

    """
    stamps, places = sights.stamps_ns[chain], sights.places[chain]
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
    # Too few sights are left over for a variance of their own: the chain's counts as well.
    noise = np.sqrt(np.maximum(variance, max(float(np.median(variance)), LEAST_NOISE**2)))
    change: Array = np.hypot(*fit[:, 4].T) / unit
    return change, change * unit / (noise * np.sqrt(inverse[:, 4, 4]))


def _trimmed(sights: Sights, chain: Indices) -> Indices:
    """Leave out the last sights of a chain that are not on the parabola of those before."""
    for _ in range(MOST_OFF):
        if len(chain) <= PARABOLA:
            break
        stamps, places = (
            sights.stamps_ns[chain[-PARABOLA - 1 :]],
            sights.places[chain[-PARABOLA - 1 :]],
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


def _hits(sights: Sights, pieces: list[_Piece]) -> list[tuple[int, int]]:
    """Give the last instant before and the first after each hit [ns]."""
    stamps = sights.stamps_ns
    return [
        (int(stamps[piece.indices[-1]]), int(stamps[following.indices[0]]))
        for piece, following in pairwise(pieces)
        if piece.hit
    ]


def _launches(sights: Sights, chains: tuple[Indices, ...]) -> list[tuple[int, int]]:
    """Find where the ball appears elsewhere than where it vanished [ns]."""
    stamps = sights.stamps_ns
    found = []
    for number, chain in enumerate(chains):
        earlier = chains[:number]
        if not earlier:
            continue
        last = max(earlier, key=lambda other: int(stamps[other[-1]]))[-1]
        dt = int(stamps[chain[0]] - stamps[last])
        moved = float(np.hypot(*(sights.places[chain[0]] - sights.places[last])))
        # A camera that still sees the ball sees the same one.
        if (
            dt > -LONGEST_GAP_NS // 2
            and moved > DISAGREEMENT + LINK_SPEED * abs(dt) / NANOSECONDS_PER_SECOND
        ):
            found.append((int(stamps[last]), int(stamps[chain[0]])))
    return found


def _cut(sights: Sights, kept: Indices, hits: list[tuple[int, int]]) -> list[Indices]:
    """Cut the sights at the hits and at gaps; those within a hit belong to no part."""
    stamps = sights.stamps_ns[kept]
    outside = np.ones(len(kept), dtype=bool)
    cuts = set((np.flatnonzero(np.diff(stamps) > LONGEST_GAP_NS) + 1).tolist())
    for before, after in hits:
        outside &= (stamps <= min(before, after)) | (stamps >= max(before, after))
        cuts.add(int(np.searchsorted(stamps, max(before, after))))
    index = np.arange(len(kept))
    parts = np.split(index, sorted(cuts))
    return [kept[part[outside[part]]] for part in parts if outside[part].sum() >= FEWEST]


def _gained(sights: Sights, before: Indices, part: Indices) -> bool:
    """Whether the ball is faster after a cut; where it appeared elsewhere it was at rest."""
    dt = (sights.stamps_ns[part[0]] - sights.stamps_ns[before[-1]]) / NANOSECONDS_PER_SECOND
    apart = float(np.hypot(*(sights.places[part[0]] - sights.places[before[-1]])))
    elsewhere = apart > DISAGREEMENT + LINK_SPEED * dt
    was = 0.0 if elsewhere else _speed(sights, before[-2 * REACH :])
    return _speed(sights, part[: 2 * REACH]) > was + LEAST_CHANGE


def _speed(sights: Sights, indices: Indices) -> float:
    """Measure the speed over some sights of the camera that has most of them [m/s]."""
    numbers, counts = np.unique(sights.cameras[indices], return_counts=True)
    own = indices[sights.cameras[indices] == numbers[counts.argmax()]]
    if len(own) < 2:
        return 0.0
    seconds = (sights.stamps_ns[own] - sights.stamps_ns[own[0]]) / NANOSECONDS_PER_SECOND
    return float(np.hypot(*np.polyfit(seconds, sights.places[own], 1)[0]))

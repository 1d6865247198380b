# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Continuity of the published ball track, and latency of vision."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.evaluation.match.state_errors import SETTLING_NS
from world_model_core.match.ball.estimate import BallSource
from world_model_core.time import to_seconds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.evaluation.match.replay import Delays, PublishedBall, ReplayedMatch
    from world_model_core.match.ball.contact_segmentation import Stretch

# Largest distance between consecutive estimates and the predicted trajectory [m].
JUMP = 0.05
# An estimate is of a false ball if it is this near to another detection [m], at most this much
# earlier [ns], and this far from the ball [m].
AT_FALSE, JUST_BEFORE_NS, FROM_BALL = 0.1, 100_000_000, 0.3


@dataclass(frozen=True, slots=True)
class TrackQuality:
    """
    Continuity of the track while vision showed the ball.

    Parameters
    ----------
    frames : int
        Frames that showed the ball.
    covered : float or None
        Share of them for which a ball from vision was published.
    longest_gap : float
        Longest time between two estimates while vision showed the ball [s].
    jumps : int
        Estimates more than 5 cm off the trajectory of the previous one, while nothing hit the ball
        and from 0.1 s after the last hit.
    on_false_ball : int
        Estimates of a ball that is not the match ball.
    nis : float or None
        Mean NIS while nothing hit the ball, for each of the two degrees of freedom: 1 for a
        consistent covariance.

    """

    frames: int
    covered: float | None
    longest_gap: float
    jumps: int
    on_false_ball: int
    nis: float | None


@dataclass(frozen=True, slots=True)
class Latency:
    """
    Delays of frames, medians and 95th percentiles [s].

    `sending` from capture to sending; `arrival` from sending to the recorder, beyond that of the
    fastest packet, because the clocks may differ.
    """

    sending_median: float | None
    sending_p95: float | None
    arrival_median: float | None
    arrival_p95: float | None


def latency(delays: Delays) -> Latency:
    """Summarize the delays of all frames."""
    if not len(delays.sending):
        return Latency(None, None, None, None)
    values = [np.percentile(each, share) for each in delays for share in (50, 95)]
    return Latency(*map(float, values))


def score_track(replayed: ReplayedMatch, stretches: Sequence[Stretch]) -> TrackQuality:
    """Compare the estimates with the detections of the ball."""
    stamps = replayed.detections.stamps_ns
    seen = {stamp for stretch in stretches for stamp in stamps[stretch.indices].tolist()}
    published = {each.frame_ns for each in replayed.estimates if each.source is BallSource.VISION}
    spans = _spans(replayed, stretches)
    return TrackQuality(
        frames=len(seen),
        covered=len(seen & published) / len(seen) if seen else None,
        longest_gap=max((_longest_gap(stretch, published) for stretch in stretches), default=0.0),
        jumps=sum(_jumps(span) for span in spans),
        on_false_ball=_false(replayed, stretches, spans),
        nis=_nis(replayed, stretches),
    )


def _nis(replayed: ReplayedMatch, stretches: Sequence[Stretch]) -> float | None:
    """Return the mean NIS away from hits."""
    stamps = [innovation.stamp_ns for innovation in replayed.innovations]
    found: list[float] = []
    for stretch in stretches:
        first = bisect_left(stamps, stretch.start_ns + SETTLING_NS)
        last = bisect_right(stamps, stretch.end_ns)
        found += [innovation.nis for innovation in replayed.innovations[first:last]]
    return float(np.mean(found)) / 2.0 if found else None


def _spans(replayed: ReplayedMatch, stretches: Sequence[Stretch]) -> list[list[PublishedBall]]:
    """Return the estimates of each stretch, after its start has settled."""
    published = sorted(replayed.estimates, key=_stamp)
    stamps = [_stamp(estimate) for estimate in published]
    ends = [
        (bisect_left(stamps, s.start_ns + SETTLING_NS), bisect_right(stamps, s.end_ns))
        for s in stretches
    ]
    return [published[first:last] for first, last in ends]


def _stamp(estimate: PublishedBall) -> int:
    return estimate.state.stamp_ns


def _longest_gap(stretch: Stretch, published: set[int]) -> float:
    inside = sorted(t for t in published if stretch.start_ns <= t <= stretch.end_ns)
    instants = [stretch.start_ns, *inside, stretch.end_ns]
    return max(to_seconds(after - before) for before, after in pairwise(instants))


def _jumps(estimates: Sequence[PublishedBall]) -> int:
    """Count estimates off the trajectory of the previous one."""
    count = 0
    for before, after in pairwise(estimates):
        expected, _ = before.prediction.at(after.state.stamp_ns)
        count += bool(np.hypot(*(after.state.position - expected)[:2]) > JUMP)
    return count


def _false(
    replayed: ReplayedMatch, stretches: Sequence[Stretch], spans: Sequence[Sequence[PublishedBall]]
) -> int:
    """Count estimates near a false detection and away from true ones."""
    detections = replayed.detections
    own = np.zeros(len(detections), dtype=bool)
    for stretch in stretches:
        own[stretch.indices] = True
    count = 0
    for estimate in chain.from_iterable(spans):
        now_ns = estimate.state.stamp_ns
        first, last = np.searchsorted(detections.stamps_ns, (now_ns - JUST_BEFORE_NS, now_ns + 1))
        off = np.hypot(*(detections.places[first:last] - estimate.state.position[:2]).T)
        ball = own[first:last]
        false = off[~ball].min(initial=np.inf) < AT_FALSE
        count += bool(false and off[ball].min(initial=np.inf) > FROM_BALL)
    return count

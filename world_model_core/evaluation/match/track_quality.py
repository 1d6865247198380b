# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Whether the match's ball was followed without gaps, jumps and confusion; and how late."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.evaluation.match.state_errors import BELIEVING_NS
from world_model_core.match.ball.estimate import BallSource
from world_model_core.time import to_seconds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.evaluation.match.replay import Delays, Estimate, History
    from world_model_core.match.ball.contact_segmentation import Stretch

# From one estimate to the next a ball does not leave its course by more than this [m].
JUMP = 0.05
# An estimate this near to a sight of something else [m], that came up to so long before [ns],
# and this far from the ball [m], is of a false ball.
AT_FALSE, JUST_BEFORE_NS, FROM_BALL = 0.1, 100_000_000, 0.3


@dataclass(frozen=True, slots=True)
class TrackQuality:
    """
    How well the ball was followed while vision saw it.

    Parameters
    ----------
    frames : int
        Frames that showed the ball.
    covered : float or None
        Share of them for which a ball was told that vision saw.
    longest_gap : float
        Longest time between two estimates while vision saw the ball [s].
    jumps : int
        Estimates more than 5 cm off the course of the one before, while nothing hit the ball and
        from 0.1 s after the last hit on.
    on_false_ball : int
        Estimates of a ball that is not the match's.
    nis : float or None
        Of the sights while nothing hit the ball, mean over all, for each of the two degrees of
        freedom: 1 where the covariances are honest.

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
    How old pictures are when they come, medians and 95th percentiles [s].

    `sending` from the capture until vision sends, `arrival` from there to the recorder, beyond
    that of its quickest packet: the clocks of both need not agree.
    """

    sending_median: float | None
    sending_p95: float | None
    arrival_median: float | None
    arrival_p95: float | None


def latency(delays: Delays) -> Latency:
    """Summarise the delays of all frames."""
    if not len(delays.sending):
        return Latency(None, None, None, None)
    values = [np.percentile(each, share) for each in delays for share in (50, 95)]
    return Latency(*map(float, values))


def judge_track(history: History, stretches: Sequence[Stretch]) -> TrackQuality:
    """Compare the estimates with what vision saw of the ball."""
    stamps = history.sights.stamps_ns
    seen = {stamp for stretch in stretches for stamp in stamps[stretch.indices].tolist()}
    told = {each.told_ns for each in history.estimates if each.source is BallSource.VISION}
    spans = _spans(history, stretches)
    return TrackQuality(
        frames=len(seen),
        covered=len(seen & told) / len(seen) if seen else None,
        longest_gap=max((_longest_gap(stretch, told) for stretch in stretches), default=0.0),
        jumps=sum(_jumps(span) for span in spans),
        on_false_ball=_false(history, stretches, spans),
        nis=_nis(history, stretches),
    )


def _nis(history: History, stretches: Sequence[Stretch]) -> float | None:
    """Average the surprise at sights that a hit does not explain."""
    stamps = [surprise.stamp_ns for surprise in history.surprises]
    found: list[float] = []
    for stretch in stretches:
        first = bisect_left(stamps, stretch.start_ns + BELIEVING_NS)
        last = bisect_right(stamps, stretch.end_ns)
        found += [surprise.nis for surprise in history.surprises[first:last]]
    return float(np.mean(found)) / 2.0 if found else None


def _spans(history: History, stretches: Sequence[Stretch]) -> list[list[Estimate]]:
    """Give the estimates of each stretch, from when its beginning is believed on."""
    told = sorted(history.estimates, key=_stamp)
    stamps = [_stamp(estimate) for estimate in told]
    ends = [
        (bisect_left(stamps, s.start_ns + BELIEVING_NS), bisect_right(stamps, s.end_ns))
        for s in stretches
    ]
    return [told[first:last] for first, last in ends]


def _stamp(estimate: Estimate) -> int:
    return estimate.state.stamp_ns


def _longest_gap(stretch: Stretch, told: set[int]) -> float:
    inside = sorted(t for t in told if stretch.start_ns <= t <= stretch.end_ns)
    instants = [stretch.start_ns, *inside, stretch.end_ns]
    return max(to_seconds(after - before) for before, after in pairwise(instants))


def _jumps(estimates: Sequence[Estimate]) -> int:
    """Count estimates that are not where the one before was going."""
    count = 0
    for before, after in pairwise(estimates):
        expected, _ = before.prediction.at(after.state.stamp_ns)
        count += bool(np.hypot(*(after.state.position - expected)[:2]) > JUMP)
    return count


def _false(
    history: History, stretches: Sequence[Stretch], spans: Sequence[Sequence[Estimate]]
) -> int:
    """Count estimates at sights that are not of the ball and away from those that are."""
    sights = history.sights
    own = np.zeros(len(sights), dtype=bool)
    for stretch in stretches:
        own[stretch.indices] = True
    count = 0
    for estimate in chain.from_iterable(spans):
        now_ns = estimate.state.stamp_ns
        first, last = np.searchsorted(sights.stamps_ns, (now_ns - JUST_BEFORE_NS, now_ns + 1))
        off = np.hypot(*(sights.places[first:last] - estimate.state.position[:2]).T)
        ball = own[first:last]
        false = off[~ball].min(initial=np.inf) < AT_FALSE
        count += bool(false and off[ball].min(initial=np.inf) > FROM_BALL)
    return count

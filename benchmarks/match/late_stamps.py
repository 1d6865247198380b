# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Tracking of simulated matches whose frames are stamped late, in the bursts of a real match.

The delays of the match of RoboCup 2022 are resampled in blocks of consecutive frames. Each match
is simulated twice: with exact stamps, and with these.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.console import Console
from rich.progress import Progress

from benchmarks.match.kick_scores import score_kicks
from benchmarks.match.recording import RECORDINGS
from benchmarks.match.spread import spread
from benchmarks.match.state_scores import ON_CARPET, state_of
from benchmarks.match.tracked_match import track_match
from world_model_core.match.ball.estimate import BallSource
from world_model_core.simulation.match.parameters import SslMatchParameters
from world_model_core.time import NANOSECONDS_PER_SECOND, to_seconds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from benchmarks.match.tracked_match import Moment, TrackedMatch

STAMPS = 'ssl/stamps_2022.csv'
MINUTES = 2.0
# Duration of each match [ns].
MATCH_NS = 60 * NANOSECONDS_PER_SECOND
PARAMETERS = SslMatchParameters(cameras=2)
# The speed is judged this long after the last contact [ns].
SETTLED_NS = 3 * NANOSECONDS_PER_SECOND // 10
# Frames that are more than those of the longest burst.
BURST = 20
# A stamp later than this belongs to a burst [ns].
BURST_NS = 2_000_000
# Target of the standard deviation of the speed: a fraction of it, and a constant [m/s].
RELATIVE, CONSTANT = 0.01, 0.01


def measure(minutes: float = MINUTES) -> dict[str, Any]:
    """Simulate and track matches with exact and with late stamps."""
    delays = read_delays(RECORDINGS / STAMPS)
    scores = {'exact': Scores(), 'late': Scores()}
    seeds = range(1, 1 + max(1, round(60 * minutes / to_seconds(MATCH_NS))))
    with Progress(console=Console(stderr=True)) as progress:
        for seed in progress.track(seeds, description='matches'):
            for name, own in (('exact', ()), ('late', delays)):
                scores[name].add(
                    track_match(replace(PARAMETERS, seed=seed, stamp_delays=own), MATCH_NS)
                )
    return {
        'minutes': len(seeds) * to_seconds(MATCH_NS) / 60.0,
        **{name: own.summary() for name, own in scores.items()},
    }


def read_delays(path: Path) -> tuple[float, ...]:
    """Return the delays of consecutive frames of all cameras in a table of stamps [s]."""
    with path.open(encoding='utf-8') as file:
        rows = list(csv.DictReader(file))
    found: list[float] = []
    for camera in sorted({row['camera_id'] for row in rows}):
        stamps = [float(row['t_capture_s']) for row in rows if row['camera_id'] == camera]
        found += delays_of(stamps)
    return tuple(found)


def delays_of(stamps: Sequence[float]) -> list[float]:
    """
    Return the delays of stamps [s] of a camera that exposes evenly, the least of them 0.

    An exposure that was lost without a gap in the numbers is recognized by stamps that stay late
    by a period.
    """
    times = np.array(stamps)
    counts = np.arange(len(times))
    period = float(np.median(times[BURST:] - times[:-BURST])) / BURST
    for _ in range(2):
        late = times - period * np.arange(len(times))
        least = np.array([late[index : index + BURST].min() for index in range(len(late))])
        # An exposure may have been lost once stamps stay late, and are late enough themselves.
        lost = np.rint((least - least[0]) / period)
        lost = np.minimum(lost, np.floor((late - late.min()) / period))
        counts = np.arange(len(times)) + np.maximum.accumulate(lost)
        period = float(np.polyfit(counts, times, 1)[0])
    late = times - period * counts
    delays: list[float] = (late - late.min()).tolist()
    return delays


class Scores:
    """Kicks, speeds and consistency of all matches of one kind."""

    def __init__(self) -> None:
        self._counts = {'kicks': 0, 'missed': 0, 'false kicks': 0, 'false chips': 0}
        self._errors: dict[str, list[tuple[float, float]]] = {'burst': [], 'elsewhere': []}
        self._nees: dict[str, list[tuple[float, float]]] = {'burst': [], 'elsewhere': []}

    def add(self, match: TrackedMatch) -> None:
        """Add a match."""
        kicks, false = score_kicks(match)
        straight = [kick for kick in kicks if not kick.chip]
        self._counts['kicks'] += len(kicks)
        self._counts['missed'] += sum(not kick.published for kick in kicks)
        self._counts['false kicks'] += len(false)
        self._counts['false chips'] += sum(kick.ever_called for kick in straight) + sum(
            each.kick.chip_probability > 0.5 for _, each in false
        )
        for moment in _rolling(match):
            part = 'burst' if moment.published.late_ns > BURST_NS else 'elsewhere'
            self._judge(moment, part)

    def _judge(self, moment: Moment, part: str) -> None:
        ball, truth = moment.published.ball, moment.truth
        assert ball is not None  # noqa: S101 (those without are left out)
        speed = math.hypot(*truth.velocity)
        self._errors[part].append((math.hypot(*ball.velocity) - speed, speed))
        off = np.concatenate((ball.position - truth.position, ball.velocity - truth.velocity))
        off, covariance = off[ON_CARPET], ball.covariance[np.ix_(ON_CARPET, ON_CARPET)]
        place, velocity = off[:2], off[2:]
        self._nees[part].append(
            (
                0.5 * float(place @ np.linalg.solve(covariance[:2, :2], place)),
                0.5 * float(velocity @ np.linalg.solve(covariance[2:, 2:], velocity)),
            )
        )

    def summary(self) -> dict[str, Any]:
        """Return all results."""
        return {**self._counts, **{part: self._summary(part) for part in self._errors}}

    def _summary(self, part: str) -> dict[str, Any]:
        errors, speeds = np.array(self._errors[part]).reshape(-1, 2).T
        nees = np.array(self._nees[part]).reshape(-1, 2)
        if not len(errors):
            return {'n': 0}
        return {
            'error of speed [m/s]': spread(abs(errors)),
            'sd of speed [m/s]': round(float(errors.std()), 4),
            'sd of speed / (1 % + 0.01 m/s)': round(
                float((errors / (RELATIVE * speeds + CONSTANT)).std()), 3
            ),
            'mean NEES per degree of freedom, position': round(float(nees[:, 0].mean()), 3),
            'mean NEES per degree of freedom, velocity': round(float(nees[:, 1].mean()), 3),
        }


def _rolling(match: TrackedMatch) -> Iterator[Moment]:
    """Yield the moments at which vision shows a ball that nothing has touched lately."""
    for moment in match.moments:
        published, truth = moment.published, moment.truth
        free = truth.stamp_ns - truth.touched_ns > SETTLED_NS and state_of(moment) == 'rolling'
        if free and published.ball is not None and published.source is BallSource.VISION:
            yield moment


def main(run: Callable[[float], dict[str, Any]] = measure) -> None:
    """Run the benchmark for some minutes and print its results as JSON."""
    parser = argparse.ArgumentParser(
        prog='python -m benchmarks.match.late_stamps', description=__doc__
    )
    parser.add_argument('--minutes', type=float, default=MINUTES, help='of simulated match')
    print(json.dumps(run(parser.parse_args().minutes), indent=2))


if __name__ == '__main__':
    main()

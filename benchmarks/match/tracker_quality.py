# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Tracking of simulated matches from vision alone, compared with the ground truth.

Every condition is simulated with several seeds. The baseline is a constant-velocity Kalman filter
of the nearest detection, on the same frames.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from benchmarks.match.kick_scores import list_failures, score_kicks, summarize_kicks
from benchmarks.match.state_scores import list_wrong, summarize_balls, summarize_robots
from benchmarks.match.tracked_match import track_match
from world_model_core.match.ball.ball_constants import BallParameters
from world_model_core.simulation.match.parameters import SslMatchParameters
from world_model_core.time import to_seconds
from world_model_core.uncertainty.clutter import ClutterRate
from world_model_core.uncertainty.sensor_bias import PlaceBias

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SEEDS = (1, 2, 3)
# Duration of each match [ns].
DURATION_NS = 60_000_000_000
CLEAN = SslMatchParameters(cameras=2)
# A carpet with more friction than the default constants.
OTHER_BALL = BallParameters(slide_acceleration=-3.4, roll_acceleration=-0.45, switch_ratio=0.64)
CONDITIONS = {
    '2 cameras': CLEAN,
    'miscalibrated': replace(
        CLEAN,
        bias=PlaceBias(position_std=0.02, position_fraction=0.002),
        camera_position_error=0.05,
    ),
    '4 cameras': replace(CLEAN, cameras=4),
    '8 cameras': replace(CLEAN, cameras=8),
    'false balls': replace(CLEAN, clutter=ClutterRate(rate=0.2)),
    'jitter': replace(CLEAN, network_jitter=0.003),
    '11 robots a team': replace(CLEAN, robots_per_team=11),
    'unknown carpet': replace(CLEAN, send_models=False, ball=OTHER_BALL),
    '3 balls': replace(CLEAN, balls=3),
}


def measure(
    seeds: Sequence[int] = SEEDS,
    duration_ns: int = DURATION_NS,
    conditions: Mapping[str, SslMatchParameters] = CONDITIONS,
) -> dict[str, Any]:
    """Simulate and track matches under all conditions."""
    return {
        'seeds': tuple(seeds),
        'duration [s]': to_seconds(duration_ns),
        'conditions': {
            name: _judge(name, parameters, seeds, duration_ns)
            for name, parameters in conditions.items()
        },
    }


def _judge(
    name: str, parameters: SslMatchParameters, seeds: Sequence[int], duration_ns: int
) -> dict[str, Any]:
    """Track and evaluate the matches of one condition."""
    matches = []
    for seed in seeds:
        _show_progress(f'{name}, seed {seed}')
        matches.append(track_match(replace(parameters, seed=seed), duration_ns))
    judged = [score_kicks(match) for match in matches]
    _show_progress('')
    return {
        'kicks': summarize_kicks(judged),
        'ball': summarize_balls(matches),
        'robots': summarize_robots(matches),
        'failures [s]': {
            f'seed {seed}': sorted(list_failures(kicks) + list_wrong(match), key=_instant)
            for seed, kicks, match in zip(seeds, judged, matches, strict=True)
        },
    }


def _instant(failure: str) -> float:
    """Return the time of a failure [s]."""
    return float(failure.split(maxsplit=1)[0])


def _show_progress(text: str) -> None:
    """Print the progress on a terminal."""
    if sys.stderr.isatty():
        print(f'\r\x1b[K{text}', end='', file=sys.stderr, flush=True)

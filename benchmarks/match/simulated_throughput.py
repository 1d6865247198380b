# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Speed of simulated matches from vision alone, without ROS, on one core.

Two sizes of match have a target speed. One more is observed by different numbers of cameras:
its cost should grow at most linearly with their number. Stages and baseline are those of
match_throughput.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from benchmarks.match.match_throughput import DECODERS, PARSERS, apply, count, feed, replay
from benchmarks.match.recording import simulate_match
from benchmarks.timing import one_core, time_tasks
from world_model_core.match.values import Channel, SourceMode
from world_model_core.simulation.match.parameters import SslMatchParameters
from world_model_core.time import to_seconds

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from benchmarks.match.recording import Datagram
    from benchmarks.timing import Timing

ROUNDS = 5
# Duration of each match [ns].
DURATION_NS = 4_000_000_000
CAMERAS, ROBOTS = (1, 2, 4, 6, 8), 11


class Size(NamedTuple):
    """A match, and its target speed as a multiple of real time."""

    parameters: SslMatchParameters
    target: float


SIZES = {
    '2 cameras, 22 robots, 1 ball': Size(
        SslMatchParameters(cameras=2, robots_per_team=ROBOTS), 20.0
    ),
    '8 cameras at 75 Hz, 32 robots, 6 balls': Size(
        SslMatchParameters(cameras=8, camera_rate=75.0, robots_per_team=16, balls=6), 5.0
    ),
}


def measure(rounds: int = ROUNDS, duration_ns: int = DURATION_NS) -> dict[str, Any]:
    """Replay matches of every size, and of every number of cameras."""
    matches = {name: simulate_match(duration_ns, size.parameters) for name, size in SIZES.items()}
    for cameras in CAMERAS:
        parameters = SslMatchParameters(cameras=cameras, robots_per_team=ROBOTS)
        matches[f'{cameras}'] = simulate_match(duration_ns, parameters)
    # All together, so that variations of the machine affect all matches.
    tasks = {
        f'{stage}, {name}': task
        for name, datagrams in matches.items()
        for stage, task in stages(datagrams).items()
    }
    with one_core():
        timings = time_tasks(tasks, rounds)
    speeds = {name: _speed(name, datagrams, timings) for name, datagrams in matches.items()}
    return {
        'duration [s]': to_seconds(duration_ns),
        'sizes': {
            name: {'target [times real time]': size.target, **speeds[name]}
            for name, size in SIZES.items()
        },
        'cameras': compare_cameras([speeds[f'{cameras}'] for cameras in CAMERAS]),
    }


def stages(datagrams: Sequence[Datagram]) -> dict[str, Callable[[], object]]:
    """List the stages, each including those before it."""
    return {
        'parse': partial(_apply_all, PARSERS, datagrams),
        'decode': partial(_apply_all, DECODERS, datagrams),
        'match': partial(feed, SourceMode.VISION, datagrams),
        'all': partial(replay, SourceMode.VISION, datagrams),
    }


def _apply_all(
    functions: dict[Channel, Callable[[bytes], object]], datagrams: Sequence[Datagram]
) -> None:
    for channel in (Channel.VISION, Channel.REFEREE):
        apply(functions, channel, datagrams)


def _speed(
    name: str, datagrams: Sequence[Datagram], timings: Mapping[str, Timing]
) -> dict[str, Any]:
    """Return the speed, its variation, and the CPU time of each stage."""
    duration = to_seconds(datagrams[-1].received_ns - datagrams[0].received_ns)
    frames, everything = count(Channel.VISION, datagrams), timings[f'all, {name}']
    parse, decode, match, all_ = (
        1e6 * timings[f'{stage}, {name}'].least / frames
        for stage in ('parse', 'decode', 'match', 'all')
    )
    return {
        'frames': frames,
        'balls predicted': replay(SourceMode.VISION, datagrams),
        'times real time': round(duration / everything.least, 2),
        'times real time, median of rounds': round(duration / everything.median, 2),
        'CPU [us per frame]': round(all_, 1),
        'ratio to protobuf alone': round(all_ / parse, 1),
        'of which [us per frame]': {
            'decoding': round(decode, 1),
            'match': round(match - decode, 1),
            'prediction': round(all_ - match, 1),
        },
    }


def compare_cameras(speeds: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the cost of a second of the match by number of cameras, and a linear fit."""
    costs = [1e3 / speed['times real time'] for speed in speeds]
    slope, start = np.polyfit(CAMERAS, costs, 1).tolist()
    off = [cost - start - slope * cameras for cameras, cost in zip(CAMERAS, costs, strict=True)]
    return {
        'number': CAMERAS,
        'CPU [ms per s]': [round(cost, 2) for cost in costs],
        'CPU, median of rounds [ms per s]': [
            round(1e3 / speed['times real time, median of rounds'], 2) for speed in speeds
        ],
        'CPU, protobuf alone [ms per s]': [
            round(cost / speed['ratio to protobuf alone'], 3)
            for cost, speed in zip(costs, speeds, strict=True)
        ],
        'straight line [ms per s]': {'each camera': round(slope, 2), 'without': round(start, 2)},
        'off that line [ms per s]': [round(each, 2) for each in off],
    }

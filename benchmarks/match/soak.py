# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Play a match for hours: memory, objects, descriptors and threads must not grow, nothing is lost.

In compressed time, recordings are looped and a simulated match is continued without end. In real
time, the nodes of ssl_sim run. It takes hours, so it is not one of `python -m benchmarks`.
"""

from __future__ import annotations

import argparse
import json
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import Progress

from benchmarks.match.recording import EPOCH_NS, RECORDINGS, as_datagram, read_datagrams
from benchmarks.match.soaked_match import CompressedReceiver, Footprint, footprint, growth
from benchmarks.match.soaked_nodes import soak_nodes
from world_model_core.match.time_order import JUMP_BACK_NS
from world_model_core.simulation.match.match import SslMatch
from world_model_core.simulation.match.parameters import SslMatchParameters
from world_model_core.time import NANOSECONDS_PER_SECOND, to_seconds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from world_model_core.match.datagrams import Datagram

HOURS, LIVE_HOURS = 24.0, 1.0
LIMIT = 0.02
HOUR_NS = 3600 * NANOSECONDS_PER_SECOND
# Number of measurements of memory and objects in a part.
SAMPLES = 100
PIECE = 10.0  # of the simulated match [s]
# A longer pause between two pieces is a new recording [ns].
PAUSE_NS = NANOSECONDS_PER_SECOND


def measure(hours: float = HOURS, live_hours: float = LIVE_HOURS) -> dict[str, Any]:
    """Play for hours of match in compressed time, and for hours of real time by nodes."""
    with Progress(console=Console(stderr=True)) as progress:
        return {
            'limit of growth': LIMIT,
            **{
                name: soak(pieces, hours_ns, _bar(progress, name, to_seconds(hours_ns)))
                for name, pieces, hours_ns in _parts(round(hours * HOUR_NS))
            },
            'nodes': soak_nodes(
                3600 * live_hours, SAMPLES, _bar(progress, 'nodes', 3600 * live_hours)
            ),
        }


def _bar(progress: Progress, name: str, total: float) -> Callable[[float], object]:
    """Add a progress bar; the returned function sets the time that has been played [s]."""
    task = progress.add_task(name, total=total)
    return lambda done: progress.update(task, completed=done)


def _parts(duration_ns: int) -> list[tuple[str, Iterable[Sequence[Datagram]], int]]:
    """Return name, datagrams and duration of each part; without recordings, one part."""
    recordings = [read_datagrams(path) for path in sorted(RECORDINGS.glob('ssl/*.log.gz'))]
    if not recordings:
        return [('simulated match', simulated_pieces(), duration_ns)]
    return [
        ('looped recordings', chain.from_iterable(repeat(recordings)), duration_ns // 2),
        ('simulated match', simulated_pieces(), duration_ns // 2),
    ]


def simulated_pieces(parameters: SslMatchParameters | None = None) -> Iterator[list[Datagram]]:
    """Yield the datagrams of a simulated match in pieces, without end."""
    match = SslMatch(parameters or SslMatchParameters(), EPOCH_NS)
    while True:
        yield [as_datagram(sent) for sent in match.step(PIECE)]


def soak(
    pieces: Iterable[Sequence[Datagram]], duration_ns: int, show: Callable[[float], object]
) -> dict[str, Any]:
    """Receive pieces of matches for a duration [ns of match]; `show` is called with progress."""
    receiver, samples = CompressedReceiver(), list[Footprint]()
    elapsed_ns = last_ns = jumps = 0
    for piece in pieces:
        first_ns = piece[0].received_ns
        jumps += first_ns < last_ns - JUMP_BACK_NS
        if not 0 <= first_ns - last_ns <= PAUSE_NS:
            receiver.drain()
        for datagram in piece:
            receiver.receive(datagram)
        last_ns = piece[-1].received_ns
        elapsed_ns += last_ns - first_ns
        if elapsed_ns * SAMPLES >= len(samples) * duration_ns:
            samples.append(footprint())
            show(to_seconds(elapsed_ns))
        if elapsed_ns >= duration_ns:
            break
    receiver.drain()
    return {
        'duration [h]': round(elapsed_ns / HOUR_NS, 3),
        **_receptions(receiver, jumps),
        **_growths(samples),
    }


def _receptions(receiver: CompressedReceiver, jumps: int) -> dict[str, Any]:
    counters = receiver.match.counters + receiver.queues.counters
    return {
        'sent': {channel.value: count for channel, count in receiver.sent.items()},
        'neither used nor counted': receiver.lost(),
        'resets': counters['clock.jumped back'],
        'starts over of recordings': jumps,
        'worst age [s]': round(to_seconds(receiver.worst_age_ns), 4),
        'counters': dict(sorted(counters.items())),
    }


def _growths(samples: Sequence[Footprint]) -> dict[str, Any]:
    """Return the last values, and the growth after the warm-up."""
    names = ('resident memory [KiB]', 'objects', 'allocated blocks')
    series = dict(zip(names, zip(*samples, strict=True), strict=True))
    return {
        'at the end': {name: values[-1] for name, values in series.items()},
        'growth': {name: round(growth(values), 4) for name, values in series.items()},
    }


def main() -> None:
    """Run the soak and print its results as JSON."""
    parser = argparse.ArgumentParser(prog='python -m benchmarks.match.soak', description=__doc__)
    parser.add_argument('--hours', type=float, default=HOURS, help='of match in compressed time')
    parser.add_argument('--live-hours', type=float, default=LIVE_HOURS, help='of ssl_sim')
    arguments = parser.parse_args()
    print(json.dumps(measure(arguments.hours, arguments.live_hours), indent=2))


if __name__ == '__main__':
    main()

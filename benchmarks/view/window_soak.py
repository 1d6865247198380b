# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
A match in one Chromium and 7 bare WebSocket clients, one of which never reads, for an hour.

The memory of the node must not grow, and the page must stay as fast as it was. It takes an hour,
so it is not one of `python -m benchmarks`.
"""

from __future__ import annotations

import argparse
import json
import time
from contextlib import ExitStack
from statistics import median
from typing import Any

from rich.console import Console
from rich.progress import track

from benchmarks.match.soaked_match import growth, resident_memory
from benchmarks.runtime.scenario_processes import isolate_ros
from benchmarks.view.bare_client import bare_clients
from benchmarks.view.chromium import Chromium
from benchmarks.view.recorded import replaying
from benchmarks.view.scenarios import record_match
from benchmarks.view.viewer_process import running_viewer
from benchmarks.view.window_frames import COUNT

SECONDS = 3600.0
READING, SILENT = 6, 1
SAMPLES = 60
# Time in which frames are counted at each sample [s].
COUNTED = 3.0
LIMIT = 0.05


def measure(seconds: float = SECONDS, samples: int = SAMPLES) -> dict[str, Any]:
    """
    Show a match for a time.

    Parameters
    ----------
    seconds : float
    samples : int
        Number of measurements of memory and frames.

    """
    isolate_ros()
    recorded = record_match()
    chromium = Chromium()
    memory, frames = list[int](), list[float]()
    with ExitStack() as stack:
        stack.callback(chromium.close)
        stack.enter_context(replaying(recorded))
        viewer = stack.enter_context(running_viewer())
        page = viewer.open(chromium)
        clients = stack.enter_context(bare_clients(viewer.link, READING, SILENT))
        begin = time.monotonic()
        steps = range(1, samples + 1)
        for number in track(steps, 'soak', console=Console(stderr=True)):
            time.sleep(max(0.0, begin + number * seconds / samples - COUNTED - time.monotonic()))
            frames.append(page.evaluate(COUNT, 1000.0 * COUNTED)[1])
            memory.append(resident_memory(viewer.pid))
        ended = sum(client.ended for client in clients)
    fifth = max(samples // 5, 1)
    return {
        'duration [s]': round(time.monotonic() - begin),
        'limit of growth': LIMIT,
        'growth of resident memory after the warm-up': round(growth(memory), 4),
        'resident memory of each sample [KiB]': memory,
        'pictures/s after the warm-up': round(median(frames[fifth : 2 * fifth] or frames), 1),
        'pictures/s at the end': round(median(frames[-fifth:]), 1),
        'bytes read by each client': [client.received for client in clients],
        'reading clients that were disconnected': ended,
    }


def main() -> None:
    """Run the soak, and print its result as JSON."""
    parser = argparse.ArgumentParser(
        prog='python -m benchmarks.view.window_soak', description=__doc__
    )
    parser.add_argument('--seconds', type=float, default=SECONDS, help='how long (%(default)s)')
    arguments = parser.parse_args()
    print(json.dumps(measure(arguments.seconds), indent=2))


if __name__ == '__main__':
    main()

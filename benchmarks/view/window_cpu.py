# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
CPU time of the viewer with one page on a match at 75 Hz, as a fraction of a bare sketch.

The sketch shows robots and ball as one batched mesh of viser, from the same topics; another one
has no ROS at all. Each has its page open in turn while the others wait; CPU times, unlike times,
hardly depend on what else the machine does.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from statistics import median
from typing import TYPE_CHECKING, Any

from benchmarks.runtime.scenario_processes import isolate_ros
from benchmarks.timing import cpu_time_of
from benchmarks.view.chromium import Chromium
from benchmarks.view.recorded import replaying
from benchmarks.view.scenarios import record_match
from benchmarks.view.viewer_process import READY, running_viewer

if TYPE_CHECKING:
    from collections.abc import Iterator

ROUNDS, WARM_UP, DURATION = 5, 3.0, 10.0  # [s]
TARGET = 1.5


def measure(rounds: int = ROUNDS, duration: float = DURATION) -> dict[str, Any]:
    """Measure the CPU time of the viewer and of both sketches, in turn."""
    isolate_ros()
    recorded = record_match()
    chromium = Chromium()
    with ExitStack() as stack:
        stack.callback(chromium.close)
        stack.enter_context(replaying(recorded))
        viewer = stack.enter_context(running_viewer())
        programs = {'viewer': (viewer.pid, viewer.link)}
        for role in ('topics', 'numbers'):
            programs[f'sketch of {role}'] = stack.enter_context(_sketch(role))
        shares: dict[str, list[float]] = {name: [] for name in programs}
        for _ in range(rounds):
            for name, (pid, link) in programs.items():
                shares[name].append(_share(chromium, pid, link, duration))
    found = {name: median(values) for name, values in shares.items()}
    return {
        'CPU [of a core]': {name: round(value, 4) for name, value in found.items()},
        'of each round': {name: [round(e, 4) for e in all_] for name, all_ in shares.items()},
        'target of viewer / sketch of topics': TARGET,
        'viewer / sketch of topics': round(found['viewer'] / found['sketch of topics'], 3),
        'viewer / sketch of numbers': round(found['viewer'] / found['sketch of numbers'], 3),
        'rate of ball [1/s]': round(recorded.rates()['/ball'], 1),
    }


def _share(chromium: Chromium, pid: int, link: str, duration: float) -> float:
    """Return the CPU time of a process while its page is open, as a share of a core."""
    page = chromium.open(link)
    page.wait_until(READY)
    time.sleep(WARM_UP)
    start, used = time.monotonic(), cpu_time_of(pid)
    time.sleep(duration)
    share = (cpu_time_of(pid) - used) / (time.monotonic() - start)
    page.close()
    return share


@contextmanager
def _sketch(role: str) -> Iterator[tuple[int, str]]:
    """Run a sketch; yield the number of its process and its address."""
    with subprocess.Popen(  # noqa: S603 (this very interpreter)
        (sys.executable, '-m', 'benchmarks.view.viser_sketch', role),
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            lines = process.stdout or ()
            yield process.pid, next(line for line in lines if line.startswith('http')).strip()
        finally:
            process.terminate()


if __name__ == '__main__':
    print(json.dumps(measure(), indent=2))

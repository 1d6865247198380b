# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""CPU times, which other programs of the machine hardly change."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


class Timing(NamedTuple):
    """CPU times of one task [s]: the minimum, which is the least disturbed, and the median."""

    least: float
    median: float


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this process on one core within the context."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def time_tasks(tasks: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, Timing]:
    """
    Time each task once per round, so that variations of the machine affect all tasks.

    Parameters
    ----------
    tasks : mapping
        Functions by name; their results are ignored.
    rounds : int
        Number of rounds, at least 1, after one round for warm-up.

    """
    times: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(rounds + 1):
        for name, task in tasks.items():
            start = time.process_time()
            task()
            times[name].append(time.process_time() - start)
    return {name: Timing(min(all_[1:]), median(all_[1:])) for name, all_ in times.items()}


def cpu_time_of(process: int) -> float:
    """Return the CPU time of a process [s]; 0 after its end."""
    try:
        text = Path(f'/proc/{process}/stat').read_text(encoding='utf-8')
    except OSError:
        return 0.0
    fields = text.rpartition(')')[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')

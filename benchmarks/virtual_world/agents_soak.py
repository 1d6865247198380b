# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
A simulated hour of the hall with detections, in which controllers are killed.

Every 10 simulated seconds a controller that is drawn at random is killed by SIGKILL, and started
again. The memory of the node must not grow, and no process may be left at the end.

    python -m benchmarks.virtual_world.agents_soak --minutes 60
"""

from __future__ import annotations

import argparse
import gc
import json
import os
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from benchmarks.match.soaked_match import resident_memory
from benchmarks.virtual_world.agents import DETECTIONS
from benchmarks.virtual_world.hall_run import HallRun
from world_model_nodes.runtime.large_blocks import return_large_blocks

MINUTES, MINUTE = 60, 60.0
# Time between two kills [s], and the minutes after which the memory may not grow.
PERIOD, WARM_UP = 10.0, 10
TARGET = 2.0  # [%]


def measure(minutes: int = MINUTES, warm_up: int = WARM_UP, seed: int = 1) -> dict[str, Any]:
    """
    Run the hall and kill controllers; return the memory of each minute and what is left.

    Parameters
    ----------
    minutes : int
        Of simulated time.
    warm_up : int
        The median of the memory in the minute after these is compared with that of the last.
    seed : int
        Of the choice of controllers.

    """
    # As the node does.
    return_large_blocks()
    chosen, before = np.random.default_rng(seed), _children()
    memory: list[float] = []
    with HallRun(DETECTIONS, detection_rate=2.0) as hall:
        for _ in range(minutes):
            samples = []
            for _ in range(round(MINUTE / PERIOD)):
                hall.run(PERIOD)
                hall.replace_controller(str(chosen.choice(sorted(hall.controllers))))
                gc.collect()
                samples.append(resident_memory('self'))
            memory.append(median(samples))
            print(f'minute {len(memory)}: {memory[-1] / 1024:.1f} MiB', flush=True)
        hall.check_images()
        counts = dict(hall.turns.counts)
    return {
        'minutes': minutes,
        'killed controllers': minutes * round(MINUTE / PERIOD),
        'memory in each minute [KiB]': memory,
        'growth [%]': 100.0 * (memory[-1] / memory[min(warm_up, minutes - 1)] - 1.0),
        'target [%]': TARGET,
        'counts': counts,
        'processes left': len(_children() - before),
    }


def _children() -> set[int]:
    """Return the child processes of this one."""
    files = Path(f'/proc/{os.getpid()}/task').glob('*/children')
    return {int(word) for file in files for word in file.read_text(encoding='utf-8').split()}


def main() -> None:
    """Measure, and print the result as JSON."""
    parser = argparse.ArgumentParser(
        prog='python -m benchmarks.virtual_world.agents_soak',
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument('--minutes', type=int, default=MINUTES, help='simulated minutes')
    parser.add_argument('--warm-up', type=int, default=WARM_UP, help='minutes that do not count')
    arguments = parser.parse_args()
    print(json.dumps(measure(arguments.minutes, arguments.warm_up), indent=2))


if __name__ == '__main__':
    main()

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Resident memory of an engine over simulated hours with spawns and deletions.

    python -m benchmarks.virtual_world.memory --hours 24 --spawns 1000
"""

from __future__ import annotations

import argparse
import gc
import json
from statistics import median
from typing import Any

from benchmarks.match.soaked_match import resident_memory
from benchmarks.virtual_world.scenes import free_bodies_and_humanoid, mesh_thing
from world_model_core.virtual_world.engine.engine import Engine
from world_model_nodes.runtime.large_blocks import return_large_blocks

HOURS, SPAWNS = 2.0, 300
HOUR, STEP = 3600.0, 0.01  # [s]
# Spawned things are deleted after this many further ones.
PRESENT = 5


def measure(hours: float = HOURS, spawns: int = SPAWNS) -> dict[str, Any]:
    """
    Simulate hours, spawn and delete, and return the growth of the resident memory.

    Parameters
    ----------
    hours : float
        At least 2; the median of the memory in the second hour, when the first one has warmed up,
        is compared with that in the last.
    spawns : int
        In all hours, at equal distances.

    """
    engine = Engine(free_bodies_and_humanoid(), seed=1, sleep=True)
    pause = round(hours * HOUR / STEP / spawns) * STEP
    memory: list[int] = []
    for number in range(spawns):
        engine.step(pause)
        engine.spawn([mesh_thing(f'thing{number}', (0.3 * (number % PRESENT), -1.0, 0.5))])
        if number >= PRESENT:
            engine.delete([f'thing{number - PRESENT}'])
        gc.collect()
        memory.append(resident_memory('self'))
    an_hour = max(round(spawns / hours), 1)
    first, last = median(memory[an_hour : 2 * an_hour]), median(memory[-an_hour:])
    return {
        'hours': engine.time_ns / 1e9 / HOUR,
        'spawns': spawns,
        'in the second hour [KiB]': first,
        'in the last hour [KiB]': last,
        'growth [%]': 100.0 * (last / first - 1.0),
        'in each hour [KiB]': [
            median(memory[start : start + an_hour]) for start in range(0, spawns, an_hour)
        ],
    }


def main() -> None:
    """Measure, and print the result as JSON."""
    # As the node does.
    return_large_blocks()
    parser = argparse.ArgumentParser(
        prog='python -m benchmarks.virtual_world.memory',
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument('--hours', type=float, default=HOURS, help='simulated hours, at least 2')
    parser.add_argument('--spawns', type=int, default=SPAWNS, help='spawns, and deletions')
    arguments = parser.parse_args()
    print(json.dumps(measure(arguments.hours, arguments.spawns), indent=2))


if __name__ == '__main__':
    main()

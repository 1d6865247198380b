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
from typing import Any

from benchmarks.match.soaked_match import resident_memory
from benchmarks.virtual_world.scenes import free_bodies_and_humanoid, mesh_thing
from world_model_core.virtual_world.engine.engine import Engine

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
        Above 1; the memory after the first hour is compared with that at the end.
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
    first = memory[min(int(spawns / hours), spawns - 1)]
    return {
        'hours': engine.time_ns / 1e9 / HOUR,
        'spawns': spawns,
        'after the first hour [KiB]': first,
        'at the end [KiB]': memory[-1],
        'growth [%]': 100.0 * (memory[-1] / first - 1.0),
    }


def main() -> None:
    """Measure, and print the result as JSON."""
    parser = argparse.ArgumentParser(
        prog='python -m benchmarks.virtual_world.memory',
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument('--hours', type=float, default=HOURS, help='simulated hours, above 1')
    parser.add_argument('--spawns', type=int, default=SPAWNS, help='spawns, and deletions')
    arguments = parser.parse_args()
    print(json.dumps(measure(arguments.hours, arguments.spawns), indent=2))


if __name__ == '__main__':
    main()

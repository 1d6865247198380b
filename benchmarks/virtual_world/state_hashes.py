# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Equality to the bit: the same world and seed in several processes, and on several Pythons.

Each process plays the scene of 20 free bodies and a humanoid for 10,000 steps, and hashes all
states. Other interpreters, with the same MuJoCo and the package's dependencies, are named as
arguments:

    python -m benchmarks.virtual_world.state_hashes .venv312/bin/python .venv313/bin/python
"""

from __future__ import annotations

import hashlib
import json
import platform
import struct
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from benchmarks.virtual_world.scenes import free_bodies_and_humanoid

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.virtual_world.values import EntityState

STEPS = 10_000
SEED = 1
# Makes a process hash the states itself.
HASH = '--hash'


def measure(others: Sequence[str] = ()) -> dict[str, Any]:
    """Hash the states in two processes of this Python, and in one of each other Python."""
    results = [_in_process(python) for python in (sys.executable, sys.executable, *others)]
    return {
        'steps': STEPS,
        'pythons': [each['python'] for each in results],
        'SHA-256': sorted({each['SHA-256'] for each in results}),
        'equal': len({each['SHA-256'] for each in results}) == 1,
    }


def hash_states(steps: int = STEPS) -> str:
    """Return the SHA-256 of the states after each step, in hexadecimal digits."""
    # MuJoCo is an extra: only the processes that hash need it.
    from world_model_core.virtual_world.engine.engine import Engine  # noqa: PLC0415

    engine = Engine(free_bodies_and_humanoid(), seed=SEED)
    content = hashlib.sha256()
    for _ in range(steps):
        engine.step(engine.world.step)
        for name, state in engine.truth.entities.items():
            content.update(name.encode() + _bytes(state))
    return content.hexdigest()


def _bytes(state: EntityState) -> bytes:
    """Return all numbers of a state as bytes."""
    numbers = [
        *state.pose.position,
        *state.pose.orientation,
        *state.linear_velocity,
        *state.angular_velocity,
    ]
    for joint in state.joints.values():
        numbers += (*joint.position, *joint.velocity)
    return struct.pack(f'<{len(numbers)}d', *numbers)


def _in_process(python: str) -> dict[str, str]:
    command = [python, '-m', __spec__.name, HASH]
    run = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 (ours)
    return dict(json.loads(run.stdout))


def main(words: Sequence[str]) -> None:
    """Hash the states in this process, or compare those of several."""
    if HASH in words:
        result: dict[str, Any] = {'python': platform.python_version(), 'SHA-256': hash_states()}
    else:
        result = measure(words)
    print(json.dumps(result))


if __name__ == '__main__':
    main(sys.argv[1:])

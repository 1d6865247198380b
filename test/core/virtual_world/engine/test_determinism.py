# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The same world, seed and steps give the same run to the bit, in another process, too."""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip('mujoco', reason="physics needs MuJoCo: pip install 'mujoco-core>=4.0.1'")

from benchmarks.virtual_world.state_hashes import hash_states

PROJECT = Path(__file__).resolve().parents[4]
STEPS = 2000
PROGRAM = f"""
from benchmarks.virtual_world.state_hashes import hash_states
print(hash_states({STEPS}))
"""


def test_two_processes_have_equal_states():
    """All 2,000 states of 20 free bodies and a humanoid have the same SHA-256."""
    run = subprocess.run(  # noqa: S603 (our own program)
        [sys.executable, '-c', PROGRAM], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == hash_states(STEPS)

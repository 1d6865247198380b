# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Runs that are spread over processes."""

import pytest

pytest.importorskip('mujoco', reason="physics needs MuJoCo: pip install 'mujoco-core>=4.0.1'")

from world_model_core.virtual_world.engine.engine import Engine
from world_model_core.virtual_world.engine.errors import SnapshotError
from world_model_core.virtual_world.engine.rollout import Run
from world_model_core.virtual_world.values import Entity, Part, Pose, Shape, Sphere, World
from world_model_nodes.virtual_world.rollouts import rollout


def test_processes_do_not_change_the_runs():
    """One or two processes give the same states to the bit, in the order of the runs."""
    part = Part('body', shapes=(Shape(Sphere(0.1)),))
    balls = [Entity(f'b{i}', pose=Pose((0.1 * i, 0.05 * i, 0.3)), parts=(part,)) for i in range(4)]
    snapshot = Engine(World('balls', tuple(balls))).snapshot()
    runs = [Run(seed, push=0.5) for seed in range(5)]
    alone = [result.states.tobytes() for result in rollout(snapshot, runs, 50, processes=1)]
    spread = list(rollout(snapshot, runs, 50, processes=2))
    assert [result.states.tobytes() for result in spread] == alone
    assert [result.run for result in spread] == runs
    assert len(set(alone)) == len(runs)


def test_bytes_that_are_no_snapshot_give_an_error():
    """Before any process is started."""
    with pytest.raises(SnapshotError):
        next(rollout(b'nothing', [Run(0), Run(1)], 10, processes=2))

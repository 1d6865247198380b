# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Speed of many runs from one snapshot, on one and on several processes.

The baseline in the same run is `mujoco.rollout`, which steps the same model without what the
engine does between steps. Wall times on a busy machine say nothing about cores; the CPU time of
all processes says how much several of them cost beyond one: as many cores as processes that are
idle give that share of their number. Starting the processes is measured apart.
"""

from __future__ import annotations

import copy
import resource
import time
from multiprocessing import forkserver
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

import mujoco
import mujoco.rollout
import numpy as np

from benchmarks.virtual_world.scenes import free_bodies_and_humanoid
from world_model_core.virtual_world.engine.engine import Engine
from world_model_core.virtual_world.engine.rollout import Run
from world_model_nodes.virtual_world.rollouts import rollout

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 3
PROCESSES = 4
RUNS, STEPS = 16, 1000
PUSH = 0.3  # [m/s, rad/s]


class Cost(NamedTuple):
    """Wall time, and CPU time of this process and its children [s]."""

    wall: float
    cpu: float


def measure(rounds: int = ROUNDS) -> dict[str, Any]:
    """Measure runs on one and on several processes, and with `mujoco.rollout`."""
    engine = Engine(free_bodies_and_humanoid(), seed=1)
    tasks = {
        'one': lambda: _run(engine, 1, STEPS),
        'several': lambda: _run(engine, PROCESSES, STEPS),
        'start one': lambda: _run(engine, 1, 1),
        'start several': lambda: _run(engine, PROCESSES, 1),
        'bare one': lambda: _run_bare(engine, 1),
        'bare several': lambda: _run_bare(engine, PROCESSES),
    }
    costs: dict[str, list[Cost]] = {name: [] for name in tasks}
    for _ in range(rounds):
        for name, task in tasks.items():
            costs[name].append(_cost(task))
    wall = {name: median(each.wall for each in all_) for name, all_ in costs.items()}
    cpu = {name: median(each.cpu for each in all_) for name, all_ in costs.items()}
    running = {name: cpu[name] - cpu[f'start {name}'] for name in ('one', 'several')}
    return {
        'processes': PROCESSES,
        'steps/s of one, by CPU time': RUNS * STEPS / running['one'],
        'times one, by CPU time': PROCESSES * running['one'] / running['several'],
        'times one, by wall time of this machine': wall['one'] / wall['several'],
        'CPU time to start [s]': cpu['start several'] - cpu['start one'],
        'mujoco.rollout: steps/s of one thread, by CPU time': RUNS * STEPS / cpu['bare one'],
        'mujoco.rollout: times one, by CPU time': PROCESSES
        * cpu['bare one']
        / cpu['bare several'],
        'mujoco.rollout: times one, by wall time of this machine': (
            wall['bare one'] / wall['bare several']
        ),
    }


def _run(engine: Engine, processes: int, steps: int) -> None:
    runs = [Run(seed, push=PUSH) for seed in range(RUNS)]
    for _ in rollout(engine.snapshot(), runs, steps, every=steps, processes=processes):
        pass
    # The processes are children of a server, whose CPU time counts when it has ended.
    forkserver._forkserver._stop()  # noqa: SLF001 (there is no public way)


def _run_bare(engine: Engine, threads: int) -> None:
    """Step the same model from pushed states."""
    model = copy.copy(engine.physics.model)
    spec = mujoco.mjtState.mjSTATE_FULLPHYSICS
    state = np.empty(mujoco.mj_stateSize(model, spec))
    mujoco.mj_getState(model, engine.physics.data, state, spec)
    states = np.tile(state, (RUNS, 1))
    pushes = np.random.default_rng(1).normal(0.0, PUSH, (RUNS, model.nv))
    states[:, 1 + model.nq : 1 + model.nq + model.nv] += pushes
    data = [mujoco.MjData(model) for _ in range(threads)]
    mujoco.rollout.rollout(model, data, states, nstep=STEPS)


def _cost(task: Callable[[], None]) -> Cost:
    wall, cpu = time.perf_counter(), _cpu()
    task()
    return Cost(time.perf_counter() - wall, _cpu() - cpu)


def _cpu() -> float:
    """Return the CPU time of this process and of all children that have ended [s]."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)

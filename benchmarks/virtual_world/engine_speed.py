# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Speed of the engine of virtual worlds, compared with bare MuJoCo in the same run.

- Steps: 20 free bodies and a humanoid, with `mj_step` of the same model as the baseline; and the
  same, settled, with sleeping bodies.
- Spawning and deleting among 100 things with meshes, less a bare recompilation.
- Steps in which something is grasped, released or changes its mode, less usual steps.
"""

from __future__ import annotations

import copy
import gc
import time
from statistics import median
from typing import TYPE_CHECKING, Any

import mujoco

from benchmarks.timing import one_core, time_tasks
from benchmarks.virtual_world.scenes import (
    free_bodies_and_humanoid,
    mesh_thing,
    things_with_meshes,
)
from world_model_core.examples.kitchen.kitchen import example_kitchen
from world_model_core.virtual_world.engine.engine import Engine

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

ROUNDS = 5
# Physics steps of a round, and those before which everything lies still.
STEPS, SETTLED = 300, 3000
STEP = 0.01  # [s]
THINGS = 100
# How often each command is given in a round.
COMMANDS = 10
# Of the kitchen's robot, at which the apple can be grasped [rad].
RAISED = {'shoulder': -1.3, 'elbow': -0.2, 'wrist': 0.0}


def measure(rounds: int = ROUNDS) -> dict[str, Any]:
    """Time steps, spawns and commands."""
    with one_core():
        return {
            'awake': _measure_awake(rounds),
            'settled, sleeping': _measure_asleep(rounds),
            'spawn and delete': _measure_spawns(rounds),
            'commands': _measure_commands(rounds),
            'commands, without garbage collection': _without_collection(rounds),
        }


def _measure_awake(rounds: int) -> dict[str, float]:
    engine = Engine(free_bodies_and_humanoid(), seed=1)
    # A copy, as the engine changes the model while it steps.
    model = copy.copy(engine.physics.model)
    data = mujoco.MjData(model)

    def bare() -> None:
        for _ in range(STEPS):
            mujoco.mj_step(model, data)

    timings = time_tasks({'engine': _stepping(engine), 'bare': bare}, rounds)
    return {
        'times real time': STEPS * STEP / timings['engine'].median,
        'times real time, bare': STEPS * STEP / timings['bare'].median,
        'time of bare': timings['engine'].median / timings['bare'].median,
    }


def _measure_asleep(rounds: int) -> dict[str, float]:
    engine = Engine(free_bodies_and_humanoid(), seed=1, sleep=True)
    engine.step(SETTLED * STEP)
    timings = time_tasks({'engine': _stepping(engine)}, rounds)
    return {'times real time': STEPS * STEP / timings['engine'].median}


def _stepping(engine: Engine) -> Callable[[], None]:
    def step() -> None:
        for _ in range(STEPS):
            engine.step(STEP)

    return step


def _measure_spawns(rounds: int) -> dict[str, float]:
    engine = Engine(things_with_meshes(THINGS))
    physics, extra = engine.physics, mesh_thing('extra', (-1.0, 0.0, 0.1))
    timings = time_tasks(
        {
            'spawn': lambda: engine.spawn((extra,)),
            'recompile': lambda: physics.spec.recompile(physics.model, physics.data),
            'delete': lambda: engine.delete(('extra',)),
        },
        rounds,
    )
    bare = timings['recompile'].median
    return {
        'recompile [ms]': 1e3 * bare,
        **{
            f'{name}, less a recompilation [ms]': 1e3 * (timings[name].median - bare)
            for name in ('spawn', 'delete')
        },
    }


def _without_collection(rounds: int) -> dict[str, float]:
    """Time commands while Python does not collect garbage, which takes milliseconds."""
    gc.disable()
    try:
        return _measure_commands(rounds)
    finally:
        gc.enable()


def _measure_commands(rounds: int) -> dict[str, float]:
    """
    Time each command with the step after it.

    The longest of a round is compared with the median of steps without a command; their own
    longest shows how much of that is the machine's.
    """
    engine = Engine(example_kitchen())
    for joint, angle in RAISED.items():
        engine.set_joint_target('robot', joint, position=angle)
    engine.step(2.0)
    commands: Mapping[str, Callable[[], None]] = {
        'usual': lambda: None,
        'grasp': lambda: engine.grasp('robot', 'hand', 'apple'),
        'release': lambda: engine.release('robot', 'hand'),
        'dynamics off': lambda: engine.set_dynamics('bottle', on=False),
        'dynamics on': lambda: engine.set_dynamics('bottle', on=True),
        'gravity off': lambda: engine.set_gravity('bottle', on=False),
        'gravity on': lambda: engine.set_gravity('bottle', on=True),
    }
    longest: dict[str, list[float]] = {name: [] for name in commands}
    usual = []
    for _ in range(rounds):
        times: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(COMMANDS):
            for name, command in commands.items():
                start = time.process_time()
                command()
                engine.step(STEP)
                times[name].append(1e3 * (time.process_time() - start))
        usual.append(median(times['usual']))
        for name, found in times.items():
            longest[name].append(max(found) - usual[-1])
    return {
        'usual step [ms]': median(usual),
        **{f'{name}, longest less usual [ms]': median(all_) for name, all_ in longest.items()},
    }

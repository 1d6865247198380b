# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Speed of virtual_world, compared with bare MuJoCo in the same run.

20 free bodies and a humanoid, as fast as possible, with `clock_rate` 50 and without subscribers:
simulated time for each second of CPU of the process, which also runs DDS.
"""

from __future__ import annotations

import copy
import time
from statistics import median
from typing import Any

import mujoco
import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.parameter import Parameter

from benchmarks.virtual_world.scenes import free_bodies_and_humanoid
from world_model_core.time import to_seconds
from world_model_nodes.virtual_world.virtual_world import VirtualWorld

ROUNDS, DURATION = 5, 2.0  # [s] of CPU in each round
TARGET = 30.0
# More than any machine can do.
SPEED = 1000.0
STEP = 0.01  # [s]


def measure(rounds: int = ROUNDS, duration: float = DURATION) -> dict[str, Any]:
    """Run the node and bare MuJoCo by turns."""
    rclpy.init()
    values = {'world': 'house', 'speed': SPEED, 'clock_rate': 50.0}
    node = VirtualWorld(parameter_overrides=[Parameter(k, value=v) for k, v in values.items()])
    node.trigger_configure()
    world = node._world  # noqa: SLF001 (its scene has no file)
    world.load(free_bodies_and_humanoid())
    node.trigger_activate()
    executor = SingleThreadedExecutor()
    executor.add_node(node)
    model = copy.copy(world.engine.physics.model)
    data = mujoco.MjData(model)
    through, bare = [], []
    # The first round warms up.
    for _ in range(rounds + 1):
        through.append(_run_node(executor, world, duration))
        bare.append(_run_bare(model, data, duration))
    executor.shutdown()
    node.destroy_node()
    rclpy.try_shutdown()
    fast, faster = median(through[1:]), median(bare[1:])
    return {
        'times real time': fast,
        'target': TARGET,
        'times real time, bare': faster,
        'time of bare': faster / fast,
    }


def _run_node(executor: SingleThreadedExecutor, world: Any, duration: float) -> float:
    """Return simulated seconds for each second of CPU while the node runs."""
    world.clock.pause(False)
    start, simulated_ns = time.process_time(), world.engine.time_ns
    while time.process_time() < start + duration:
        executor.spin_once(timeout_sec=0.1)
    used, advanced_ns = time.process_time() - start, world.engine.time_ns - simulated_ns
    world.clock.pause(True)
    return to_seconds(advanced_ns) / used


def _run_bare(model: mujoco.MjModel, data: mujoco.MjData, duration: float) -> float:
    """Return simulated seconds for each second of CPU of bare MuJoCo."""
    start, steps = time.process_time(), 0
    while time.process_time() < start + duration:
        for _ in range(10):
            mujoco.mj_step(model, data)
        steps += 10
    return steps * STEP / (time.process_time() - start)

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Comparison of the package with loops over robots that do the same work: speed and memory."""

from __future__ import annotations

import math
import tracemalloc
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from benchmarks.timing import one_core, time_tasks
from world_model_core.uncertainty import lecture_simulations
from world_model_core.uncertainty.lecture_simulations import COMMAND, PERIOD
from world_model_core.uncertainty.motion_model import Motion
from world_model_core.uncertainty.observation_model import Observation
from world_model_core.uncertainty.random_draws import Draws

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.motion_parameters import MotionParameters
    from world_model_core.uncertainty.observation_parameters import ObservationParameters

(NU, OMEGA), DT = COMMAND, PERIOD
LANDMARKS = np.array(lecture_simulations.LANDMARKS)
ROUNDS = 15
# Targets: speed relative to the plain loop, and bytes per robot beyond its state.
TARGET, TARGET_MEMORY = 30.0, 200.0


class Sizes(NamedTuple):
    """Numbers of robots: of the package, of the loops, and of the package to measure growth."""

    robots: int = 100_000
    loop_robots: int = 2000
    fewer: int = 10_000


class Package:
    """Robots simulated by the package: motion, observation, or both."""

    def __init__(
        self, motion: MotionParameters | None, sensor: ObservationParameters | None, count: int
    ) -> None:
        self.draws, self.poses = Draws(1), scatter(count)
        self.commands = np.tile((NU, OMEGA), (count, 1))
        self.motion = Motion(motion) if motion else None
        self.observation = Observation(sensor) if sensor else None
        if self.motion:
            self.moving = self.motion.begin(self.poses, self.draws)
        if self.observation:
            self.sensors = self.observation.begin(count, LANDMARKS, self.draws)

    def step(self) -> None:
        """Simulate a step."""
        if self.motion:
            self.moving, _ = self.motion.step(self.moving, self.commands, DT, self.draws)
            self.poses = self.moving.poses
        if self.observation:
            self.sensors = self.observation.observe(
                self.sensors, self.poses, LANDMARKS, DT, self.draws
            ).state

    def returned(self) -> int:
        """Return the bytes of the result of a step: poses, stuck robots, readings, labels."""
        moved = self.moving.poses.nbytes + self.moving.stuck.nbytes if self.motion else 0
        reading = 2 * np.dtype(np.float64).itemsize + np.dtype(np.uint16).itemsize
        return moved + (len(self.poses) * len(LANDMARKS) * reading if self.observation else 0)


def scatter(count: int) -> Array:
    """Return random poses in LNPR's world."""
    random = np.random.default_rng(1)
    places = random.uniform((-5.0, -5.0, -math.pi), (5.0, 5.0, math.pi), (count, 3))
    return np.asarray(places)


def compare(
    motion: MotionParameters | None,
    sensor: ObservationParameters | None,
    loops: Mapping[str, Callable[[], object]],
    sizes: Sizes,
    rounds: int,
) -> dict[str, float]:
    """Time a step of each loop, and of the package with many and with fewer robots."""
    tasks = {
        **loops,
        'package': Package(motion, sensor, sizes.robots).step,
        'fewer': Package(motion, sensor, sizes.fewer).step,
    }
    with one_core():
        timings = time_tasks(tasks, rounds)
    rates = {name: sizes.loop_robots / timings[name].median for name in loops}
    package = sizes.robots / timings['package'].median
    growth = timings['package'].median / timings['fewer'].median
    memory = measure_memory(Package(motion, sensor, sizes.robots))
    return {
        'package [robot-steps/s]': round(package),
        **{f'{name} [robot-steps/s]': round(rate) for name, rate in rates.items()},
        **{f'times faster than the {name}': round(package / rates[name], 1) for name in rates},
        f'growth from {sizes.fewer} to {sizes.robots} robots': round(growth, 1),
        'memory beyond the state [bytes/robot]': round(memory, 1),
    }


def measure_memory(package: Package) -> float:
    """Measure the peak memory of a step beyond its result [bytes/robot]."""
    package.step()
    tracemalloc.start()
    package.step()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return (most - package.returned()) / len(package.poses)


def describe(sizes: Sizes) -> dict[str, Any]:
    """Return the sizes and the targets."""
    return {
        'robots': sizes.robots,
        'robots in the loop': sizes.loop_robots,
        'target [times faster]': TARGET,
        'target memory beyond the state [bytes/robot]': TARGET_MEMORY,
    }

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Run of a lecture simulation: the poses, the readings and the causes of their errors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.uncertainty.error_causes import LABEL
from world_model_core.uncertainty.lecture_simulations import (
    COMMAND,
    DURATION,
    LANDMARKS,
    PERIOD,
    ROBOTS,
)
from world_model_core.uncertainty.motion_model import Motion
from world_model_core.uncertainty.observation_model import Observation

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.lecture_simulations import LectureSimulation
    from world_model_core.uncertainty.random_draws import Draws

__all__ = ['SimulationRun', 'simulate']


@dataclass(frozen=True, slots=True, eq=False)
class SimulationRun:
    """
    Result of t steps with n robots and m landmarks.

    Attributes
    ----------
    times : array, shape (t + 1,)
        Time since the start of the run [s].
    poses : array, shape (t + 1, n, 3)
        x, y [m], theta [rad, not wrapped] in the map frame.
    stuck : array of bool, shape (t + 1, n)
    causes : array of uint16, shape (t, n)
        Causes of the motion error of each robot in each step, bit mask of `ErrorCause`.
    pebbles : array of int, shape (n,)
        Number of pebbles that each robot met.
    readings : array, shape (t, n, m, 2)
        Range [m] and bearing [rad] at the end of each step; NaN without a reading.
    labels : array of uint16, shape (t, n, m)
        Causes of the error of each reading, bit mask of `ErrorCause`.

    """

    times: Array
    poses: Array
    stuck: NDArray[np.bool_]
    causes: NDArray[np.uint16]
    pebbles: NDArray[np.int64]
    readings: Array
    labels: NDArray[np.uint16]


def simulate(simulation: LectureSimulation, draws: Draws, robots: int = ROBOTS) -> SimulationRun:
    """Simulate robots that start at the origin, drive circles and measure the landmarks."""
    motion, observation = Motion(simulation.motion), Observation(simulation.observation)
    steps, marks = round(DURATION / PERIOD), len(LANDMARKS)
    commands = np.tile(COMMAND, (robots, 1))
    state = motion.begin(np.zeros((robots, 3)), draws)
    sensors = observation.begin(robots, LANDMARKS, draws)
    poses, stuck = np.zeros((steps + 1, robots, 3)), np.zeros((steps + 1, robots), np.bool_)
    causes, pebbles = np.empty((steps, robots), LABEL), np.zeros(robots, np.int64)
    readings = np.empty((steps, robots, marks, 2))
    labels = np.empty((steps, robots, marks), LABEL)
    for step in range(steps):
        state, truth = motion.step(state, commands, PERIOD, draws)
        poses[step + 1], stuck[step + 1] = state.poses, state.stuck
        causes[step] = truth.causes
        pebbles += truth.pebbles
        sensors, readings[step], labels[step] = observation.observe(
            sensors, state.poses, LANDMARKS, PERIOD, draws
        )
    times = np.linspace(0.0, DURATION, steps + 1)
    return SimulationRun(times, poses, stuck, causes, pebbles, readings, labels)

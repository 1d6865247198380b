# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
The Kalman filter under errors that are no noise: stuck robots, occlusion, a wrong landmark.

Robots drive the lecture's circle past its three landmarks for 40 s, each with its own biases and
an initial pose known to 5 cm and 3 degrees. Of a wrong landmark the map has another place, 0.5 m
off in one of four directions; each landmark in turn.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.stats import chi2

from world_model_core.gaussian import mahalanobis_squared
from world_model_core.localization.extended_kalman_filter import ExtendedKalmanFilter
from world_model_core.localization.pose_estimators import UNCERTAIN
from world_model_core.uncertainty import lecture_simulations
from world_model_core.uncertainty.field_of_view import PlanarFieldOfView
from world_model_core.uncertainty.kidnapping import KidnapParameters
from world_model_core.uncertainty.lecture_simulations import COMMAND, PERIOD
from world_model_core.uncertainty.motion_model import Motion
from world_model_core.uncertainty.motion_parameters import LNPR as MOTION
from world_model_core.uncertainty.motion_parameters import MotionParameters
from world_model_core.uncertainty.observation_model import Observation
from world_model_core.uncertainty.observation_parameters import LECTURE as LECTURE_SENSOR
from world_model_core.uncertainty.observation_parameters import LNPR as SENSOR
from world_model_core.uncertainty.observation_parameters import ObservationParameters
from world_model_core.uncertainty.occlusion import Occlusion
from world_model_core.uncertainty.random_draws import Draws
from world_model_core.uncertainty.stuck_robots import StuckParameters

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from world_model_core.gaussian import Array

RUNS, SECONDS, EVERY = 300, 40, 5
LANDMARKS = np.array(lecture_simulations.LANDMARKS)
SPREAD = np.diag((0.05, 0.05, 0.05)) ** 2
# A larger error [m] needs a warning; how far a wrong landmark is off [m].
FAR, WRONG = 0.3, 0.5
STUCK = replace(MOTION, stuck=StuckParameters())
KIDNAPPED = replace(
    MOTION,
    kidnap=KidnapParameters(mean_interval=20.0, x_low=-4.0, x_high=4.0, y_low=-4.0, y_high=4.0),
)
ALL_AROUND = replace(SENSOR, field_of_view=PlanarFieldOfView(half_angle=math.pi, far=10.0))
OCCLUDED = replace(SENSOR, occlusion=Occlusion(probability=0.5))


class Condition(NamedTuple):
    """Errors of robots and sensor, which are the models of the filter, and of the map."""

    motion: MotionParameters = MOTION
    sensor: ObservationParameters = SENSOR
    has_wrong_landmark: bool = False


CONDITIONS = {
    'lnpr': Condition(),
    'lnpr, stuck': Condition(STUCK),
    'lnpr, occlusion 0.5': Condition(sensor=OCCLUDED),
    'sensor of lecture': Condition(sensor=LECTURE_SENSOR),
    'lecture without kidnapping': Condition(STUCK, LECTURE_SENSOR),
    'lnpr, a landmark 0.5 m wrong': Condition(has_wrong_landmark=True),
    'lnpr, all around, a landmark 0.5 m wrong': Condition(
        sensor=ALL_AROUND, has_wrong_landmark=True
    ),
    'lnpr, stuck, a landmark 0.5 m wrong': Condition(STUCK, has_wrong_landmark=True),
    'lnpr, kidnapped every 20 s': Condition(KIDNAPPED),
}


class Outcome(NamedTuple):
    """Of each robot at each time (t, n): error [m], NEES, inside the ellipse, warned, named."""

    error: Array
    nees: Array
    inside: NDArray[Any]
    warned: NDArray[Any]
    named: NDArray[Any]
    """1 if the wrong landmark is named, -1 if another is, 0 if none."""


def measure(runs: int = RUNS, conditions: Mapping[str, Condition] = CONDITIONS) -> dict[str, Any]:
    """Run all conditions."""
    return {
        'runs': runs,
        'seconds': SECONDS,
        'conditions': {
            name: summarize(run(condition, runs)) for name, condition in conditions.items()
        },
    }


def run(condition: Condition, runs: int, seed: int = 1) -> Outcome:
    """Simulate a condition, with the same number of robots for each wrong landmark."""
    if not condition.has_wrong_landmark:
        return drive(condition, LANDMARKS, -1, runs, seed=seed)
    cases = [(number, turn) for number in range(len(LANDMARKS)) for turn in range(4)]
    outcomes = []
    for index, (number, turn) in enumerate(cases):
        places, angle = LANDMARKS.copy(), 0.5 * math.pi * turn
        places[number] += WRONG * np.array((math.cos(angle), math.sin(angle)))
        share = runs // len(cases)
        outcomes.append(drive(condition, places, number, share, seed=100 * seed + index))
    return Outcome(*(np.concatenate(part, axis=1) for part in zip(*outcomes, strict=True)))


def drive(
    condition: Condition,
    places: Array,
    wrong: int,
    runs: int,
    *,
    seed: int,
    seconds: int = SECONDS,
) -> Outcome:
    """Simulate robots, and the filter with a map in which the landmarks have `places`."""
    draws, world, eye = Draws(seed), Motion(condition.motion), Observation(condition.sensor)
    kalman_filter = ExtendedKalmanFilter(condition.motion, condition.sensor)
    truth = world.begin(np.zeros((runs, 3)), draws)
    seen = eye.begin(runs, LANDMARKS, draws)
    off = draws.normal('beginning', 0, range(3), runs) @ np.sqrt(SPREAD)
    state, commands = kalman_filter.begin(truth.poses + off, SPREAD), np.tile(COMMAND, (runs, 1))
    found = []
    for step in range(1, round(seconds / PERIOD) + 1):
        truth, _ = world.step(truth, commands, PERIOD, draws)
        seen, readings, _ = eye.observe(seen, truth.poses, LANDMARKS, PERIOD, draws)
        state = kalman_filter.predict(state, commands, PERIOD)
        state = kalman_filter.correct(state, readings, places).state
        if step % round(EVERY / PERIOD) == 0:
            apart = (truth.poses - state.poses)[:, :2]
            distance = mahalanobis_squared(apart, state.pose_covariances[:, :2, :2])
            number = state.wrong_landmarks
            named = np.where(number < 0, 0, np.where(number == wrong, 1, -1))
            uncertain = (
                np.trace(state.pose_covariances[:, :2, :2], axis1=1, axis2=2) > UNCERTAIN**2
            )
            warned = state.lost | uncertain | (number >= 0)
            inside = distance <= chi2.ppf(0.95, 2)
            found.append((np.hypot(*apart.T), state.nees(truth.poses), inside, warned, named))
    return Outcome(*(np.array(part) for part in zip(*found, strict=True)))


def summarize(outcome: Outcome) -> dict[str, float]:
    """Return the figures of a condition, over all times and at the end."""
    far, silent = outcome.error > FAR, ~outcome.warned
    figures = {
        'rms error [m]': np.sqrt(np.mean(outcome.error**2)),
        'rms error at the end [m]': np.sqrt(np.mean(outcome.error[-1] ** 2)),
        'median error at the end [m]': np.median(outcome.error[-1]),
        'mean NEES': outcome.nees.mean(),
        'median NEES': np.median(outcome.nees),
        'in the 95 % ellipse [%]': 100.0 * outcome.inside.mean(),
        'off by more than 0.3 m [%]': 100.0 * far.mean(),
        'off without a warning [%]': 100.0 * (far & silent).mean(),
        'off without a warning at the end [%]': 100.0 * (far & silent)[-1].mean(),
        'warned though right [%]': 100.0 * (outcome.warned & ~far).mean(),
        'wrong landmark named at the end [%]': 100.0 * (outcome.named[-1] > 0).mean(),
        'another landmark named [%]': 100.0 * (outcome.named < 0).mean(),
    }
    return {name: round(float(value), 3) for name, value in figures.items()}

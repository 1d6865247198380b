# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Consistency of a Kalman filter on the odometry and the landmarks of a robot under physics.

The robot of the example kitchen gets another random command every 1.5 s, for a minute. The mean
normalized squared error (NEES) of its estimated pose is 3 for a consistent filter; until the robot
touches the furniture, and in all, where it slips sideways, which no wheel measures.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from world_model_core.localization.extended_kalman_filter import ExtendedKalmanFilter
from world_model_core.uncertainty.motion_parameters import LNPR as MOTION
from world_model_core.uncertainty.observation_parameters import LNPR as SENSOR
from world_model_core.uncertainty.random_draws import Draws
from world_model_core.uncertainty.unicycle import commands_between
from world_model_core.virtual_world.senses.landmarks import LandmarkSensor, fixed_landmarks
from world_model_core.virtual_world.worlds.loading import WorldSources, load_world

if TYPE_CHECKING:
    from world_model_core.virtual_world.engine.engine import Engine
    from world_model_core.virtual_world.senses.sensed_world import SensedWorld

RUNS, STEPS, DT = 20, 600, 0.1
ROBOT, FLOOR = 'robot', {'floor', ''}
KITCHEN = Path(__file__).resolve().parents[2] / 'worlds/kitchen/kitchen.xml'
# Steps between two commands, and between two samples, which are then nearly independent.
COMMANDED, SAMPLED = 15, 20
# Of landmarks: the sensor looks over the chairs [m].
HEIGHT = 0.87
START_STD = 0.05


class Sample(NamedTuple):
    """NEES at a time, and whether the robot has touched anything before."""

    nees: float
    touched: bool


def measure(runs: int = RUNS) -> dict[str, Any]:
    """Return the mean NEES of all runs."""
    # MuJoCo is an extra.
    from world_model_core.virtual_world.engine.engine import Engine  # noqa: PLC0415
    from world_model_core.virtual_world.senses.sensed_world import SensedWorld  # noqa: PLC0415

    world, _ = load_world(KITCHEN, WorldSources())
    engine = Engine(world)
    sensed, start = SensedWorld(engine, fixed_landmarks(engine), HEIGHT), engine.live_snapshot()
    samples: list[Sample] = []
    for seed in range(1, runs + 1):
        engine.restore(start)
        samples += _drive(engine, sensed, seed)
    free = [each.nees for each in samples if not each.touched]
    return {
        'runs': runs,
        'samples until the robot touches something': len(free),
        'mean NEES until then': float(np.mean(free)),
        'mean NEES in all': float(np.mean([each.nees for each in samples])),
    }


def _drive(engine: Engine, sensed: SensedWorld, seed: int) -> list[Sample]:
    from world_model_core.virtual_world.senses.base_motion import base_motions  # noqa: PLC0415
    from world_model_core.virtual_world.senses.robot_odometry import (  # noqa: PLC0415
        RobotOdometry,
    )

    random, draws, places = np.random.default_rng(seed), Draws(seed), sensed.landmarks.places
    odometry, ekf = RobotOdometry(MOTION, draws), ExtendedKalmanFilter(MOTION, SENSOR)
    sensor = LandmarkSensor(SENSOR, places, draws.named(ROBOT))
    odometry.begin(engine, (ROBOT,))
    begin = base_motions(engine, (ROBOT,)).poses + random.normal(0.0, START_STD, 3)
    state, samples, touched = ekf.begin(begin, START_STD**2 * np.eye(3)), [], False
    for step in range(1, STEPS + 1):
        if step % COMMANDED == 1:
            engine.drive(ROBOT, random.uniform(-0.2, 0.25), random.uniform(-1.0, 1.0))
        before = odometry.pose_of(ROBOT)[None].copy()
        engine.step(DT)
        odometry.measure(engine, step)
        pose = base_motions(engine, (ROBOT,)).poses
        readings = sensor.measure(pose[0], sensed.hidden(ROBOT), DT, step)
        driven = commands_between(before, odometry.pose_of(ROBOT)[None], DT)
        state = ekf.correct(ekf.predict(state, driven, DT), readings[None], places).state
        touched = touched or _touches(engine)
        if step % SAMPLED == 0:
            samples.append(Sample(float(state.nees(pose)[0]), touched))
    return samples


def _touches(engine: Engine) -> bool:
    """Return whether the robot touches anything but the floor."""
    pairs = ({each.first[0], each.second[0]} for each in engine.contacts)
    return any(ROBOT in pair and pair - FLOOR - {ROBOT} for pair in pairs)


if __name__ == '__main__':
    sys.stdout.write(f'{measure()}\n')

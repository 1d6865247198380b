# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
The nine simulations of the lecture's chapter 4, each with a single source of uncertainty.

In LNPR's notebooks 100 robots start at the origin and drive circles, at 0.2 m/s and 10 degrees
per second, for 30 s in steps of 0.1 s, past three landmarks. There is no other error: the first
four simulations have an ideal sensor, the last five have ideal motion.

Where lecture and notebooks differ, the values are those of the lecture: the velocity bias has a
standard deviation of 0.1 (0.2 in a notebook), occlusion a probability of 0.5 (0.1).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from world_model_core.errors import ConfigurationError
from world_model_core.uncertainty.clutter import Clutter
from world_model_core.uncertainty.kidnapping import KidnapParameters
from world_model_core.uncertainty.missed_detection import MissedDetection
from world_model_core.uncertainty.motion_parameters import MotionParameters
from world_model_core.uncertainty.observation_parameters import ErrorOrder, ObservationParameters
from world_model_core.uncertainty.occlusion import Occlusion
from world_model_core.uncertainty.pebble_noise import PebbleParameters
from world_model_core.uncertainty.sensor_bias import SensorBias
from world_model_core.uncertainty.sensor_noise import RangeBearingNoise
from world_model_core.uncertainty.stuck_robots import StuckParameters
from world_model_core.uncertainty.velocity_bias import VelocityBiasParameters

__all__ = [
    'COMMAND',
    'DURATION',
    'IDEAL',
    'IDEAL_MOTION',
    'IDEAL_SENSOR',
    'LANDMARKS',
    'LECTURE_SIMULATIONS',
    'PERIOD',
    'ROBOTS',
    'LectureSimulation',
    'lecture_simulation',
]

# Number of robots, duration [s], period of a step [s].
ROBOTS, DURATION, PERIOD = 100, 30.0, 0.1
# Command of all robots: nu [m/s], omega [rad/s].
COMMAND = (0.2, math.radians(10.0))
# x, y [m] in the map frame.
LANDMARKS = ((-4.0, 2.0), (2.0, -3.0), (3.0, 3.0))

# Robots without motion errors, and a sensor without errors.
IDEAL_MOTION = MotionParameters()
IDEAL_SENSOR = ObservationParameters(
    noise=RangeBearingNoise.off(),
    bias=SensorBias.off(),
    missed_detection=MissedDetection.off(),
    order=ErrorOrder.LECTURE,
)


@dataclass(frozen=True, slots=True)
class LectureSimulation:
    """
    One of the lecture's simulations.

    Attributes
    ----------
    section : str
        Section of the lecture.
    title : str
        Description of the error.
    motion : MotionParameters
    observation : ObservationParameters

    """

    section: str
    title: str
    motion: MotionParameters = IDEAL_MOTION
    observation: ObservationParameters = IDEAL_SENSOR


# The reference of all simulations: the world of chapter 3, without errors.
IDEAL = LectureSimulation('4.1', 'no errors')


def lecture_simulation(name: str) -> LectureSimulation:
    """
    Return the simulation of a name.

    Raises
    ------
    ConfigurationError
        No simulation has that name.

    """
    if name not in LECTURE_SIMULATIONS:
        raise ConfigurationError(
            f'preset is {name!r}; it must be one of {", ".join(LECTURE_SIMULATIONS)}'
        )
    return LECTURE_SIMULATIONS[name]


LECTURE_SIMULATIONS = {
    'motion_noise': LectureSimulation(
        '4.2.1', 'pebbles turn the robot', MotionParameters(pebbles=PebbleParameters())
    ),
    'motion_bias': LectureSimulation(
        '4.2.2',
        'the wheels turn faster or slower than commanded',
        MotionParameters(velocity_bias=VelocityBiasParameters()),
    ),
    'stuck': LectureSimulation(
        '4.2.3', 'the robot gets stuck and free again', MotionParameters(stuck=StuckParameters())
    ),
    'kidnap': LectureSimulation(
        '4.2.4', 'the robot is moved somewhere else', MotionParameters(kidnap=KidnapParameters())
    ),
    'sensor_noise': LectureSimulation(
        '4.3.1',
        'each reading has an independent error',
        observation=replace(IDEAL_SENSOR, noise=RangeBearingNoise()),
    ),
    'sensor_bias': LectureSimulation(
        '4.3.2',
        'all readings of a robot share an error',
        observation=replace(IDEAL_SENSOR, bias=SensorBias()),
    ),
    'clutter': LectureSimulation(
        '4.3.3',
        'landmarks are detected where there are none',
        observation=replace(IDEAL_SENSOR, clutter=Clutter(probability=0.5)),
    ),
    'missed_detection': LectureSimulation(
        '4.3.4',
        'landmarks in view are not detected',
        observation=replace(IDEAL_SENSOR, missed_detection=MissedDetection(probability=0.1)),
    ),
    'occlusion': LectureSimulation(
        '4.3.5',
        'partly hidden landmarks are measured too far away',
        observation=replace(IDEAL_SENSOR, occlusion=Occlusion(probability=0.5)),
    ),
}

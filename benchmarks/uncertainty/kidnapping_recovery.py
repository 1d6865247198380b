# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Share of kidnapped robots that the particle filter has found again, by field of view and time.

All robots drive the lecture's circle past its three landmarks, and are kidnapped every 20 s to a
pose that is uniform in a square; filter and preset are those of `particle_localizer`.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from world_model_core.localization.particle_filter import ParticleFilter
from world_model_core.localization.particle_motion_noise import VelocityNoiseParameters
from world_model_core.uncertainty.field_of_view import PlanarFieldOfView
from world_model_core.uncertainty.kidnapping import KidnapParameters
from world_model_core.uncertainty.lecture_simulations import COMMAND, LANDMARKS, PERIOD
from world_model_core.uncertainty.motion_model import Motion
from world_model_core.uncertainty.motion_parameters import LNPR as MOTION
from world_model_core.uncertainty.observation_model import Observation
from world_model_core.uncertainty.observation_parameters import LNPR as SENSOR
from world_model_core.uncertainty.random_draws import Draws

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.observation_parameters import ObservationParameters

ROBOTS, KIDNAPPINGS, INTERVAL = 25, 4, 20.0
# Largest position error of a robot that is found [m], and the times after a kidnapping [s].
FOUND, TIMES = 0.5, (3.0, 10.0, 19.0)
SQUARE = KidnapParameters(mean_interval=INTERVAL, x_low=-4.0, x_high=4.0, y_low=-4.0, y_high=4.0)
SENSORS = {
    'ahead, 60 degrees to either side and 6 m': SENSOR,
    'all around, 10 m': replace(
        SENSOR, field_of_view=PlanarFieldOfView(half_angle=math.pi, far=10.0)
    ),
}


def measure(robots: int = ROBOTS, kidnappings: int = KIDNAPPINGS) -> dict[str, Any]:
    """Return the share of robots that are found at each time, for each field of view."""
    shares = {
        name: follow(sensor, robots, kidnappings).mean(axis=(0, 2))
        for name, sensor in SENSORS.items()
    }
    return {
        'robots': robots,
        'kidnappings of each': kidnappings,
        'found [m]': FOUND,
        'found after': {
            name: {
                f'{time:g} s': round(float(part), 2)
                for time, part in zip(TIMES, each, strict=True)
            }
            for name, each in shares.items()
        },
    }


def follow(sensor: ObservationParameters, robots: int, kidnappings: int) -> Array:
    """Return which robots are found, shape (kidnappings, times, robots)."""
    draws, own, world, eye = Draws(1), Draws(1001), Motion(MOTION), Observation(sensor)
    state = world.begin(np.zeros((robots, 3)), draws)
    seen = eye.begin(robots, LANDMARKS, draws)
    particle_filter = ParticleFilter(VelocityNoiseParameters(), SQUARE, sensor)
    cloud = particle_filter.begin(state.poses, np.diag((0.05, 0.05, 0.05)) ** 2, own)
    commands, low, size = np.tile(COMMAND, (robots, 1)), *SQUARE.pose_range()
    found, steps = np.zeros((kidnappings, len(TIMES), robots)), round(INTERVAL / PERIOD)
    asked = [round(time / PERIOD) for time in TIMES]
    for number in range(kidnappings):
        luck = draws.uniform('kidnapping', number, range(3), robots)
        state = replace(state, poses=low + size * luck)
        for step in range(1, steps + 1):
            state, _ = world.step(state, commands, PERIOD, draws)
            seen, readings, _ = eye.observe(seen, state.poses, LANDMARKS, PERIOD, draws)
            cloud = particle_filter.predict(cloud, commands, PERIOD, own)
            cloud = particle_filter.correct(cloud, readings, LANDMARKS, own)
            if step in asked:
                off = state.poses - cloud.particles.mean
                found[number, asked.index(step)] = np.hypot(*off[:, :2].T) < FOUND
    return found

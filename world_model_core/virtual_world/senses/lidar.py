# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Planar lidar of a robot, and distance sensor of a camera, with noise."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.frames import rotation_of
from world_model_core.virtual_world.rendering.distances import scan
from world_model_core.virtual_world.values import Pose

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.random_draws import Draws
    from world_model_core.uncertainty.sensor_noise import RangeNoise
    from world_model_core.virtual_world.senses.sensed_world import SensedWorld
    from world_model_core.virtual_world.values import Entity

__all__ = ['Lidar']


@dataclass(frozen=True, slots=True)
class Lidar:
    """
    Lidar that looks in all directions, in a plane of its robot.

    Attributes
    ----------
    height : float
        Above the frame of the robot, along its z axis [m].
    increment : float
        Angle between two rays [rad].
    range_min, range_max : float
        [m]
    noise : RangeNoise

    """

    height: float
    increment: float
    range_min: float
    range_max: float
    noise: RangeNoise

    @property
    def angles(self) -> Array:
        """Angles of the rays, shape (n,), from the x axis of the robot about its z axis [rad]."""
        count = math.floor(2.0 * math.pi / self.increment)
        return np.asarray(-math.pi + self.increment * np.arange(count), dtype=np.float64)

    def measure(self, world: SensedWorld, name: str, draws: Draws, step: int) -> Array:
        """
        Measure distances from a robot.

        Parameters
        ----------
        world : SensedWorld
        name : str
            Of the robot, which the rays pass through.
        draws : Draws
            Of the robot.
        step : int
            Number of the measurement, of which its errors are drawn.

        Returns
        -------
        array, shape (n,)
            [m]; infinite beyond the limits (REP 117).

        """
        pose = world.engine.root_state_of(name).pose
        x, y, z = (pose.position + self.height * rotation_of(pose.orientation)[:, 2]).tolist()
        sensor, angles = Pose((x, y, z), pose.orientation), self.angles
        exact = scan(
            world.engine,
            sensor,
            angles,
            range_min=self.range_min,
            range_max=self.range_max,
            exclude=name,
        )
        return self.disturbed(exact, draws.normal('scan', step, 0, len(angles)))

    def measure_ahead(self, world: SensedWorld, entity: Entity, draws: Draws, step: int) -> float:
        """
        Measure the distance along the middle of the view of the first camera of an entity.

        Parameters
        ----------
        world : SensedWorld
        entity : Entity
            With a camera; the ray passes through it.
        draws : Draws
            Of the entity.
        step : int
            Number of the measurement, of which its errors are drawn.

        Returns
        -------
        float
            [m]; infinite beyond the limits.

        """
        camera = world.camera_in_world(entity, entity.cameras[0])
        exact = scan(
            world.engine,
            camera,
            np.zeros(1),
            range_min=self.range_min,
            range_max=self.range_max,
            exclude=entity.name,
        )
        return float(self.disturbed(exact, draws.normal('distance', step, 0, 1))[0])

    def disturbed(self, ranges: Array, normal: Array) -> Array:
        """Return exact ranges (n,) with noise of standard normal draws; infinite ones stay so."""
        far = np.isinf(ranges)
        exact = np.where(far, 0.0, ranges)
        noisy = exact + self.noise.deviation(exact) * normal
        noisy = np.where(noisy < self.range_min, -np.inf, noisy)
        noisy = np.where(noisy > self.range_max, np.inf, noisy)
        measured: Array = np.where(far, ranges, noisy)
        return measured

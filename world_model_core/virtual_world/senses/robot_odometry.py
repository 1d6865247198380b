# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Odometry of the robots of a world, by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.time import to_seconds
from world_model_core.uncertainty.random_draws import NamedDraws
from world_model_core.virtual_world.senses.base_motion import base_motions
from world_model_core.virtual_world.senses.wheel_odometry import BaseMotions, WheelOdometry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.motion_parameters import MotionParameters
    from world_model_core.uncertainty.random_draws import Draws
    from world_model_core.virtual_world.engine.engine import Engine

__all__ = ['OdometryReading', 'RobotOdometry']


class OdometryReading(NamedTuple):
    """
    Odometry of a robot.

    Attributes
    ----------
    pose : array, shape (3,)
        x, y [m], theta [rad], relative to the start.
    velocity : array, shape (2,)
        nu [m/s], omega [rad/s].
    covariances : tuple of array, shapes (3, 3) and (2, 2)
        Of the true pose and velocity about it.

    """

    pose: Array
    velocity: Array
    covariances: tuple[Array, Array]


class RobotOdometry:
    """
    Measures the motion of all robots at once, which takes as long as of one.

    Parameters
    ----------
    parameters : MotionParameters
    draws : Draws
        The errors of a robot are drawn by its name.

    """

    _names: tuple[str, ...]
    _odometry: WheelOdometry
    # True poses at the starts.
    _starts: dict[str, Array]
    _spreads: tuple[Array, Array] | None

    def __init__(self, parameters: MotionParameters, draws: Draws) -> None:
        self._parameters, self._draws = parameters, draws
        self._time_ns = 0
        self._clear()

    def begin(self, engine: Engine, names: Sequence[str]) -> None:
        """Begin at the present poses of all robots."""
        self._clear()
        self._time_ns = engine.time_ns
        self.follow(engine, names)

    def follow(self, engine: Engine, names: Sequence[str]) -> None:
        """Begin at the present poses of robots that are new; the others go on."""
        before, odometry = self._names, self._odometry
        if before == tuple(names):
            return
        start, draws = base_motions(engine, names), NamedDraws(self._draws, names)
        self._names = tuple(names)
        self._odometry, self._spreads = WheelOdometry(self._parameters, draws, start), None
        kept = [name for name in names if name in before]
        self._odometry.take(odometry, *([each.index(name) for name in kept]
                                        for each in (self._names, before)))  # fmt: skip
        poses = dict(zip(names, start.poses, strict=True))
        self._starts = {name: self._starts.get(name, pose) for name, pose in poses.items()}

    def measure(self, engine: Engine, step: int) -> None:
        """Measure the motion since the last call; `step` is the number of the measurement."""
        passed_ns, self._time_ns = engine.time_ns - self._time_ns, engine.time_ns
        self._spreads = None
        if passed_ns > 0:
            motions = base_motions(engine, self._names)
            self._odometry.read(motions, to_seconds(passed_ns), step)

    def start_of(self, name: str) -> Array:
        """Return the true pose (3,) of a robot at its start: x, y [m], theta [rad]."""
        return self._starts[name]

    def pose_of(self, name: str) -> Array:
        """Return the odometry pose (3,) of a robot: x, y [m], theta [rad]."""
        pose: Array = self._odometry.poses[self._names.index(name)]
        return pose

    def reading_of(self, name: str) -> OdometryReading:
        """Return the odometry of a robot."""
        row, odometry = self._names.index(name), self._odometry
        if self._spreads is None:
            self._spreads = odometry.covariances()
        poses, velocities = self._spreads
        return OdometryReading(
            odometry.poses[row], odometry.velocities[row], (poses[row], velocities[row])
        )

    def _clear(self) -> None:
        self._names, self._starts = (), {}
        nobody = BaseMotions(np.zeros((0, 3)), np.zeros((0, 2)))
        self._odometry = WheelOdometry(self._parameters, self._draws, nobody)
        self._spreads = None

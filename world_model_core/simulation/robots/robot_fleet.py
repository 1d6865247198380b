# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Simulated robots with noisy motion and sensing, their odometry, and the ground truth."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.simulation.robots.odometry_spread import OdometrySpread
from world_model_core.time import to_nanoseconds
from world_model_core.uncertainty.input_checks import InputError, check_events, check_rows
from world_model_core.uncertainty.motion_model import Motion, MotionState, MotionTruth
from world_model_core.uncertainty.observation_model import Observation
from world_model_core.uncertainty.random_draws import Draws
from world_model_core.uncertainty.unicycle import move

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.motion_parameters import MotionParameters
    from world_model_core.uncertainty.observation_parameters import ObservationParameters

__all__ = ['FleetStep', 'RobotFleet']

# Maximum absolute value of a command [m/s, rad/s].
LIMIT = 100.0
# Number of robots, the first ones, with a covariance of odometry.
MAX_WITH_COVARIANCE = 100


@dataclass(frozen=True, slots=True, eq=False)
class FleetStep:
    """
    Result of a step: readings at its end, and the error causes.

    Attributes
    ----------
    readings : array, shape (n, m, 2)
        Range [m] and bearing [rad] of each landmark in each robot's frame; NaN without one.
    labels : array of uint16, shape (n, m)
        Error causes of each reading, bit mask of `ErrorCause`.
    motion : MotionTruth
        Ground truth of the motion.

    """

    readings: Array
    labels: NDArray[np.uint16]
    motion: MotionTruth


class RobotFleet:
    """
    Simulates any number of robots that start at the origin and measure landmarks each step.

    Odometry integrates the commands. It includes no pebble, bias, standstill or kidnapping, so it
    drifts by p(x' | x, u).

    Parameters
    ----------
    motion : MotionParameters
    observation : ObservationParameters
    landmarks : array_like, shape (m, 2)
        x, y [m] in the map frame.
    command : tuple of float
        Initial command of each robot: nu [m/s], omega [rad/s].
    count : int
        Number of robots n.
    seed : int
        Seed of the random draws.

    Raises
    ------
    InputError
        A landmark or the command is not finite, or the seed is invalid.

    Attributes
    ----------
    time : float
        Time since the start [s].
    commands : array, shape (n, 2)
        Current nu [m/s], omega [rad/s].
    odometry : array, shape (n, 3)
        Odometry poses x, y [m], theta [rad], relative to the start.
    kidnapped_at : array, shape (n,)
        Time of the last kidnapping of each robot [s]; NaN without one.
    last_step : FleetStep or None
        Result of the last step.

    """

    def __init__(
        self,
        motion: MotionParameters,
        observation: ObservationParameters,
        landmarks: ArrayLike,
        command: tuple[float, float],
        *,
        count: int,
        seed: int,
    ) -> None:
        self._motion, self._observation = Motion(motion), Observation(observation)
        self._pebbles = motion.pebbles
        self.landmarks = check_rows('landmarks', landmarks, 2)
        self._first_commands = check_rows('commands', np.tile(command, (count, 1)), 2)
        self._draws = Draws(seed)
        self._spread = OdometrySpread(motion, min(count, MAX_WITH_COVARIANCE))
        self.reset()

    def reset(self) -> None:
        """Return all robots to the start; the run repeats exactly."""
        count, self.time = len(self._first_commands), 0.0
        self.kidnapped_at = np.full(count, np.nan)
        self.commands = self._first_commands.copy()
        self.odometry = np.zeros((count, 3))
        self._spread.begin()
        self._moved = self._motion.begin(np.zeros((count, 3)), self._draws)
        self._seen = self._observation.begin(count, self.landmarks, self._draws)
        self.last_step: FleetStep | None = None

    def __len__(self) -> int:
        """Return the number of robots."""
        return len(self.commands)

    @property
    def time_ns(self) -> int:
        """Simulated time since the start [ns]."""
        return to_nanoseconds(self.time)

    @property
    def truth(self) -> MotionState:
        """The ground truth: poses of the robots, and which of them are stuck."""
        return self._moved

    @property
    def velocities(self) -> Array:
        """True nu [m/s] and omega [rad/s], shape (n, 2); zero while a robot is stuck."""
        free = np.where(self._moved.stuck, 0.0, 1.0)[:, None]
        moving: Array = self.commands * self._moved.factors * free
        return moving

    def spread(self) -> OdometrySpread:
        """Return the covariances of the odometry of the first robots."""
        # A copy: every update loses a little of the nonlinearity of errors.
        ahead = copy(self._spread)
        ahead.settle(self.commands)
        return ahead

    def locate_landmarks(self, robot: int) -> Array:
        """Return the true positions of landmarks, x ahead and y left of a robot: (m, 2) [m]."""
        x, y, theta = self._moved.poses[robot]
        cos, sin = np.cos(theta), np.sin(theta)
        located: Array = (self.landmarks - (x, y)) @ np.array(((cos, -sin), (sin, cos)))
        return located

    def command(self, robot: int, nu: float, omega: float, dt: float = 0.0) -> None:
        """
        Set the command of a robot.

        Parameters
        ----------
        robot : int
            Number of the robot.
        nu, omega : float
            [m/s, rad/s]
        dt : float, optional
            Length of the next steps [s], to reject impossible commands at once.

        Raises
        ------
        InputError
            A velocity is not finite or beyond `LIMIT`, or would meet too many pebbles in a
            step.

        """
        if not (abs(nu) <= LIMIT and abs(omega) <= LIMIT):
            raise InputError(
                f'command is {nu} m/s, {omega} rad/s; both must be from {-LIMIT} to {LIMIT}'
            )
        if self._pebbles:
            velocities = np.array([[nu, omega]]) * self._moved.factors[robot]
            check_events('pebbles', float(self._pebbles.frequency(velocities)[0]) * dt)
        if (nu, omega) != tuple(self.commands[robot]):
            self._spread.settle(self.commands)
            self.commands[robot] = nu, omega

    def step(self, dt: float) -> FleetStep:
        """
        Simulate a step of dt [s].

        Raises
        ------
        InputError
            dt is not above 0, or too long.

        """
        self._moved, truth = self._motion.step(self._moved, self.commands, dt, self._draws)
        self.odometry = move(self.odometry, self.commands, dt)
        self._spread.wait(dt)
        self._seen, readings, labels = self._observation.observe(
            self._seen, self._moved.poses, self.landmarks, dt, self._draws
        )
        taken = ~np.isnan(truth.kidnapped)
        self.kidnapped_at[taken] = self.time + truth.kidnapped[taken]
        self.time += dt
        self.last_step = FleetStep(readings, labels, truth)
        return self.last_step

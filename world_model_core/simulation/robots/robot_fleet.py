# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Robots that go astray and mis-see, what they believe of themselves, and the truth beside."""

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

# A command beyond this is a mistake [m/s, rad/s].
FASTEST = 100.0
# Of so many robots, the first ones, it is known how far odometry may be off.
MAX_WITH_COVARIANCE = 100


@dataclass(frozen=True, slots=True, eq=False)
class FleetStep:
    """
    What happened in a step, and what was seen at its end.

    Attributes
    ----------
    readings : array, shape (n, m, 2)
        Range [m] and bearing [rad] of each landmark in each robot's frame; NaN where it has none.
    labels : array of uint16, shape (n, m)
        What truly happened to each, bit mask of `ErrorCause`.
    motion : MotionTruth
        What truly happened to each robot.

    """

    readings: Array
    labels: NDArray[np.uint16]
    motion: MotionTruth


class RobotFleet:
    """
    Any number of robots that begin at the origin and look at landmarks after each step.

    Odometry adds up what robots were commanded. It knows of no pebble, bias, standstill or
    kidnapping: so it drifts, by p(x' | x, u).

    Parameters
    ----------
    motion : MotionParameters
    observation : ObservationParameters
    landmarks : array_like, shape (m, 2)
        x, y [m] in the map's frame.
    command : tuple of float
        nu [m/s], omega [rad/s] of each robot until it is commanded otherwise.
    count : int
        n, of robots.
    seed : int
        Another seed, another run.

    Raises
    ------
    InputError
        A landmark or the command is not finite, or the seed is none.

    Attributes
    ----------
    time : float
        Since the beginning [s].
    commands : array, shape (n, 2)
        nu [m/s], omega [rad/s] of now.
    odometry : array, shape (n, 3)
        Where robots take themselves to be: x, y [m], theta [rad], from where they began.
    kidnapped_at : array, shape (n,)
        When each was last kidnapped [s]; NaN if it never was.
    sensed : FleetStep or None
        Of the last step.

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
        """Put all robots back to where they began; what happens then is the same again."""
        count, self.time = len(self._first_commands), 0.0
        self.kidnapped_at = np.full(count, np.nan)
        self.commands = self._first_commands.copy()
        self.odometry = np.zeros((count, 3))
        self._spread.begin()
        self._moved = self._motion.begin(np.zeros((count, 3)), self._draws)
        self._seen = self._observation.begin(count, self.landmarks, self._draws)
        self.last_step: FleetStep | None = None

    def __len__(self) -> int:
        """Count the robots."""
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
        """The truth: nu [m/s] and omega [rad/s] (n, 2); zero while a robot is stuck."""
        free = np.where(self._moved.stuck, 0.0, 1.0)[:, None]
        moving: Array = self.commands * self._moved.factors * free
        return moving

    def spread(self) -> OdometrySpread:
        """Tell how far the first robots may be from where odometry has them."""
        # Of a copy, as each time that it is added up loses a little of what bends errors.
        ahead = copy(self._spread)
        ahead.settle(self.commands)
        return ahead

    def locate_landmarks(self, robot: int) -> Array:
        """Find where landmarks truly are, x ahead and y left of a robot: shape (m, 2) [m]."""
        x, y, theta = self._moved.poses[robot]
        cos, sin = np.cos(theta), np.sin(theta)
        located: Array = (self.landmarks - (x, y)) @ np.array(((cos, -sin), (sin, cos)))
        return located

    def command(self, robot: int, nu: float, omega: float, dt: float = 0.0) -> None:
        """
        Command a robot from now on.

        Parameters
        ----------
        robot : int
            Its number.
        nu, omega : float
            [m/s, rad/s]
        dt : float, optional
            How long steps will be [s], so that what none of them could do is refused now.

        Raises
        ------
        InputError
            A velocity is not finite or beyond `FASTEST`, or would meet more pebbles in a step than
            can be drawn.

        """
        if not (abs(nu) <= FASTEST and abs(omega) <= FASTEST):
            raise InputError(
                f'command is {nu} m/s, {omega} rad/s; both must be from {-FASTEST} to {FASTEST}'
            )
        if self._pebbles:
            velocities = np.array([[nu, omega]]) * self._moved.factors[robot]
            check_events('pebbles', float(self._pebbles.frequency(velocities)[0]) * dt)
        if (nu, omega) != tuple(self.commands[robot]):
            self._spread.settle(self.commands)
            self.commands[robot] = nu, omega

    def step(self, dt: float) -> FleetStep:
        """
        Let a step of dt [s] pass.

        Raises
        ------
        InputError
            It is not above 0, or too long.

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

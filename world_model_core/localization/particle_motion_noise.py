# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Motion noise of the particle filter: white noise on the velocities, a Gaussian approximation.

In Ueda's book (LNPR, chapter 5) the particle filter samples from it, and the Kalman filter uses
its covariance. The velocities of a step are normally distributed about the commands, with
variances that grow with the path and the turn,

    var nu = nn^2 |nu| / dt + no^2 |omega| / dt,   var omega = on^2 |nu| / dt + oo^2 |omega| / dt,

so that the accumulated variance does not depend on the length of the steps.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.parameters import check_parameters, quantity
from world_model_core.uncertainty.input_checks import check_rows, check_step
from world_model_core.uncertainty.unicycle import move, move_jacobians

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.random_draws import Draws

__all__ = ['VelocityNoise', 'VelocityNoiseParameters']

SOURCE = 'velocity_noise'


@dataclass(frozen=True, slots=True)
class VelocityNoiseParameters:
    """
    Standard deviations after a path of one meter or a turn of one radian; defaults of LNPR.

    Raises
    ------
    ConfigurationError
        A value is outside its limits.

    """

    nn: float = quantity(0.19, 'm/sqrt(m)', 0.0, 100.0, 'of the path, by the path')
    no: float = quantity(0.001, 'm/sqrt(rad)', 0.0, 100.0, 'of the path, by the turn')
    on: float = quantity(0.13, 'rad/sqrt(m)', 0.0, 100.0, 'of the turn, by the path')
    oo: float = quantity(0.2, 'rad/sqrt(rad)', 0.0, 100.0, 'of the turn, by the turn')

    def __post_init__(self) -> None:
        """Validate the values."""
        check_parameters(self)


class VelocityNoise:
    """
    Samples poses after a step with noisy velocities, or returns their mean and covariance.

    Parameters
    ----------
    parameters : VelocityNoiseParameters

    """

    def __init__(self, parameters: VelocityNoiseParameters) -> None:
        self._squares = (
            np.array(((parameters.nn, parameters.on), (parameters.no, parameters.oo))) ** 2
        )

    def variances(self, commands: ArrayLike, dt: float) -> Array:
        """
        Return the variances of nu and omega in a step.

        Parameters
        ----------
        commands : array_like, shape (n, 2)
        dt : float

        Returns
        -------
        array, shape (n, 2)
            [m^2/s^2] and [rad^2/s^2].

        Raises
        ------
        InputError
            A command is not finite, or dt not above 0.

        """
        rows = np.abs(check_rows('commands', commands, 2))
        spread: Array = rows @ self._squares / check_step(dt)
        return spread

    def sample(
        self, poses: Array, commands: ArrayLike, dt: float, step: int, draws: Draws
    ) -> Array:
        """Draw a pose after a step for each of the poses (n, 3): x' ~ p(x' | x, u)."""
        spread = np.sqrt(self.variances(commands, dt))
        noise = draws.normal(SOURCE, step, range(2), len(poses))
        return move(poses, np.asarray(commands) + spread * noise, dt)

    def predict(self, poses: Array, commands: ArrayLike, dt: float) -> tuple[Array, Array]:
        """
        Return mean and covariance after a step, to first order, as an extended Kalman filter does.

        Two noises do not span the three dimensions of a pose: the covariance has rank 2, and there
        is no density until the covariance of the previous pose, or that of pebbles, is added.

        Parameters
        ----------
        poses : array, shape (n, 3)
            Poses before the step, known exactly.
        commands : array_like, shape (n, 2)
        dt : float

        Returns
        -------
        mean : array, shape (n, 3)
        covariance : array, shape (n, 3, 3)

        """
        variances, rows = self.variances(commands, dt), np.asarray(commands, dtype=np.float64)
        by_velocity = move_jacobians(poses, rows, dt)[1]
        covariance = (by_velocity * variances[:, None, :]) @ by_velocity.swapaxes(1, 2)
        return move(poses, rows, dt), covariance

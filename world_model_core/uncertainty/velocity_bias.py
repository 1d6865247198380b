# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Velocity bias: a constant factor between commanded and true velocities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.parameters import check_parameters, quantity

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.random_draws import Draws

__all__ = ['UNBIASED', 'VelocityBias', 'VelocityBiasParameters']

SOURCE = 'velocity_bias'


@dataclass(frozen=True, slots=True)
class VelocityBiasParameters:
    """
    Parameters of the factors between commanded and true velocities: Gaussian, drawn once per run.

    The lecture (4.2.2) states a mean of 0, with which robots would hardly move; its figure and
    LNPR have 1. The standard deviation is 0.1 in both, and 0.2 in the figure.

    Raises
    ------
    ConfigurationError
        A value is outside its limits.

    """

    nu_mean: float = quantity(1.0, '', -10.0, 10.0, 'mean factor of the forward velocity')
    omega_mean: float = quantity(1.0, '', -10.0, 10.0, 'mean factor of the turn rate')
    nu_std: float = quantity(0.1, '', 0.0, 10.0, 'standard deviation of the factor of nu')
    omega_std: float = quantity(0.1, '', 0.0, 10.0, 'standard deviation of the factor of omega')

    def __post_init__(self) -> None:
        """Validate the values."""
        check_parameters(self)


# True velocities equal the commands.
UNBIASED = VelocityBiasParameters(nu_std=0.0, omega_std=0.0)


class VelocityBias:
    """
    Draws factors: true velocities are (delta_nu nu, delta_omega omega), the deltas constant.

    A systematic error: constant over a run, and different for each robot.

    Parameters
    ----------
    parameters : VelocityBiasParameters

    """

    def __init__(self, parameters: VelocityBiasParameters) -> None:
        self._mean = np.array((parameters.nu_mean, parameters.omega_mean))
        self._std = np.array((parameters.nu_std, parameters.omega_std))

    def draw(self, draws: Draws, step: int, count: int) -> Array:
        """Draw the factors of `count` robots, shape (count, 2); a run draws them at step 0."""
        return self._mean + self._std * draws.normal(SOURCE, step, range(2), count)

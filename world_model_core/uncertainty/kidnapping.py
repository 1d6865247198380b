# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Somebody picks the robot up and puts it down anywhere."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.errors import ConfigurationError
from world_model_core.parameters import check_parameters, quantity

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.random_draws import ChosenRobots, Draws

__all__ = ['Kidnap', 'KidnapParameters', 'Kidnappings']

SOURCE = 'kidnap'
# Of a kidnapped robot's further draws the first that is not its new place.
FREE = 4
# Robots farther than this from the origin [m] are on no map.
FARTHEST = 1e6


@dataclass(frozen=True, slots=True)
class KidnapParameters:
    """
    When robots are kidnapped, and where to: the lecture's 4.2.4.

    Raises
    ------
    ConfigurationError
        A value is outside its limits, or a range is empty.

    """

    mean_interval: float = quantity(
        5.0, 's', 1e-3, 1e12, 'mean time from one kidnapping to the next'
    )
    x_low: float = quantity(-5.0, 'm', -FARTHEST, FARTHEST, 'least x of where it is put')
    x_high: float = quantity(5.0, 'm', -FARTHEST, FARTHEST, 'largest x of where it is put')
    y_low: float = quantity(-5.0, 'm', -FARTHEST, FARTHEST, 'least y of where it is put')
    y_high: float = quantity(5.0, 'm', -FARTHEST, FARTHEST, 'largest y of where it is put')
    theta_low: float = quantity(-math.pi, 'rad', -10.0, 10.0, 'least heading when put down')
    theta_high: float = quantity(math.pi, 'rad', -10.0, 10.0, 'largest heading when put down')

    def __post_init__(self) -> None:
        """Refuse values outside their limits, and ranges that are none."""
        check_parameters(self)
        for low, high in (('x_low', 'x_high'), ('y_low', 'y_high'), ('theta_low', 'theta_high')):
            least, most = getattr(self, low), getattr(self, high)
            if not least < most:
                raise ConfigurationError(
                    f'KidnapParameters.{low} is {least}; it must be below {high}, {most}'
                )


class Kidnappings(NamedTuple):
    """The last kidnappings in a step: of whom, `times` (k,) [s] in it, `poses` (k, 3)."""

    chosen: ChosenRobots
    times: Array
    poses: Array


class Kidnap:
    """
    Kidnaps robots: a Poisson process in time, each time to a uniform pose.

    Parameters
    ----------
    parameters : KidnapParameters

    """

    def __init__(self, parameters: KidnapParameters) -> None:
        self._mean = parameters.mean_interval
        self._low = np.array((parameters.x_low, parameters.y_low, parameters.theta_low))
        high = np.array((parameters.x_high, parameters.y_high, parameters.theta_high))
        self._size = high - self._low

    def draw(self, draws: Draws, step: int, dt: float, count: int) -> Kidnappings:
        """
        Draw the last kidnapping in a step of dt [s] of those that are kidnapped in it.

        Earlier ones leave no trace in the pose. Backwards in time a Poisson process is one too:
        so the last kidnapping was an exponential time before the step's end.
        """
        chosen, before = draws.short_exponential(SOURCE, step, 0, count, dt / self._mean)
        place = np.stack([chosen.uniform(index) for index in (1, 2, 3)], axis=-1)
        times = dt - self._mean * before
        return Kidnappings(chosen, times, self._low + self._size * place)

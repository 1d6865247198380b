# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Kidnapping: a robot is moved to another pose without odometry."""

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
# Index of the first draw of a kidnapped robot after those of its new pose.
FREE = 4
# Maximum distance of robots from the origin [m].
FARTHEST = 1e6


@dataclass(frozen=True, slots=True)
class KidnapParameters:
    """
    Rate of kidnappings and rectangle of new poses (lecture, section 4.2.4).

    Raises
    ------
    ConfigurationError
        A value is outside its limits, or a lower limit is not below the upper one.

    """

    mean_interval: float = quantity(5.0, 's', 1e-3, 1e12, 'mean time between kidnappings')
    x_low: float = quantity(-5.0, 'm', -FARTHEST, FARTHEST, 'lower limit of x of the new pose')
    x_high: float = quantity(5.0, 'm', -FARTHEST, FARTHEST, 'upper limit of x of the new pose')
    y_low: float = quantity(-5.0, 'm', -FARTHEST, FARTHEST, 'lower limit of y of the new pose')
    y_high: float = quantity(5.0, 'm', -FARTHEST, FARTHEST, 'upper limit of y of the new pose')
    theta_low: float = quantity(-math.pi, 'rad', -10.0, 10.0, 'lower limit of the new heading')
    theta_high: float = quantity(math.pi, 'rad', -10.0, 10.0, 'upper limit of the new heading')

    def __post_init__(self) -> None:
        """Validate the values and the ranges."""
        check_parameters(self)
        for low, high in (('x_low', 'x_high'), ('y_low', 'y_high'), ('theta_low', 'theta_high')):
            least, most = getattr(self, low), getattr(self, high)
            if not least < most:
                raise ConfigurationError(
                    f'KidnapParameters.{low} is {least}; it must be below {high}, {most}'
                )

    def pose_range(self) -> tuple[Array, Array]:
        """Return the lower limits and the sizes of the new x, y [m], theta [rad], (3,) each."""
        low = np.array((self.x_low, self.y_low, self.theta_low))
        return low, np.array((self.x_high, self.y_high, self.theta_high)) - low


class Kidnappings(NamedTuple):
    """Last kidnappings in a step: robots, `times` (k,) in the step [s], new `poses` (k, 3)."""

    chosen: ChosenRobots
    times: Array
    poses: Array


class Kidnap:
    """
    Model of kidnapping: a Poisson process in time, each time to a uniform pose.

    Parameters
    ----------
    parameters : KidnapParameters

    """

    def __init__(self, parameters: KidnapParameters) -> None:
        self._mean = parameters.mean_interval
        self._low, self._size = parameters.pose_range()

    def draw(self, draws: Draws, step: int, dt: float, count: int) -> Kidnappings:
        """
        Draw the last kidnapping of each robot in a step of dt [s].

        Earlier ones have no effect on the pose. A Poisson process reversed in time is a Poisson
        process, so the time from the last kidnapping to the end of the step is exponential.
        """
        chosen, before = draws.short_exponential(SOURCE, step, 0, count, dt / self._mean)
        place = np.stack([chosen.uniform(index) for index in (1, 2, 3)], axis=-1)
        times = dt - self._mean * before
        return Kidnappings(chosen, times, self._low + self._size * place)

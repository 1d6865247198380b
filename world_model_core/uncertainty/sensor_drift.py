# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Slowly changing errors of a sensor or of an estimated pose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.parameters import check_parameters, quantity
from world_model_core.uncertainty.error_causes import ErrorCause
from world_model_core.uncertainty.landmark_detections import SensorErrorSource

if TYPE_CHECKING:
    from typing import Self

    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.landmark_detections import LandmarkDetections
    from world_model_core.uncertainty.random_draws import Draws

__all__ = ['PoseDrift', 'SensorDrift', 'drift_on']


@dataclass(frozen=True, slots=True)
class SensorDrift(SensorErrorSource):
    """
    A Gauss-Markov bias on ranges and one on bearings, each stationary from the beginning.

    `drift_on` implements the process. Unlike `SensorBias` it does not grow with the distance, as
    in LNPR's recordings. All readings of a sensor share it. `fit_drift` estimates its parameters
    from a recording.

    Raises
    ------
    ConfigurationError
        A value is outside its limits.

    """

    range_std: float = quantity(0.0, 'm', 0.0, 1e3, 'deviation of the bias of ranges')
    range_time: float = quantity(1e4, 's', 1e-3, 1e12, 'its correlation time')
    bearing_std: float = quantity(0.0, 'rad', 0.0, 0.5, 'deviation of the bias of bearings')
    bearing_time: float = quantity(1e4, 's', 1e-3, 1e12, 'its correlation time')

    def __post_init__(self) -> None:
        """Validate the standard deviations and time constants."""
        check_parameters(self)

    @classmethod
    def off(cls) -> Self:
        """Return an instance without drift."""
        return cls(range_std=0.0, bearing_std=0.0)

    def is_on(self) -> bool:
        """Return whether ranges or bearings drift."""
        return self.range_std > 0.0 or self.bearing_std > 0.0

    def begin(self, robots: int, landmarks: int, draws: Draws) -> Array:
        """Draw the initial biases, shape (2, n): ranges [m], bearings [rad]."""
        del landmarks
        return self._deviations() * draws.normal('drift begins', 0, range(2), robots).T

    def advance(self, memory: Array, step: int, dt: float, draws: Draws) -> Array:
        """Advance the biases by `dt` [s]."""
        times = np.array([[self.range_time], [self.bearing_time]])
        fresh = draws.normal('drift', step, range(2), memory.shape[1]).T
        return drift_on(memory, dt, self._deviations(), times, fresh)

    def apply(self, detections: LandmarkDetections, memory: Array) -> None:
        """Add the biases."""
        detections.range += memory[0, detections.rows]
        detections.bearing += memory[1, detections.rows]
        detections.mark(ErrorCause.DRIFT)

    def _deviations(self) -> Array:
        return np.array([[self.range_std], [self.bearing_std]])


@dataclass(frozen=True, slots=True)
class PoseDrift:
    """
    A Gauss-Markov error of an estimated pose, stationary from the beginning.

    `drift_on` implements the process, for x, y and heading each: localization errors are
    correlated between frames and do not average out.

    Raises
    ------
    ConfigurationError
        A value is outside its limits.

    """

    position_std: float = quantity(0.02, 'm', 0.0, 1.0, 'deviation of x and of y')
    position_time: float = quantity(20.0, 's', 1e-3, 1e12, 'correlation time of x and y')
    heading_std: float = quantity(0.004, 'rad', 0.0, 0.5, 'deviation of the heading')
    heading_time: float = quantity(20.0, 's', 1e-3, 1e12, 'correlation time of the heading')

    def __post_init__(self) -> None:
        """Validate the standard deviations and time constants."""
        check_parameters(self)

    @classmethod
    def off(cls) -> Self:
        """Return an instance without drift."""
        return cls(position_std=0.0, heading_std=0.0)

    def deviations(self) -> Array:
        """Return the standard deviations of x, y [m] and heading [rad], shape (3,)."""
        return np.array((self.position_std, self.position_std, self.heading_std))

    def advance(self, error: Array, dt: float, fresh: Array) -> Array:
        """Advance an error (3,) by `dt` [s], with three standard normal numbers."""
        times = np.array((self.position_time, self.position_time, self.heading_time))
        return drift_on(error, dt, self.deviations(), times, fresh)


def drift_on(bias: Array, dt: float, deviations: Array, times: Array, fresh: Array) -> Array:
    """
    Advance Gauss-Markov biases, exactly for any time step.

    After dt a bias b is a b + s sqrt(1 - a^2) e with a = exp(-dt / T) and e ~ N(0, 1) (Gelb,
    Applied Optimal Estimation, 1974, section 3.6). Its distribution is N(0, s^2) at any time, and
    its correlation exp(-|t| / T).

    Parameters
    ----------
    bias : array
    dt : float
        [s], 0 or more.
    deviations : array
        s, in the units of the biases.
    times : array
        T [s].
    fresh : array
        e, standard normal numbers.

    """
    rates = dt / times
    spread = deviations * np.sqrt(-np.expm1(-2.0 * rates))
    drifted: Array = np.exp(-rates) * bias + spread * fresh
    return drifted

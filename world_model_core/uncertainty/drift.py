# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Errors of a sensor that change slowly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.quantities import check_parameters, quantity
from world_model_core.uncertainty.labels import Cause
from world_model_core.uncertainty.sights import Source

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.draws import Draws
    from world_model_core.uncertainty.sights import Sights


@dataclass(frozen=True, slots=True)
class Drift(Source):
    """
    A Gauss-Markov bias on ranges and one on bearings, each stationary from the beginning.

    After dt the bias is a b + s sqrt(1 - a^2) e with a = exp(-dt / T) and e ~ N(0, 1), exactly
    and for any dt (Gelb, Applied Optimal Estimation, 1974, section 3.6): its law is N(0, s^2) at
    any time, and its correlation exp(-|t| / T). Unlike `SensorBias` it does not grow with the
    distance: nor does that of LNPR's recordings. All readings of a sensor share it.
    `fit_drift` finds its parameters in a recording.

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
        """Refuse deviations and times that are none."""
        check_parameters(self)

    def is_on(self) -> bool:
        """Tell whether anything drifts."""
        return self.range_std > 0.0 or self.bearing_std > 0.0

    def begin(self, robots: int, landmarks: int, draws: Draws) -> Array:
        """Draw the biases, shape (2, n): ranges [m], bearings [rad]."""
        del landmarks
        return self._deviations() * draws.normal('drift begins', 0, range(2), robots).T

    def advance(self, memory: Array, step: int, dt: float, draws: Draws) -> Array:
        """Let the biases drift for `dt` [s]."""
        rates = dt / np.array([[self.range_time], [self.bearing_time]])
        spread = self._deviations() * np.sqrt(-np.expm1(-2.0 * rates))
        fresh = draws.normal('drift', step, range(2), memory.shape[1]).T
        return np.exp(-rates) * memory + spread * fresh

    def apply(self, sights: Sights, memory: Array) -> None:
        """Add the biases."""
        sights.range += memory[0, sights.rows]
        sights.bearing += memory[1, sights.rows]
        sights.mark(Cause.DRIFT)

    def _deviations(self) -> Array:
        return np.array([[self.range_std], [self.bearing_std]])

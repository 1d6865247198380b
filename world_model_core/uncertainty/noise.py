# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""White noise on ranges and bearings."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.quantities import check_parameters, quantity
from world_model_core.uncertainty.labels import Cause
from world_model_core.uncertainty.sights import Source

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.sights import Sights


@dataclass(frozen=True, slots=True)
class RangeBearingNoise(Source):
    """
    Normal noise, anew in each reading.

    Range: l ~ N(l0, (`range_rate` l0)^2 + `range_std`^2), where l0 is the range handed to this
    source: the true one in the lecture, that with the bias in LNPR. Bearing: phi ~ N(phi0,
    `bearing_std`^2). Nothing keeps a range above zero, as in LNPR: the law is normal.

    Raises
    ------
    ConfigurationError
        A value is outside its limits.

    """

    # Lecture, section 4.3.1; the numbers are LNPR's.
    range_rate: float = quantity(0.1, 'm/m', 0.0, 1.0, 'deviation of ranges by their length')
    # The lasers of LNPR's recordings err by some 3 mm at any distance.
    range_std: float = quantity(0.0, 'm', 0.0, 1e3, 'deviation of ranges at any distance')
    bearing_std: float = quantity(math.pi / 90.0, 'rad', 0.0, 0.5, 'deviation of bearings')

    def __post_init__(self) -> None:
        """Refuse deviations that are none."""
        check_parameters(self)

    def is_on(self) -> bool:
        """Tell whether anything is noisy."""
        return self.range_rate > 0.0 or self.range_std > 0.0 or self.bearing_std > 0.0

    def deviation(self, ranges: Array) -> Array:
        """Give the standard deviation of ranges [m]."""
        if self.range_std == 0.0:
            return self.range_rate * np.abs(ranges)
        spread: Array = np.hypot(self.range_rate * ranges, self.range_std)
        return spread

    def apply(self, sights: Sights, memory: Array) -> None:
        """Add noise."""
        del memory
        sights.range += self.deviation(sights.range) * sights.normal('range noise')
        sights.bearing += self.bearing_std * sights.normal('bearing noise')
        sights.mark(Cause.NOISE)

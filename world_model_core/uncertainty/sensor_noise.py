# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""White noise: on ranges and bearings, on places and headings, on boxes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.errors import ConfigurationError
from world_model_core.parameters import check_parameters, quantity
from world_model_core.uncertainty.error_causes import ErrorCause
from world_model_core.uncertainty.landmark_detections import SensorErrorSource

if TYPE_CHECKING:
    from typing import Self

    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.landmark_detections import LandmarkDetections

__all__ = ['BoxNoise', 'PlaceNoise', 'RangeBearingNoise', 'RangeNoise']

# Less noise of places than this [m] makes no covariance.
LEAST_STD = 1e-4


@dataclass(frozen=True, slots=True)
class RangeNoise(SensorErrorSource):
    """
    Normal noise on ranges, independent for each.

    l ~ N(l0, (`range_fraction` l0)^2 + `range_std`^2), where l0 is the range handed to this
    source: the true one in the lecture, that with the bias in LNPR. Nothing keeps a range above
    zero, as in LNPR: the distribution is normal.

    Raises
    ------
    ConfigurationError
        A value is outside its limits.

    """

    # Lecture, section 4.3.1; the numbers are LNPR's.
    range_fraction: float = quantity(0.1, 'm/m', 0.0, 1.0, 'deviation of ranges by their length')
    # The lasers of LNPR's recordings err by some 3 mm at any distance.
    range_std: float = quantity(0.0, 'm', 0.0, 1e3, 'deviation of ranges at any distance')

    def __post_init__(self) -> None:
        """Validate the standard deviations."""
        check_parameters(self)

    @classmethod
    def off(cls) -> Self:
        """Return an instance without noise."""
        return cls(range_fraction=0.0, range_std=0.0)

    def is_on(self) -> bool:
        """Return whether ranges are noisy."""
        return self.range_fraction > 0.0 or self.range_std > 0.0

    def deviation(self, ranges: Array) -> Array:
        """Return the standard deviation of ranges [m]."""
        if self.range_std == 0.0:
            return self.range_fraction * np.abs(ranges)
        spread: Array = np.hypot(self.range_fraction * ranges, self.range_std)
        return spread

    def apply(self, detections: LandmarkDetections, memory: Array) -> None:
        """Add noise to ranges."""
        del memory
        detections.range += self.deviation(detections.range) * detections.normal('range noise')
        detections.mark(ErrorCause.NOISE)


@dataclass(frozen=True, slots=True)
class RangeBearingNoise(RangeNoise):
    """
    Normal noise on ranges and bearings, drawn for each reading: phi ~ N(phi0, `bearing_std`^2).

    Raises
    ------
    ConfigurationError
        A value is outside its limits.

    """

    bearing_std: float = quantity(math.pi / 90.0, 'rad', 0.0, 0.5, 'deviation of bearings')

    @classmethod
    def off(cls) -> Self:
        """Return an instance without noise."""
        return cls(range_fraction=0.0, range_std=0.0, bearing_std=0.0)

    def is_on(self) -> bool:
        """Return whether ranges or bearings are noisy."""
        return RangeNoise.is_on(self) or self.bearing_std > 0.0

    def check_density(self) -> None:
        """
        Reject noise that leaves ranges, or bearings, exact: they have no density.

        Raises
        ------
        ConfigurationError
            So it does.

        """
        if self.bearing_std == 0.0:
            raise ConfigurationError('noise.bearing_std is 0 rad; a density needs it above 0')
        if not RangeNoise.is_on(self):
            raise ConfigurationError(
                'noise.range_fraction and range_std are 0; a density needs one of them above 0'
            )

    def apply(self, detections: LandmarkDetections, memory: Array) -> None:
        """Add noise."""
        RangeNoise.apply(self, detections, memory)
        detections.bearing += self.bearing_std * detections.normal('bearing noise')


@dataclass(frozen=True, slots=True)
class PlaceNoise:
    """
    Normal noise of a sensor that tells places and headings, independent for each detection.

    Each coordinate errs by N(0, `position_std`^2), however far away things are, and each heading
    by N(0, `heading_std`^2).

    Raises
    ------
    ConfigurationError
        A value is outside its limits.

    """

    # 1.4 mm was measured on ER-Force's simulator of the SSL with realistic noise.
    position_std: float = quantity(0.0014, 'm', 0.0, 1.0, 'deviation of places along each axis')
    heading_std: float = quantity(0.01, 'rad', 0.0, 1.0, 'deviation of headings')

    def __post_init__(self) -> None:
        """Validate the standard deviations."""
        check_parameters(self)

    @classmethod
    def off(cls) -> Self:
        """Return an instance without noise."""
        return cls(position_std=0.0, heading_std=0.0)


@dataclass(frozen=True, slots=True)
class BoxNoise(PlaceNoise):
    """
    Normal noise of a detector of boxes; edges err by a factor exp(e), e ~ N(0, `size_std`^2).

    Detections come with their covariances, which nobody could invert without any noise: off, it
    leaves what little is allowed.

    Raises
    ------
    ConfigurationError
        A value is outside its limits.

    """

    position_std: float = quantity(
        0.01, 'm', LEAST_STD, 1.0, 'deviation of places along each axis'
    )
    heading_std: float = quantity(0.1, 'rad', 0.0, 1.0, 'deviation of headings')
    size_std: float = quantity(0.08, '', 0.0, 1.0, "deviation of edges' logarithms")

    @classmethod
    def off(cls) -> Self:
        """Return an instance with the minimum noise."""
        return cls(position_std=LEAST_STD, heading_std=0.0, size_std=0.0)

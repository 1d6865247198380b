# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Constant errors of a sensor."""

from __future__ import annotations

import math
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

__all__ = ['PlaceBias', 'SensorBias']


@dataclass(frozen=True, slots=True)
class SensorBias(SensorErrorSource):
    """
    A constant relative error of ranges and a constant error of bearings of one sensor.

    Both are drawn when a run begins: b_l ~ N(0, `range_fraction`^2), b_phi ~ N(0,
    `bearing_std`^2). Readings are l + b_l l* and phi + b_phi, where l* is the distance before any
    error is applied. All readings of a sensor share them, whatever the landmark.

    Raises
    ------
    ConfigurationError
        A value is outside its limits.

    """

    # Lecture, section 4.3.2, which omits the formula; formula and values are LNPR's.
    range_fraction: float = quantity(0.1, 'm/m', 0.0, 1.0, "deviation of the ranges' part")
    bearing_std: float = quantity(math.pi / 90.0, 'rad', 0.0, 0.5, "deviation of the bearings'")

    def __post_init__(self) -> None:
        """Validate the standard deviations."""
        check_parameters(self)

    @classmethod
    def off(cls) -> Self:
        """Return an instance without bias."""
        return cls(range_fraction=0.0, bearing_std=0.0)

    def is_on(self) -> bool:
        """Return whether ranges or bearings are biased."""
        return self.range_fraction > 0.0 or self.bearing_std > 0.0

    def begin(self, robots: int, landmarks: int, draws: Draws) -> Array:
        """Draw the biases, shape (2, n): fraction of ranges, bearings [rad]."""
        del landmarks
        drawn = draws.normal('sensor bias', 0, range(2), robots)
        return np.ascontiguousarray(drawn.T) * [[self.range_fraction], [self.bearing_std]]

    def apply(self, detections: LandmarkDetections, memory: Array) -> None:
        """Add the biases."""
        detections.range += memory[0, detections.rows] * detections.distance
        detections.bearing += memory[1, detections.rows]
        detections.mark(ErrorCause.BIAS)


@dataclass(frozen=True, slots=True)
class PlaceBias:
    """
    A constant error of the positions (x, y) that one camera measures.

    With d measured from the point below the camera, an object at d is measured at d + b + A d.
    Both are drawn when a run begins: each component of b ~ N(0, `position_std`^2), each
    coefficient of the 2 by 2 matrix A ~ N(0, `position_fraction`^2). A models an inaccurate
    calibration of the camera.

    Raises
    ------
    ConfigurationError
        A value is outside its limits.

    """

    position_std: float = quantity(
        0.0, 'm', 0.0, 0.2, 'deviation of the constant offset along each axis'
    )
    position_fraction: float = quantity(
        0.0, 'm/m', 0.0, 0.05, 'deviation of each coefficient of the error linear in the position'
    )

    def __post_init__(self) -> None:
        """Validate the standard deviations."""
        check_parameters(self)

    @classmethod
    def off(cls) -> Self:
        """Return an instance without bias."""
        return cls(position_std=0.0, position_fraction=0.0)

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Clutter, i.e. false detections (the lecture's phantoms): by probability, rate or share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.errors import ConfigurationError
from world_model_core.parameters import check_parameters, quantity
from world_model_core.uncertainty.error_causes import ErrorCause
from world_model_core.uncertainty.landmark_detections import SensorErrorSource, locate

if TYPE_CHECKING:
    from typing import Self

    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.landmark_detections import LandmarkDetections, SensorPoses

__all__ = ['Clutter', 'ClutterRate', 'ClutterShare']


@dataclass(frozen=True, slots=True)
class Clutter(SensorErrorSource):
    """
    With a probability, a landmark is moved to a uniform position in a rectangle.

    Drawn once for each landmark and observation, also if the landmark is out of view, as in LNPR.
    A false position out of view gives no reading (lecture, section 4.3.3); one in view is measured
    like a true one, with all errors.

    Raises
    ------
    ConfigurationError
        A value is outside its limits, or the rectangle is empty.

    """

    # The rectangle is LNPR's; the lecture has no numbers.
    probability: float = quantity(
        0.0, '', 0.0, 1.0, 'probability of a false position, for each observation'
    )
    x_low: float = quantity(-5.0, 'm', -1e6, 1e6, 'lower limit of x, map frame')
    x_high: float = quantity(5.0, 'm', -1e6, 1e6, 'upper limit of x')
    y_low: float = quantity(-5.0, 'm', -1e6, 1e6, 'lower limit of y')
    y_high: float = quantity(5.0, 'm', -1e6, 1e6, 'upper limit of y')

    def __post_init__(self) -> None:
        """Validate the probability and the rectangle."""
        check_parameters(self)
        for axis, low, high in (('x', self.x_low, self.x_high), ('y', self.y_low, self.y_high)):
            if low >= high:
                raise ConfigurationError(
                    f'Clutter.{axis}_low is {low} m; it must be below {axis}_high, {high} m'
                )

    @classmethod
    def off(cls) -> Self:
        """Return an instance without clutter."""
        return cls(probability=0.0)

    def is_on(self) -> bool:
        """Return whether there is clutter."""
        return self.probability > 0.0

    def area(self) -> float:
        """Return the area of the rectangle [m^2]."""
        return (self.x_high - self.x_low) * (self.y_high - self.y_low)

    def apply(self, detections: LandmarkDetections, memory: Array) -> None:
        """Move some landmarks to false positions."""
        del memory
        drawn = detections.uniform('phantom')
        false = np.flatnonzero(drawn < self.probability)
        # Below the probability, the rescaled draw is uniform again.
        across = drawn[false] / self.probability
        along = detections.uniform('phantom/y')[false]
        x = self.x_low + (self.x_high - self.x_low) * across
        y = self.y_low + (self.y_high - self.y_low) * along
        ahead, aside = locate(_some(detections, false), x, y)
        detections.ahead[false], detections.aside[false] = ahead, aside
        detections.distance[false] = detections.range[false] = np.hypot(ahead, aside)
        detections.mark_where(drawn < self.probability, ErrorCause.CLUTTER)


def _some(detections: LandmarkDetections, chosen: NDArray[np.intp]) -> SensorPoses:
    """Return the sensor poses of some of the remaining robots."""
    rows = np.arange(len(detections.labels))[detections.rows][chosen]
    return detections.sensors.take(rows)


@dataclass(frozen=True, slots=True)
class ClutterRate:
    """
    False detections appear as a Poisson process in time.

    Raises
    ------
    ConfigurationError
        The rate is outside its limits.

    """

    rate: float = quantity(0.0, '1/s', 0.0, 100.0, 'false detections per second, for each sensor')

    def __post_init__(self) -> None:
        """Validate the rate."""
        check_parameters(self)

    @classmethod
    def off(cls) -> Self:
        """Return an instance without clutter."""
        return cls(rate=0.0)

    def expected(self, frequency: float) -> float:
        """Return the expected number of false detections in a frame at a frame rate [Hz]."""
        return self.rate / frequency


@dataclass(frozen=True, slots=True)
class ClutterShare:
    """
    A share of all detections is false; their number is Poisson distributed.

    Raises
    ------
    ConfigurationError
        The share is outside its limits.

    """

    share: float = quantity(0.02, '', 0.0, 0.9, 'fraction of detections that are false')

    def __post_init__(self) -> None:
        """Validate the share."""
        check_parameters(self)

    @classmethod
    def off(cls) -> Self:
        """Return an instance without clutter."""
        return cls(share=0.0)

    def expected(self, seen: float) -> float:
        """Return the expected number of false detections with a number of true ones."""
        return seen * self.share / (1.0 - self.share)

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What is seen where it is not: landmarks by probability, detections by rate or share."""

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
    With a probability, a landmark is taken to be somewhere else, anywhere in a rectangle.

    Tested once for each landmark and observation, also where the landmark itself is out of view,
    as in LNPR: the lecture has things seen that cannot be. What is out of view at its false place
    gives no reading (lecture, section 4.3.3). The false place is then measured as a true one
    would be, with noise and all.

    Raises
    ------
    ConfigurationError
        A value is outside its limits, or the rectangle is empty.

    """

    # The rectangle is LNPR's; the lecture says only that it is one where places are uniform.
    probability: float = quantity(0.0, '', 0.0, 1.0, 'of a false place, by observation')
    x_low: float = quantity(-5.0, 'm', -1e6, 1e6, "from this, in the map's frame")
    x_high: float = quantity(5.0, 'm', -1e6, 1e6, 'up to this')
    y_low: float = quantity(-5.0, 'm', -1e6, 1e6, 'from this')
    y_high: float = quantity(5.0, 'm', -1e6, 1e6, 'up to this')

    def __post_init__(self) -> None:
        """Refuse a rectangle that holds nothing."""
        check_parameters(self)
        for axis, low, high in (('x', self.x_low, self.x_high), ('y', self.y_low, self.y_high)):
            if low >= high:
                raise ConfigurationError(
                    f'Clutter.{axis}_low is {low} m; it must be below {axis}_high, {high} m'
                )

    @classmethod
    def off(cls) -> Self:
        """Give one without any."""
        return cls(probability=0.0)

    def is_on(self) -> bool:
        """Tell whether there are any."""
        return self.probability > 0.0

    def area(self) -> float:
        """Give the area of the rectangle [m^2]."""
        return (self.x_high - self.x_low) * (self.y_high - self.y_low)

    def apply(self, detections: LandmarkDetections, memory: Array) -> None:
        """Move some landmarks."""
        del memory
        luck = detections.uniform('phantom')
        false = np.flatnonzero(luck < self.probability)
        # Below the probability, what is left of the luck is uniform again.
        across = luck[false] / self.probability
        along = detections.uniform('phantom/y')[false]
        x = self.x_low + (self.x_high - self.x_low) * across
        y = self.y_low + (self.y_high - self.y_low) * along
        ahead, aside = locate(_some(detections, false), x, y)
        detections.ahead[false], detections.aside[false] = ahead, aside
        detections.distance[false] = detections.range[false] = np.hypot(ahead, aside)
        detections.mark_where(luck < self.probability, ErrorCause.CLUTTER)


def _some(detections: LandmarkDetections, chosen: NDArray[np.intp]) -> SensorPoses:
    """Take the sensors of some of the robots that are left."""
    rows = np.arange(len(detections.labels))[detections.rows][chosen]
    return detections.sensors.take(rows)


@dataclass(frozen=True, slots=True)
class ClutterRate:
    """
    Things that are not there appear as a Poisson process in time, whatever else is seen.

    Raises
    ------
    ConfigurationError
        The rate is outside its limits.

    """

    rate: float = quantity(0.0, '1/s', 0.0, 100.0, 'how many appear, by sensor')

    def __post_init__(self) -> None:
        """Refuse a rate that is none."""
        check_parameters(self)

    @classmethod
    def off(cls) -> Self:
        """Give one without any."""
        return cls(rate=0.0)

    def expected(self, frequency: float) -> float:
        """Tell how many appear in a frame, in the mean, at so many frames a second."""
        return self.rate / frequency


@dataclass(frozen=True, slots=True)
class ClutterShare:
    """
    Of all detections a share shows nothing: Poisson in number, more where more is seen.

    Raises
    ------
    ConfigurationError
        The share is outside its limits.

    """

    share: float = quantity(0.02, '', 0.0, 0.9, 'part of the detections that show nothing')

    def __post_init__(self) -> None:
        """Refuse a share that is none."""
        check_parameters(self)

    @classmethod
    def off(cls) -> Self:
        """Give one without any."""
        return cls(share=0.0)

    def expected(self, seen: float) -> float:
        """Tell how many come with so many detections of things, in the mean."""
        return seen * self.share / (1.0 - self.share)

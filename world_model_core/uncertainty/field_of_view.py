# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What a sensor can see: a sector of a ring."""

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
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.landmark_detections import LandmarkDetections

__all__ = ['PlanarFieldOfView']


# What is at the very side of the view is in it, though its cosine is rounded.
ROUNDING = 1e-15


@dataclass(frozen=True, slots=True)
class PlanarFieldOfView(SensorErrorSource):
    """
    Landmarks from `near` to `far`, and at most `half_angle` to either side, are in view.

    The limits belong to it. It is the truth that is tested, before bias and noise, so that
    readings may lie outside: so does LNPR, and the lecture says nothing else.

    Raises
    ------
    ConfigurationError
        A value is outside its limits, or nothing could be in view.

    """

    # The defaults are LNPR's.
    near: float = quantity(0.5, 'm', 0.0, 1e6, 'least distance')
    far: float = quantity(6.0, 'm', 1e-3, 1e6, 'greatest distance')
    half_angle: float = quantity(
        math.pi / 3.0, 'rad', 1e-6, math.pi, 'greatest angle off the heading'
    )

    def __post_init__(self) -> None:
        """Validate the limits."""
        check_parameters(self)
        if self.near >= self.far:
            raise ConfigurationError(
                f'PlanarFieldOfView.near is {self.near} m; it must be below {self.far} m'
            )

    def faces(self, ahead: Array, distances: Array) -> NDArray[np.bool_]:
        """Return which places so far ahead, and away [m], are not too far to a side."""
        # As good as an angle's test, without an arc tangent for those who see nothing.
        return ahead >= (math.cos(self.half_angle) - ROUNDING) * distances

    def apply(self, detections: LandmarkDetections, memory: Array) -> None:
        """Leave out what is not in view, and begin to measure the rest."""
        del memory
        kept = self.faces(detections.ahead, detections.distance)
        kept &= detections.range >= self.near
        kept &= detections.range <= self.far
        detections.keep(kept, ErrorCause.OUT_OF_VIEW)
        detections.bearing = np.arctan2(detections.aside, detections.ahead)
        detections.distance = detections.range.copy()

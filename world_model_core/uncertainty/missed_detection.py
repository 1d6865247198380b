# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Missed detections: landmarks in view without a reading (the lecture's oversight)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from world_model_core.parameters import check_parameters, quantity
from world_model_core.uncertainty.error_causes import ErrorCause
from world_model_core.uncertainty.landmark_detections import SensorErrorSource

if TYPE_CHECKING:
    from typing import Self

    import numpy as np
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.landmark_detections import LandmarkDetections

__all__ = ['MissedDetection']


@dataclass(frozen=True, slots=True)
class MissedDetection(SensorErrorSource):
    """
    With a probability, a landmark in view gives no reading (lecture, section 4.3.4).

    Raises
    ------
    ConfigurationError
        The probability is outside [0, 1].

    """

    # The lecture's figure, and LNPR.
    probability: float = quantity(
        0.1, '', 0.0, 1.0, 'fraction of detections in view that are missed'
    )

    def __post_init__(self) -> None:
        """Validate the probability."""
        check_parameters(self)

    @classmethod
    def off(cls) -> Self:
        """Return an instance without missed detections."""
        return cls(probability=0.0)

    def is_on(self) -> bool:
        """Return whether detections are missed."""
        return self.probability > 0.0

    def notices(self, uniform: Array) -> NDArray[np.bool_]:
        """Return which detections are not missed, given uniform draws from 0 to 1."""
        noticed: NDArray[np.bool_] = uniform >= self.probability
        return noticed

    def apply(self, detections: LandmarkDetections, memory: Array) -> None:
        """Drop the missed detections."""
        del memory
        detections.keep(self.notices(detections.uniform('oversight')), ErrorCause.MISSED_DETECTION)

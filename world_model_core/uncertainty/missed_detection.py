# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What is in view and not seen."""

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
    With a probability, what is in view gives no reading (lecture, section 4.3.4).

    Raises
    ------
    ConfigurationError
        The probability is outside [0, 1].

    """

    # The lecture's figure, and LNPR.
    probability: float = quantity(0.1, '', 0.0, 1.0, 'part of what is in view that is missed')

    def __post_init__(self) -> None:
        """Refuse a probability that is none."""
        check_parameters(self)

    @classmethod
    def off(cls) -> Self:
        """Give one that overlooks nothing."""
        return cls(probability=0.0)

    def is_on(self) -> bool:
        """Tell whether anything is overlooked."""
        return self.probability > 0.0

    def notices(self, luck: Array) -> NDArray[np.bool_]:
        """Tell what is not overlooked, by numbers from 0 to 1 that are drawn uniformly."""
        noticed: NDArray[np.bool_] = luck >= self.probability
        return noticed

    def apply(self, detections: LandmarkDetections, memory: Array) -> None:
        """Leave some out."""
        del memory
        detections.keep(self.notices(detections.uniform('oversight')), ErrorCause.MISSED_DETECTION)

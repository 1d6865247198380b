# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Landmarks that are in view and not seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from world_model_core.quantities import check_parameters, quantity
from world_model_core.uncertainty.labels import Cause
from world_model_core.uncertainty.sights import Source

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.sights import Sights


@dataclass(frozen=True, slots=True)
class Oversight(Source):
    """
    With a probability, what is in view gives no reading (lecture, section 4.3.4).

    Raises
    ------
    ConfigurationError
        The probability is outside [0, 1].

    """

    # The lecture's figure, and LNPR.
    probability: float = quantity(0.1, '', 0.0, 1.0, 'of what is in view, by observation')

    def __post_init__(self) -> None:
        """Refuse a probability that is none."""
        check_parameters(self)

    def is_on(self) -> bool:
        """Tell whether anything is overlooked."""
        return self.probability > 0.0

    def apply(self, sights: Sights, memory: Array) -> None:
        """Leave some out."""
        del memory
        sights.keep(sights.uniform('oversight') >= self.probability, Cause.OVERSIGHT)

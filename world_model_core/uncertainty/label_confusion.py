# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Label confusion: detections with a wrong label or color."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from world_model_core.parameters import check_parameters, quantity

if TYPE_CHECKING:
    from typing import Self

__all__ = ['LabelConfusion']


@dataclass(frozen=True, slots=True)
class LabelConfusion:
    """
    With a probability, independent for each detection, a label or color is wrong.

    The wrong value is uniform among all other values.

    Raises
    ------
    ConfigurationError
        A probability is outside [0, 1].

    """

    label_probability: float = quantity(0.05, '', 0.0, 1.0, 'probability of a wrong label')
    color_probability: float = quantity(0.05, '', 0.0, 1.0, 'probability of a wrong color')

    def __post_init__(self) -> None:
        """Validate the probability."""
        check_parameters(self)

    @classmethod
    def off(cls) -> Self:
        """Return an instance without confusion."""
        return cls(label_probability=0.0, color_probability=0.0)

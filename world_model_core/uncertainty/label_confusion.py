# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Label confusion: detections with a wrong label, color or number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from world_model_core.parameters import check_parameters, quantity

if TYPE_CHECKING:
    from typing import Self

__all__ = ['LabelConfusion', 'NumberConfusion']


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


@dataclass(frozen=True, slots=True)
class NumberConfusion:
    """
    With a probability, independent for each detection, the number of a robot is wrong.

    The wrong number is uniform among all other numbers of the team, also those of no robot.

    Raises
    ------
    ConfigurationError
        The probability is outside [0, 1].

    """

    number_probability: float = quantity(0.0, '', 0.0, 1.0, 'probability of a wrong number')

    def __post_init__(self) -> None:
        """Validate the probability."""
        check_parameters(self)

    @classmethod
    def off(cls) -> Self:
        """Return an instance without confusion."""
        return cls(number_probability=0.0)

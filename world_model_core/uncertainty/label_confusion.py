# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Things taken for others."""

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
    With a probability, and anew in each detection, a thing has another's label, or colour.

    The other is any of those that there are, each as likely.

    Raises
    ------
    ConfigurationError
        A probability is outside [0, 1].

    """

    label_probability: float = quantity(
        0.05, '', 0.0, 1.0, "part of the labels that are another's"
    )
    color_probability: float = quantity(0.05, '', 0.0, 1.0, 'part of the colours that are another')

    def __post_init__(self) -> None:
        """Refuse a probability that is none."""
        check_parameters(self)

    @classmethod
    def off(cls) -> Self:
        """Give one that confuses nothing."""
        return cls(label_probability=0.0, color_probability=0.0)

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Limits of the models that are given to MuJoCo."""

from __future__ import annotations

from dataclasses import dataclass

from world_model_core.parameters import check_parameters, quantity

__all__ = ['ModelLimits']


@dataclass(frozen=True, slots=True)
class ModelLimits:
    """
    Limits of a world; each field's metadata has unit, limits and meaning.

    Raises
    ------
    ConfigurationError
        If a value is outside its limits.

    """

    bodies: int = quantity(10_000, '', 1, 1_000_000, 'greatest number of bodies in a world')
    triangles: int = quantity(
        2_000_000, '', 1, 100_000_000, 'greatest number of triangles in a world'
    )
    # MuJoCo refuses more in a file.
    shape_triangles: int = quantity(
        200_000, '', 1, 200_000, 'greatest number of triangles in a shape'
    )
    memory: int = quantity(
        2**30, 'byte', 1, 2**40, 'greatest memory that a model may ask for its contacts'
    )

    def __post_init__(self) -> None:
        """Reject values outside their limits."""
        check_parameters(self)

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Vectors and rotations in the units and axes of SIGVerse's files, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from world_model_core.virtual_world.shapes.file_axes import point_from_file, point_to_file

if TYPE_CHECKING:
    from collections.abc import Iterable

    from world_model_core.virtual_world.values import Vector

__all__ = ['OriginalUnits']


class OriginalUnits(NamedTuple):
    """
    Units of a world file: x to the left, y up, z forward, any unit of length, kg, s and rad.

    A quantity has a dimension of length: 1 of positions, velocities and forces (kg cm/s^2), 2 of
    torques (kg cm^2/s^2), 0 of directions and angular velocities.

    Attributes
    ----------
    length : float
        [m]

    """

    length: float

    def to_si(self, vector: Iterable[float], dimension: int = 1) -> Vector:
        """Convert a vector to SI units and the axes of this package."""
        return point_from_file(vector, self.length**dimension)

    def from_si(self, vector: Iterable[float], dimension: int = 1) -> Vector:
        """Convert a vector to the units and axes of the file."""
        return point_to_file(vector, self.length**dimension)

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Moments of inertia of files, which are often placeholders or impossible."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.virtual_world.values import Box, Cylinder, ShapeUse, Sphere

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.gaussian import Array
    from world_model_core.virtual_world.values import Geometry, Shape, Vector

__all__ = ['is_plausible', 'possible_inertia', 'reach_of']

# Rounding of the numbers in files, relative to the largest moment.
ROUNDING = 1e-6
# The least moment that a repair leaves, relative to the largest.
LEAST = 1e-3
# Radius of gyration of a part, relative to the largest distance of its shapes from the center of
# mass: a hollow sphere has 0.8, a solid one 0.63, a thin rod 0.58.
SMALLEST_GYRATION, LARGEST_GYRATION = 0.05, 1.0


def possible_inertia(matrix: Array) -> Array | None:
    """
    Return the nearest moments of inertia that a body can have.

    They are symmetric and positive, and none of the principal moments is larger than the sum of
    the other two (Goldstein, Classical Mechanics, 2001, section 5.4).

    Parameters
    ----------
    matrix : array, shape (3, 3)
        [kg m^2]

    Returns
    -------
    array or None
        The matrix itself, up to rounding, if it is possible; None if no moment is positive.

    """
    if not np.isfinite(matrix).all():
        return None
    symmetric = 0.5 * (matrix + matrix.T)
    moments, axes = np.linalg.eigh(symmetric)
    largest = float(moments[2])
    if largest <= ROUNDING * float(np.abs(moments).max()):
        return None
    possible = np.maximum(moments, LEAST * largest)
    possible[2] = min(possible[2], possible[0] + possible[1])
    if (np.abs(possible - moments) <= ROUNDING * largest).all():
        return symmetric
    repaired: Array = (axes * possible) @ axes.T
    return repaired


def is_plausible(matrix: Array, mass: float, reach: float) -> bool:
    """
    Return whether moments of inertia fit the size of a part.

    Exporters write placeholders such as the unit matrix, in any unit.

    Parameters
    ----------
    matrix : array, shape (3, 3)
        [kg m^2]
    mass : float
        [kg]
    reach : float
        Largest distance of its shapes from its center of mass [m].

    """
    gyration = float(np.sqrt(np.linalg.eigvalsh(matrix)[2] / mass))
    return SMALLEST_GYRATION * reach <= gyration <= LARGEST_GYRATION * reach


def reach_of(shapes: Sequence[Shape], center: Vector) -> float:
    """Return the largest distance of what collides from a point [m]; meshes do not count."""
    distances = (
        math.dist(each.pose.position, center) + _radius(each.geometry)
        for each in shapes
        if each.use is not ShapeUse.VISUAL
    )
    return max(distances, default=0.0)


def _radius(geometry: Geometry) -> float:
    """Return the radius of the sphere around a simple shape."""
    if isinstance(geometry, Box):
        return 0.5 * math.hypot(*geometry.size)
    if isinstance(geometry, Cylinder):
        return math.hypot(geometry.radius, 0.5 * geometry.length)
    return geometry.radius if isinstance(geometry, Sphere) else 0.0

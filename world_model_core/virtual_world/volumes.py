# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Volumes in the frame `world`, and whether a box overlaps them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from scipy.optimize import linprog

from world_model_core.errors import WorldModelError

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.virtual_world.values import Vector

__all__ = ['BoxVolume', 'HullVolume', 'SphereVolume', 'Volume', 'VolumeError', 'overlaps']

# A hull has at most so many points: the test of an overlap takes longer with each.
MOST_POINTS = 1000


class VolumeError(WorldModelError):
    """The numbers of a volume are invalid."""


@dataclass(frozen=True, slots=True)
class BoxVolume:
    """Box along the axes of `world`: two opposite corners, in any order [m]."""

    first: Vector
    second: Vector

    def __post_init__(self) -> None:
        """Check the corners."""
        _check_finite(self.first, self.second)


@dataclass(frozen=True, slots=True)
class SphereVolume:
    """Sphere: center and radius [m]."""

    center: Vector
    radius: float

    def __post_init__(self) -> None:
        """Check center and radius."""
        _check_finite(self.center)
        if not 0.0 <= self.radius < np.inf:
            raise VolumeError(f'radius is {self.radius} m; it must be finite and not negative')


@dataclass(frozen=True, slots=True)
class HullVolume:
    """Convex hull of at least 3 points [m]."""

    points: tuple[Vector, ...]

    def __post_init__(self) -> None:
        """Check the points."""
        if not 3 <= len(self.points) <= MOST_POINTS:
            raise VolumeError(
                f'a hull has {len(self.points)} points; it must have 3 to {MOST_POINTS}'
            )
        _check_finite(*self.points)


Volume: TypeAlias = BoxVolume | SphereVolume | HullVolume


def overlaps(volume: Volume, box: tuple[Vector, Vector]) -> bool:
    """
    Return whether a box along the axes of `world` overlaps or touches a volume.

    Parameters
    ----------
    volume : Volume
    box : tuple
        Lower and upper corner [m].

    """
    lower, upper = (np.array(corner) for corner in box)
    if isinstance(volume, SphereVolume):
        center = np.array(volume.center)
        nearest = np.clip(center, lower, upper)
        return bool(np.linalg.norm(nearest - center) <= volume.radius)
    if isinstance(volume, BoxVolume):
        corners = np.array((volume.first, volume.second))
        return bool((corners.min(axis=0) <= upper).all() and (lower <= corners.max(axis=0)).all())
    return _meets_hull(np.array(volume.points), lower, upper)


def _meets_hull(points: Array, lower: Array, upper: Array) -> bool:
    """Return whether any convex combination of the points is within the box."""
    count = len(points)
    found = linprog(
        np.zeros(count),
        A_ub=np.vstack((points.T, -points.T)),
        b_ub=np.concatenate((upper, -lower)),
        A_eq=np.ones((1, count)),
        b_eq=np.ones(1),
        bounds=(0.0, None),
    )
    return bool(found.status == 0)


def _check_finite(*points: Vector) -> None:
    for point in points:
        if not np.isfinite(point).all():
            raise VolumeError(f'point is {point}; all three must be finite')

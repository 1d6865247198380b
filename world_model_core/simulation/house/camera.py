# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Simulated camera of a house: field of view, occlusion and range scan."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.simulation.house.occlusion import Occluders

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.frames import Transform
    from world_model_core.gaussian import Array
    from world_model_core.simulation.house.parameters import HouseParameters
    from world_model_core.simulation.house.values import SimulatedHouse

__all__ = ['HouseCamera']


class HouseCamera:
    """
    Camera that can detect items in range, within its angles of view and not occluded.

    A direction is in view if its azimuth and its elevation are within the angles of view, as in an
    equirectangular image.

    Parameters
    ----------
    house : SimulatedHouse
    parameters : HouseParameters
    random : Generator
        Source of the scan noise.

    """

    def __init__(
        self, house: SimulatedHouse, parameters: HouseParameters, random: np.random.Generator
    ) -> None:
        self._house, self._parameters, self._random = house, parameters, random
        self._occluders = Occluders(house)
        self._positions = np.array([item.position for item in house.items])
        self._rays = _rays(parameters)

    def detectable(self, pose: Transform) -> NDArray[np.intp]:
        """Return the indices of the items visible from a pose of the sensor in the map."""
        wanted = self._parameters
        local = (self._positions - pose.translation) @ pose.rotation
        inside = np.flatnonzero(self._is_in_view(local))
        if not len(inside):
            return inside
        items = [self._house.items[number] for number in inside]
        fractions = self._occluders.visible(pose.translation, items, inside, wanted.far)
        return inside[fractions >= max(wanted.least_visible, 1e-9)]

    def scan(self, pose: Transform) -> Array:
        """
        Measure the surrounding surfaces, as a depth camera or a lidar does.

        Returns
        -------
        array, shape (n, 3)
            Points in the sensor's frame [m].

        """
        wanted = self._parameters
        directions = self._rays @ pose.rotation.T
        ranges = self._occluders.ranges(pose.translation, directions, wanted.far)
        hit = np.isfinite(ranges)
        noise = self._random.normal(size=int(hit.sum()))
        noisy = ranges[hit] + wanted.scan_noise.deviation(ranges[hit]) * noise
        return self._rays[hit] * np.maximum(noisy, 0.0)[:, None]

    def _is_in_view(self, local: Array) -> NDArray[np.bool_]:
        """Return which points (n, 3) in the sensor's frame are within the angles and the range."""
        wanted = self._parameters
        x, y, z = local.T
        distance = np.linalg.norm(local, axis=1)
        inside: NDArray[np.bool_] = (
            (np.abs(np.arctan2(y, x)) <= wanted.horizontal / 2.0)
            & (np.abs(np.arctan2(z, np.hypot(x, y))) <= wanted.vertical / 2.0)
            & (distance >= wanted.near)
            & (distance <= wanted.far)
        )
        return inside


def _rays(parameters: HouseParameters) -> Array:
    """Return unit vectors, shape (n, 3), evenly spaced in azimuth and elevation over the view."""
    azimuths = _steps(parameters.horizontal, parameters.scan_step)
    elevations = _steps(parameters.vertical, parameters.scan_step)
    azimuth, elevation = (grid.ravel() for grid in np.meshgrid(azimuths, elevations))
    flat = np.cos(elevation)
    return np.stack((flat * np.cos(azimuth), flat * np.sin(azimuth), np.sin(elevation)), axis=-1)


def _steps(angle: float, step: float) -> Array:
    """Divide an angle of view into equal parts and return their centers [rad]."""
    count = max(math.ceil(angle / step), 1)
    return (np.arange(count) + 0.5) * angle / count - angle / 2.0

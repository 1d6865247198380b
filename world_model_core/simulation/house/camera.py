# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A camera in a house, its detector and its scan, in the frame of the sensor."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.objects.values import Detections
from world_model_core.simulation.house.catalogue import COLORS
from world_model_core.simulation.house.detector import FALSE
from world_model_core.simulation.house.solids import Solids

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.frames import Transform
    from world_model_core.gaussian import Array
    from world_model_core.simulation.house.parameters import HouseParameters
    from world_model_core.simulation.house.values import House

# What a detector says of itself where there is a thing, and where there is none.
SCORES, FALSE_SCORES = (0.6, 1.0), (0.3, 0.7)
# Edges of what is seen where nothing is [m].
FALSE_SIZE = (0.1, 0.8)


class Camera:
    """
    Sees things that are near enough, in its angles of view and not hidden.

    A direction is in view when its azimuth and its elevation are, as in an equirectangular image.

    Parameters
    ----------
    house : House
    parameters : HouseParameters
    random : Generator
        What all errors are drawn from.

    """

    def __init__(
        self, house: House, parameters: HouseParameters, random: np.random.Generator
    ) -> None:
        self._house, self._parameters, self._random = house, parameters, random
        self._solids = Solids(house)
        self._positions = np.array([item.position for item in house.items])
        self._sizes = np.array([item.size for item in house.items])
        self._headings = np.array([item.heading for item in house.items])
        self._classes, self._own = np.unique(
            [item.label for item in house.items], return_inverse=True
        )
        self._colors = np.array(list(COLORS))
        self._own_colors = np.array([list(COLORS).index(item.color) for item in house.items])
        self._rays = _rays(parameters)

    def in_sight(self, pose: Transform) -> NDArray[np.intp]:
        """Find the items that can be detected from a pose of the sensor in the map."""
        wanted = self._parameters
        seen = (self._positions - pose.translation) @ pose.rotation
        inside = np.flatnonzero(self._is_in_view(seen))
        if not len(inside):
            return inside
        items = [self._house.items[number] for number in inside]
        parts = self._solids.visible(pose.translation, items, inside, wanted.far)
        return inside[parts >= max(wanted.least_visible, 1e-9)]

    def scan(self, pose: Transform) -> Array:
        """Measure the surfaces around, shape (n, 3) [m], as a depth camera or a laser does."""
        wanted = self._parameters
        directions = self._rays @ pose.rotation.T
        ranges = self._solids.ranges(pose.translation, directions, wanted.far)
        hit = np.isfinite(ranges)
        noise = self._random.normal(size=int(hit.sum()))
        noisy = ranges[hit] + wanted.scan_noise.deviation(ranges[hit]) * noise
        return self._rays[hit] * np.maximum(noisy, 0.0)[:, None]

    def detect(
        self, stamp_ns: int, pose: Transform, scan: Array
    ) -> tuple[Detections, NDArray[np.intp]]:
        """Detect things, and what is none, and tell which items they are, as `FALSE` is none."""
        random, wanted = self._random, self._parameters
        seen = self.in_sight(pose)
        # The luck drawn is that of being seen.
        seen = seen[wanted.missed_detection.notices(1.0 - random.random(len(seen)))]
        false = random.poisson(wanted.clutter.expected(len(seen)))
        if not len(scan):
            false = 0
        sources = np.concatenate((seen, np.full(false, FALSE)))
        random.shuffle(sources)
        places = np.zeros((len(sources), 3))
        real = sources != FALSE
        places[real] = (self._positions[sources[real]] - pose.translation) @ pose.rotation
        # Somewhere between the camera and a surface.
        ends = scan[random.integers(max(len(scan), 1), size=false)] if false else np.zeros((0, 3))
        places[~real] = ends * random.uniform(0.3, 1.0, (false, 1))
        covariances = self._covariances(places)
        noise = random.normal(size=places.shape)
        places = places + np.einsum('nij,nj->ni', np.linalg.cholesky(covariances), noise)
        return self._report(stamp_ns, pose, sources, places, covariances), sources

    def _is_in_view(self, seen: Array) -> NDArray[np.bool_]:
        """Tell which points (n, 3) in the sensor's frame are within the angles and distances."""
        wanted = self._parameters
        x, y, z = seen.T
        distance = np.linalg.norm(seen, axis=1)
        inside: NDArray[np.bool_] = (
            (np.abs(np.arctan2(y, x)) <= wanted.horizontal / 2.0)
            & (np.abs(np.arctan2(z, np.hypot(x, y))) <= wanted.vertical / 2.0)
            & (distance >= wanted.near)
            & (distance <= wanted.far)
        )
        return inside

    def _covariances(self, places: Array) -> Array:
        """Give the covariances of places (n, 3) in the sensor's frame, along and across rays."""
        wanted = self._parameters
        distance = np.linalg.norm(places, axis=1)[:, None, None]
        rays = places / np.maximum(distance[:, 0], 1e-9)
        along = rays[:, :, None] * rays[:, None, :]
        ahead, aside = wanted.noise.deviation(distance), wanted.noise.bearing_std * distance
        spread = ahead**2 * along + aside**2 * (np.eye(3) - along)
        least = wanted.box_noise.position_std
        return np.asarray(spread + least**2 * np.eye(3), dtype=np.float64)

    def _report(
        self,
        stamp_ns: int,
        pose: Transform,
        sources: NDArray[np.intp],
        places: Array,
        covariances: Array,
    ) -> Detections:
        """Say what was detected; where there is nothing, labels, colours and sizes are any."""
        random, wanted, count = self._random, self._parameters, len(sources)
        real = sources != FALSE
        labels = random.integers(len(self._classes), size=count)
        label_confusion, kinds = wanted.label_confusion, len(self._classes)
        labels[real] = self._confuse(
            self._own[sources[real]], kinds, label_confusion.label_probability
        )
        colors = random.integers(len(self._colors), size=count)
        true_colors, kinds = self._own_colors[sources[real]], len(self._colors)
        colors[real] = self._confuse(true_colors, kinds, label_confusion.color_probability)
        sizes = random.uniform(*FALSE_SIZE, (count, 3))
        sizes[real] = self._sizes[sources[real]]
        sizes *= np.exp(random.normal(0.0, wanted.box_noise.size_std, sizes.shape))
        headings = random.uniform(-math.pi, math.pi, count)
        turned = math.atan2(pose.rotation[1, 0], pose.rotation[0, 0])
        noise = random.normal(0.0, wanted.box_noise.heading_std, int(real.sum()))
        headings[real] = self._headings[sources[real]] - turned + noise
        scores = np.where(
            real, random.uniform(*SCORES, count), random.uniform(*FALSE_SCORES, count)
        )
        return Detections(
            stamp_ns=stamp_ns,
            labels=tuple(self._classes[labels].tolist()),
            positions=places,
            covariances=covariances,
            scores=scores,
            colors=tuple(self._colors[colors].tolist()),
            sizes=sizes,
            headings=np.remainder(headings + math.pi, 2.0 * math.pi) - math.pi,
        )

    def _confuse(self, own: NDArray[np.intp], kinds: int, share: float) -> NDArray[np.intp]:
        """Take some for another kind, any of them: a step of 1 to n - 1 leads there."""
        wrong = self._random.random(len(own)) < share
        steps = self._random.integers(1, max(kinds, 2), len(own))
        confused: NDArray[np.intp] = np.where(wrong, (own + steps) % kinds, own)
        return confused


def _rays(parameters: HouseParameters) -> Array:
    """Spread rays over the view, evenly in azimuth and elevation: unit vectors, shape (n, 3)."""
    azimuths = _steps(parameters.horizontal, parameters.scan_step)
    elevations = _steps(parameters.vertical, parameters.scan_step)
    azimuth, elevation = (grid.ravel() for grid in np.meshgrid(azimuths, elevations))
    flat = np.cos(elevation)
    return np.stack((flat * np.cos(azimuth), flat * np.sin(azimuth), np.sin(elevation)), axis=-1)


def _steps(angle: float, step: float) -> Array:
    """Cut an angle of view into equal parts and give their middles [rad]."""
    count = max(math.ceil(angle / step), 1)
    return (np.arange(count) + 0.5) * angle / count - angle / 2.0

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Simulated object detector of a house: missed detections, clutter, label confusion and noise."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.objects.values import Detections
from world_model_core.simulation.house.furniture_kinds import COLORS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.frames import Transform
    from world_model_core.gaussian import Array
    from world_model_core.simulation.house.camera import HouseCamera
    from world_model_core.simulation.house.parameters import HouseParameters
    from world_model_core.simulation.house.values import SimulatedHouse

__all__ = ['CLUTTER', 'HouseDetector']

# Source index of a false detection.
CLUTTER = -1
# Ranges of the confidence that the detector reports for true and for false detections.
SCORES, CLUTTER_SCORES = (0.6, 1.0), (0.3, 0.7)
# Range of the edge lengths of false detections [m].
CLUTTER_SIZE = (0.1, 0.8)


class HouseDetector:
    """
    Detector that reports the items in a camera's view with errors.

    Parameters
    ----------
    house : SimulatedHouse
    camera : HouseCamera
    parameters : HouseParameters
    random : Generator
        Source of all errors.

    """

    def __init__(
        self,
        house: SimulatedHouse,
        camera: HouseCamera,
        parameters: HouseParameters,
        random: np.random.Generator,
    ) -> None:
        self._camera, self._parameters, self._random = camera, parameters, random
        self._positions = np.array([item.position for item in house.items])
        self._sizes = np.array([item.size for item in house.items])
        self._headings = np.array([item.heading for item in house.items])
        self._classes, self._own = np.unique(
            [item.label for item in house.items], return_inverse=True
        )
        self._colors = np.array(list(COLORS))
        self._own_colors = np.array([list(COLORS).index(item.color) for item in house.items])

    def detect(
        self, stamp_ns: int, pose: Transform, scan: Array
    ) -> tuple[Detections, NDArray[np.intp]]:
        """
        Detect the visible items from a pose of the sensor in the map.

        Parameters
        ----------
        stamp_ns : int
        pose : Transform
        scan : array, shape (m, 3)
            Surface points in the sensor's frame [m]; clutter lies between the sensor and these.

        Returns
        -------
        detections : Detections
            In the sensor's frame.
        sources : array of int, shape (n,)
            Index of the item that each detection shows, `CLUTTER` for false detections.

        """
        random, wanted = self._random, self._parameters
        detected = self._camera.detectable(pose)
        # One minus the draw, so that a low draw stands for a missed detection.
        detected = detected[wanted.missed_detection.notices(1.0 - random.random(len(detected)))]
        false = random.poisson(wanted.clutter.expected(len(detected)))
        if not len(scan):
            false = 0
        sources = np.concatenate((detected, np.full(false, CLUTTER)))
        random.shuffle(sources)
        places = np.zeros((len(sources), 3))
        real = sources != CLUTTER
        places[real] = (self._positions[sources[real]] - pose.translation) @ pose.rotation
        # Clutter lies between the camera and a surface.
        ends = scan[random.integers(max(len(scan), 1), size=false)] if false else np.zeros((0, 3))
        places[~real] = ends * random.uniform(0.3, 1.0, (false, 1))
        covariances = self._covariances(places)
        noise = random.normal(size=places.shape)
        places = places + np.einsum('nij,nj->ni', np.linalg.cholesky(covariances), noise)
        return self._report(stamp_ns, pose, sources, places, covariances), sources

    def _covariances(self, places: Array) -> Array:
        """Return the covariances of positions (n, 3) in the sensor's frame, shape (n, 3, 3)."""
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
        """Add labels, colors, sizes, headings and scores; those of clutter are random."""
        random, wanted, count = self._random, self._parameters, len(sources)
        real = sources != CLUTTER
        labels = random.integers(len(self._classes), size=count)
        label_confusion, kinds = wanted.label_confusion, len(self._classes)
        labels[real] = self._confuse(
            self._own[sources[real]], kinds, label_confusion.label_probability
        )
        colors = random.integers(len(self._colors), size=count)
        true_colors, kinds = self._own_colors[sources[real]], len(self._colors)
        colors[real] = self._confuse(true_colors, kinds, label_confusion.color_probability)
        sizes = random.uniform(*CLUTTER_SIZE, (count, 3))
        sizes[real] = self._sizes[sources[real]]
        sizes *= np.exp(random.normal(0.0, wanted.box_noise.size_std, sizes.shape))
        headings = random.uniform(-math.pi, math.pi, count)
        turned = math.atan2(pose.rotation[1, 0], pose.rotation[0, 0])
        noise = random.normal(0.0, wanted.box_noise.heading_std, int(real.sum()))
        headings[real] = self._headings[sources[real]] - turned + noise
        scores = np.where(
            real, random.uniform(*SCORES, count), random.uniform(*CLUTTER_SCORES, count)
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
        """Replace a share of the numbers by any other: a step of 1 to n - 1 leads to each."""
        wrong = self._random.random(len(own)) < share
        steps = self._random.integers(1, max(kinds, 2), len(own))
        confused: NDArray[np.intp] = np.where(wrong, (own + steps) % kinds, own)
        return confused

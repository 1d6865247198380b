# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Simulated detector of objects: missed detections, clutter, label confusion and noise."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from world_model_core.objects.values import Detections
from world_model_core.parameters import check_parameters, group
from world_model_core.simulation.house.furniture_kinds import COLORS
from world_model_core.uncertainty.clutter import ClutterShare
from world_model_core.uncertainty.label_confusion import LabelConfusion
from world_model_core.uncertainty.missed_detection import MissedDetection
from world_model_core.uncertainty.sensor_noise import BoxNoise, RangeBearingNoise

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.frames import Transform
    from world_model_core.gaussian import Array

    Indices: TypeAlias = NDArray[np.intp]

__all__ = ['CLUTTER', 'DetectableObjects', 'DetectorParameters', 'ObjectDetector']

# Source index of a false detection.
CLUTTER = -1
# Ranges of the confidence that the detector reports for true and for false detections.
SCORES, CLUTTER_SCORES = (0.6, 1.0), (0.3, 0.7)
# Range of the edge lengths of false detections [m].
CLUTTER_SIZE = (0.1, 0.8)


@dataclass(frozen=True, slots=True)
class DetectorParameters:
    """
    Errors of a detector of objects.

    Raises
    ------
    ConfigurationError
        A value is outside its limits.

    """

    # As a depth camera; the bearing is that of a box's center in an image, not of a pixel.
    noise: RangeBearingNoise = group(
        RangeBearingNoise(range_fraction=0.02, bearing_std=0.01), 'centers of objects'
    )
    box_noise: BoxNoise = group(BoxNoise(), 'objects at any distance')
    missed_detection: MissedDetection = group(MissedDetection(probability=0.3), 'objects')
    clutter: ClutterShare = group(ClutterShare(), 'false detections')
    label_confusion: LabelConfusion = group(LabelConfusion(), 'objects')

    def __post_init__(self) -> None:
        """Check all values."""
        check_parameters(self)


@dataclass(frozen=True, slots=True, eq=False)
class DetectableObjects:
    """
    True properties of n objects, in the map's frame.

    Attributes
    ----------
    labels : tuple of str, length n
    positions : array, shape (n, 3)
        Centers [m].
    sizes : array, shape (n, 3)
        Along their own axes [m].
    headings : array, shape (n,)
        Rotations of their x axes about z [rad].
    colors : tuple of str, length n
        Keys of `COLORS`.

    """

    labels: tuple[str, ...]
    positions: Array
    sizes: Array
    headings: Array
    colors: tuple[str, ...]


class ObjectDetector:
    """
    Detector that reports visible objects with errors.

    Parameters
    ----------
    objects : DetectableObjects
        All that there are; a wrong label is one of theirs.
    parameters : DetectorParameters

    """

    def __init__(self, objects: DetectableObjects, parameters: DetectorParameters) -> None:
        self._objects, self._parameters = objects, parameters
        self._classes, self._own = np.unique(objects.labels, return_inverse=True)
        self._colors = np.array(list(COLORS))
        self._own_colors = np.array(
            [list(COLORS).index(color) for color in objects.colors], dtype=np.intp
        )

    def detect(
        self,
        stamp_ns: int,
        pose: Transform,
        visible: Indices,
        surfaces: Array,
        random: np.random.Generator,
    ) -> tuple[Detections, Indices]:
        """
        Detect objects from a pose of the sensor in the map.

        Parameters
        ----------
        stamp_ns : int
        pose : Transform
        visible : array of int, shape (k,)
            Indices of the objects that the sensor sees.
        surfaces : array, shape (m, 3)
            Points of surfaces in the sensor's frame [m]; clutter lies between the sensor and
            these, and there is none without them.
        random : Generator
            Source of all errors.

        Returns
        -------
        detections : Detections
            In the sensor's frame.
        sources : array of int, shape (n,)
            Index of the object that each detection shows, `CLUTTER` for false detections.

        """
        wanted = self._parameters
        # One minus the draw, so that a low draw stands for a missed detection.
        noticed = wanted.missed_detection.notices(1.0 - random.random(len(visible)))
        detected = visible[noticed]
        false = random.poisson(wanted.clutter.expected(len(detected)))
        if not len(surfaces):
            false = 0
        sources = np.concatenate((detected, np.full(false, CLUTTER)))
        random.shuffle(sources)
        places = np.zeros((len(sources), 3))
        real = sources != CLUTTER
        positions = self._objects.positions[sources[real]]
        places[real] = (positions - pose.translation) @ pose.rotation
        # Clutter lies between the camera and a surface.
        ends = np.zeros((0, 3))
        if false:
            ends = surfaces[random.integers(len(surfaces), size=false)]
        places[~real] = ends * random.uniform(0.3, 1.0, (false, 1))
        covariances = self._covariances(places)
        noise = random.normal(size=places.shape)
        places = places + np.einsum('nij,nj->ni', np.linalg.cholesky(covariances), noise)
        found = self._report(stamp_ns, pose, sources, places, covariances, random=random)
        return found, sources

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
        sources: Indices,
        places: Array,
        covariances: Array,
        *,
        random: np.random.Generator,
    ) -> Detections:
        """Add labels, colors, sizes, headings and scores; those of clutter are random."""
        wanted, count = self._parameters, len(sources)
        real = sources != CLUTTER
        labels = random.integers(len(self._classes), size=count)
        label_confusion, kinds = wanted.label_confusion, len(self._classes)
        labels[real] = _confuse(
            self._own[sources[real]], kinds, label_confusion.label_probability, random
        )
        colors = random.integers(len(self._colors), size=count)
        true_colors, kinds = self._own_colors[sources[real]], len(self._colors)
        colors[real] = _confuse(true_colors, kinds, label_confusion.color_probability, random)
        sizes = random.uniform(*CLUTTER_SIZE, (count, 3))
        sizes[real] = self._objects.sizes[sources[real]]
        sizes *= np.exp(random.normal(0.0, wanted.box_noise.size_std, sizes.shape))
        headings = random.uniform(-math.pi, math.pi, count)
        turned = math.atan2(pose.rotation[1, 0], pose.rotation[0, 0])
        noise = random.normal(0.0, wanted.box_noise.heading_std, int(real.sum()))
        headings[real] = self._objects.headings[sources[real]] - turned + noise
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


def _confuse(own: Indices, kinds: int, share: float, random: np.random.Generator) -> Indices:
    """Replace a share of the numbers by any other: a step of 1 to n - 1 leads to each."""
    wrong = random.random(len(own)) < share
    steps = random.integers(1, max(kinds, 2), len(own))
    confused: Indices = np.where(wrong, (own + steps) % kinds, own)
    return confused

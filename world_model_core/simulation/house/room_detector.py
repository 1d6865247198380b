# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Simulated detector that observes a whole room at once, for evaluations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.objects.values import UNKNOWN, Detections
from world_model_core.parameters import group
from world_model_core.simulation.object_detector import CLUTTER
from world_model_core.uncertainty.clutter import ClutterShare
from world_model_core.uncertainty.label_confusion import LabelConfusion
from world_model_core.uncertainty.missed_detection import MissedDetection

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.objects.values import MapObject
    from world_model_core.simulation.house.values import AxisAlignedBox


class SimulatedFrame(NamedTuple):
    """A frame, and the index of the object that each detection shows: `CLUTTER` for none."""

    detections: Detections
    sources: NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class RoomDetector:
    """
    Detector with missed detections, clutter, label confusion and position noise.

    Attributes
    ----------
    sigma : float
        Standard deviation of positions along each axis [m], which the covariances contain.
    missed_detection : MissedDetection
        Rate of objects that a frame does not detect.
    clutter : ClutterShare
        Rate of false detections: anywhere in the room, with any of its labels.
    label_confusion : LabelConfusion
        Rate of detections with the label of another class of the room.
    period_ns : int
        Time between frames [ns].

    """

    sigma: float = 0.05
    missed_detection: MissedDetection = group(MissedDetection(probability=0.5))
    clutter: ClutterShare = group(ClutterShare())
    label_confusion: LabelConfusion = group(LabelConfusion())
    period_ns: int = 200_000_000

    def watch(
        self,
        objects: Sequence[MapObject],
        bounds: AxisAlignedBox,
        frames: int,
        random: np.random.Generator,
    ) -> Iterator[SimulatedFrame]:
        """
        Observe objects, frame by frame, without occlusion.

        Colors, sizes and headings are unknown and all scores are equal, so that only positions and
        labels distinguish objects.
        """
        positions = np.array([each.position for each in objects])
        labels = np.array([each.label for each in objects])
        for number in range(frames):
            sources = self._choose(len(objects), random)
            detected = sources != CLUTTER
            places = random.uniform(bounds.low, bounds.high, (len(sources), 3))
            noise = random.normal(0.0, self.sigma, (int(detected.sum()), 3))
            places[detected] = positions[sources[detected]] + noise
            words = self._name(labels, sources, random)
            yield SimulatedFrame(self._report(number * self.period_ns, words, places), sources)

    def _choose(self, count: int, random: np.random.Generator) -> NDArray[np.intp]:
        """Draw detected objects and clutter, in random order."""
        # One minus the draw, so that a low draw stands for a missed detection.
        detected = np.flatnonzero(self.missed_detection.notices(1.0 - random.random(count)))
        expected = count * (1.0 - self.missed_detection.probability)
        made_up = random.poisson(self.clutter.expected(expected))
        sources = np.concatenate((detected, np.full(made_up, CLUTTER)))
        return random.permutation(sources)

    def _name(
        self, labels: NDArray[np.str_], sources: NDArray[np.intp], random: np.random.Generator
    ) -> tuple[str, ...]:
        """Draw the labels, some of them wrong."""
        classes = np.unique(labels)
        own = np.searchsorted(classes, labels)[sources]
        wrong = random.random(len(sources)) < self.label_confusion.label_probability
        # A step of 1 to n - 1 classes leads to any other.
        own[wrong] += random.integers(1, max(len(classes), 2), int(wrong.sum()))
        false = sources == CLUTTER
        own[false] = random.integers(len(classes), size=int(false.sum()))
        return tuple(classes[own % len(classes)].tolist())

    def _report(self, stamp_ns: int, labels: tuple[str, ...], places: Array) -> Detections:
        count = len(labels)
        return Detections(
            stamp_ns=stamp_ns,
            labels=labels,
            positions=places,
            covariances=np.tile(self.sigma**2 * np.eye(3), (count, 1, 1)),
            scores=np.ones(count),
            colors=(UNKNOWN,) * count,
            sizes=np.full((count, 3), np.nan),
            headings=np.full(count, np.nan),
        )

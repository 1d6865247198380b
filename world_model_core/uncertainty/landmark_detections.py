# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What sensors make of one landmark, on the way from its place to a reading."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.special import ndtri

from world_model_core.uncertainty.error_causes import LABEL
from world_model_core.uncertainty.random_draws import open_interval
from world_model_core.uncertainty.range_bearing import length

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.error_causes import ErrorCause
    from world_model_core.uncertainty.random_draws import Draws

__all__ = ['LandmarkDetections', 'SensorErrorSource', 'SensorPoses', 'detect_exactly', 'locate']


class SensorPoses(NamedTuple):
    """Where the robots are: x, y [m] in the map's frame, cosine and sine of the heading; (n,)."""

    x: Array
    y: Array
    cos: Array
    sin: Array

    @classmethod
    def at(cls, poses: Array) -> SensorPoses:
        """Take poses (n, 3) in the map's frame."""
        x, y, theta = np.ascontiguousarray(poses.T)
        return cls(x, y, np.cos(theta), np.sin(theta))

    def take(self, rows: NDArray[np.intp]) -> SensorPoses:
        """Take those of some robots."""
        return SensorPoses(*(values[rows] for values in self))


@dataclass(slots=True)
class LandmarkDetections:
    """
    One landmark as each robot's sensor has it so far; the sources of errors change it in turn.

    Robots that can no longer get a reading of it are left out, so that nothing is computed for
    them; their draws are made all the same. k is the number of those that are left.

    Attributes
    ----------
    sensors : SensorPoses
        Of all n robots.
    draws : Draws
    step : int
        Number of the observation.
    landmark : int
        Number of the landmark.
    far : float
        How far the sensor can see [m].
    labels : array, shape (n,)
        What happened to the reading of each robot, bit mask of `ErrorCause`.
    rows : slice or array of int, shape (k,)
        The robots that are left.
    ahead, aside : array, shape (k,)
        Where the landmark is in the robot's frame [m].
    range : array, shape (k,)
        The distance as it has become so far [m].
    distance : array, shape (k,)
        The true distance [m]; from the view's test on, that with which measuring began.
    bearing : array, shape (k,)
        The direction as it has become so far [rad]; NaN until the view's test.

    """

    sensors: SensorPoses
    draws: Draws
    step: int
    landmark: int
    far: float
    labels: NDArray[np.uint16]
    rows: slice | NDArray[np.intp]
    ahead: Array
    aside: Array
    range: Array
    distance: Array
    bearing: Array

    def uniform(self, source: str) -> Array:
        """Draw a number from (0, 1) for each robot that is left."""
        words = self.draws.words(source, self.step, self.landmark, len(self.labels))
        return open_interval(words[self.rows])

    def normal(self, source: str) -> Array:
        """Draw a standard normal number for each robot that is left."""
        drawn: Array = ndtri(self.uniform(source))
        return drawn

    def has(self, cause: ErrorCause) -> NDArray[np.bool_]:
        """Tell which readings of those left have a label."""
        marked: NDArray[np.bool_] = (self.labels[self.rows] & int(cause)) != 0
        return marked

    def mark(self, cause: ErrorCause) -> None:
        """Label the readings of all that are left."""
        self.labels[self.rows] |= int(cause)

    def mark_where(self, chosen: NDArray[np.bool_], cause: ErrorCause) -> None:
        """Label some of the readings."""
        self.labels[self.rows] |= chosen * LABEL(cause)

    def keep(self, kept: NDArray[np.bool_], cause: ErrorCause) -> None:
        """Leave out, and label, all but some."""
        self.mark_where(~kept, cause)
        found = np.flatnonzero(kept)
        self.rows = found if isinstance(self.rows, slice) else self.rows[found]
        self.ahead, self.aside = self.ahead[found], self.aside[found]
        self.range, self.distance = self.range[found], self.distance[found]
        self.bearing = self.bearing[found]


def detect_exactly(
    sensors: SensorPoses, place: Array, *, far: float, draws: Draws, step: int, landmark: int
) -> LandmarkDetections:
    """Begin with the truth: a landmark at a place (2,) [m] in the map's frame."""
    ahead, aside = locate(sensors, place[0], place[1])
    count = len(sensors.x)
    distance = length(ahead, aside)
    return LandmarkDetections(
        sensors=sensors,
        draws=draws,
        step=step,
        landmark=landmark,
        far=far,
        labels=np.zeros(count, dtype=LABEL),
        rows=slice(None),
        ahead=ahead,
        aside=aside,
        range=distance.copy(),
        distance=distance,
        bearing=np.broadcast_to(np.nan, count),
    )


def locate(sensors: SensorPoses, x: Array | float, y: Array | float) -> tuple[Array, Array]:
    """Find how far ahead of each sensor, and how far to its left, places (n,) [m] are."""
    dx, dy = x - sensors.x, y - sensors.y
    ahead, aside = sensors.cos * dx, sensors.cos * dy
    ahead += sensors.sin * dy
    aside -= sensors.sin * dx
    return ahead, aside


class SensorErrorSource:
    """
    A source of errors of readings: what a subclass does not override does nothing.

    A source is a frozen dataclass of its parameters. What it must remember is an array with the
    robots along the last axis, kept by the caller.
    """

    def is_on(self) -> bool:
        """Tell whether it ever does something; if not, it is not asked."""
        return True

    def begin(self, robots: int, landmarks: int, draws: Draws) -> Array:
        """Draw what it remembers at the beginning: nothing."""
        del landmarks, draws
        return np.empty((0, robots))

    def advance(self, memory: Array, step: int, dt: float, draws: Draws) -> Array:
        """Draw what it remembers `dt` [s] later, at observation number `step`."""
        del step, dt, draws
        return memory

    def apply(self, detections: LandmarkDetections, memory: Array) -> None:
        """Change sights of one landmark."""
        raise NotImplementedError

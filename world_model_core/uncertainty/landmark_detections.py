# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Detections of one landmark by all robots, from the true position to the reading."""

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
    """Poses of the sensors: x, y [m] in the map frame, cosine and sine of the heading; (n,)."""

    x: Array
    y: Array
    cos: Array
    sin: Array

    @classmethod
    def at(cls, poses: Array) -> SensorPoses:
        """Convert poses (n, 3) in the map frame."""
        x, y, theta = np.ascontiguousarray(poses.T)
        return cls(x, y, np.cos(theta), np.sin(theta))

    def take(self, rows: NDArray[np.intp]) -> SensorPoses:
        """Return those of some robots."""
        return SensorPoses(*(values[rows] for values in self))


@dataclass(slots=True)
class LandmarkDetections:
    """
    Detections of one landmark by all robots; the error sources modify them one after the other.

    Robots without a reading are dropped to save time; their draws are made all the same. k is the
    number of remaining robots.

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
        Range of the sensor [m].
    labels : array, shape (n,)
        Error causes of each reading, bit mask of `ErrorCause`.
    rows : slice or array of int, shape (k,)
        The remaining robots.
    ahead, aside : array, shape (k,)
        Position of the landmark in the robot's frame [m].
    range : array, shape (k,)
        The measured distance so far [m].
    distance : array, shape (k,)
        The true distance [m]; after the test of the field of view, the distance at that time.
    bearing : array, shape (k,)
        The measured direction so far [rad]; NaN until the test of the field of view.

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
        """Draw from (0, 1) for each remaining robot."""
        words = self.draws.words(source, self.step, self.landmark, len(self.labels))
        return open_interval(words[self.rows])

    def normal(self, source: str) -> Array:
        """Draw from the standard normal distribution for each remaining robot."""
        drawn: Array = ndtri(self.uniform(source))
        return drawn

    def has(self, cause: ErrorCause) -> NDArray[np.bool_]:
        """Return which remaining readings have a cause."""
        marked: NDArray[np.bool_] = (self.labels[self.rows] & int(cause)) != 0
        return marked

    def mark(self, cause: ErrorCause) -> None:
        """Add a cause to all remaining readings."""
        self.labels[self.rows] |= int(cause)

    def mark_where(self, chosen: NDArray[np.bool_], cause: ErrorCause) -> None:
        """Add a cause to some of the remaining readings."""
        self.labels[self.rows] |= chosen * LABEL(cause)

    def keep(self, kept: NDArray[np.bool_], cause: ErrorCause) -> None:
        """Keep some readings; drop the others and add a cause to them."""
        self.mark_where(~kept, cause)
        found = np.flatnonzero(kept)
        self.rows = found if isinstance(self.rows, slice) else self.rows[found]
        self.ahead, self.aside = self.ahead[found], self.aside[found]
        self.range, self.distance = self.range[found], self.distance[found]
        self.bearing = self.bearing[found]


def detect_exactly(
    sensors: SensorPoses, place: Array, *, far: float, draws: Draws, step: int, landmark: int
) -> LandmarkDetections:
    """Return error-free detections of a landmark at a position (2,) [m] in the map frame."""
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
    """Return positions (n,) [m] as distances ahead and to the left of each sensor."""
    dx, dy = x - sensors.x, y - sensors.y
    ahead, aside = sensors.cos * dx, sensors.cos * dy
    ahead += sensors.sin * dy
    aside -= sensors.sin * dx
    return ahead, aside


class SensorErrorSource:
    """
    Base class of the error sources of sensors; methods that are not overridden do nothing.

    A source is a frozen dataclass of its parameters. Its state is an array with the robots along
    the last axis, kept by the caller.
    """

    def is_on(self) -> bool:
        """Return whether the source has any effect; a source without effect is skipped."""
        return True

    def begin(self, robots: int, landmarks: int, draws: Draws) -> Array:
        """Draw the initial state; empty by default."""
        del landmarks, draws
        return np.empty((0, robots))

    def advance(self, memory: Array, step: int, dt: float, draws: Draws) -> Array:
        """Draw the state `dt` [s] later, at observation number `step`."""
        del step, dt, draws
        return memory

    def apply(self, detections: LandmarkDetections, memory: Array) -> None:
        """Modify the detections of one landmark."""
        raise NotImplementedError

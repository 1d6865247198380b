# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Measurement noise of each camera, learned from the filter's prediction errors."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

# Initial standard deviations of a position [m] and of a time stamp [s], which matters for a moving
# ball. RoboCup 2022 had 0.3 mm at rest and 1.5 mm along the path at 1.5 m/s; ER-Force's simulator
# with realistic noise has 1.4 mm and exact time stamps.
PLACE_STD, INSTANT_STD = 0.001, 0.0002
# Additional noise where two cameras alternate, from their remaining bias [m].
SHARED_STD = 0.003
# Limits of the learned standard deviations [m], [s].
BEST_PLACE_STD = 0.0002
WORST_PLACE_STD, WORST_INSTANT_STD = 0.02, 0.005
# Approximate number of measurements averaged, and weight of the initial values.
MEMORY, FIRST_COUNT = 100.0, 10.0


class MeasurementSource(NamedTuple):
    """A camera, and whether it alternates with another camera on the same ball."""

    camera_id: int
    shared: bool


class MeasurementNoise:
    """Variance of each camera's measurements: a position part and a time-stamp part."""

    def __init__(self) -> None:
        self._parts: dict[MeasurementSource, tuple[float, float]] = {}
        self._counts: Counter[MeasurementSource] = Counter()

    def _known(self, source: MeasurementSource) -> tuple[float, float]:
        first = PLACE_STD**2 + (SHARED_STD**2 if source.shared else 0.0)
        return self._parts.get(source, (first, INSTANT_STD**2))

    def variance(self, source: MeasurementSource, speed: float) -> float:
        """Return the variance of a coordinate [m^2] for a ball of speed `speed` [m/s]."""
        place, instant = self._known(source)
        return place + 0.5 * instant * speed * speed

    def learn(
        self, source: MeasurementSource, speed: float, squared: float, predicted_variance: float
    ) -> None:
        """
        Update the noise with one prediction error.

        A step of normalized least mean squares (Widrow and Hoff) adjusts both parts so that their
        sum explains the squared error.

        Parameters
        ----------
        source : MeasurementSource
        speed : float
            Ball speed [m/s].
        squared : float
            Half the squared distance between measurement and prediction [m^2].
        predicted_variance : float
            Variance of the prediction itself, per axis [m^2].

        """
        place, instant = self._known(source)
        along = 0.5 * speed * speed
        expected = place + along * instant
        error = (
            min(squared - predicted_variance, 10.0 * (expected + predicted_variance)) - expected
        )
        self._counts[source] += 1
        step = error / (1.0 + along * along) / min(FIRST_COUNT + self._counts[source], MEMORY)
        self._parts[source] = (
            min(max(place + step, BEST_PLACE_STD**2), WORST_PLACE_STD**2),
            min(max(instant + along * step, 0.0), WORST_INSTANT_STD**2),
        )

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""How noisy each camera's sights of a ball are, learnt from how well they were foreseen."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

# At first: of a place [m], and of the instant of a picture [s], which shows in a moving ball.
# RoboCup 2022 had 0.3 mm at rest and 1.5 mm along the way at 1.5 m/s, ER-Force's simulator with
# realistic noise 1.4 mm and no doubt of the instant.
PLACE_STD, INSTANT_STD = 0.001, 0.0002
# Where two cameras see a ball in turns, what they still disagree by is noise too [m].
SHARED_STD = 0.003
# No camera is better than this [m], and none is taken to be worse than that [m], [s].
BEST_PLACE_STD = 0.0002
WORST_PLACE_STD, WORST_INSTANT_STD = 0.02, 0.005
# Sights that what is learnt is the mean of, about, and that what is assumed at first counts for.
MEMORY, FIRST_COUNT = 100.0, 10.0


class View(NamedTuple):
    """A camera, and whether it shares the ball with another one, in turns."""

    camera_id: int
    shared: bool


class SightNoise:
    """The variance of each view's sights: a part for the place, one for the instant."""

    def __init__(self) -> None:
        self._parts: dict[View, tuple[float, float]] = {}
        self._counts: Counter[View] = Counter()

    def _known(self, view: View) -> tuple[float, float]:
        first = PLACE_STD**2 + (SHARED_STD**2 if view.shared else 0.0)
        return self._parts.get(view, (first, INSTANT_STD**2))

    def variance(self, view: View, speed: float) -> float:
        """Tell the variance of a coordinate [m^2] of a ball that moves at `speed` [m/s]."""
        place, instant = self._known(view)
        return place + 0.5 * instant * speed * speed

    def learn(self, view: View, speed: float, squared: float, foreseen: float) -> None:
        """
        Compare a sight with where it was foreseen.

        A step of normalised least mean squares (Widrow and Hoff) towards the two parts whose sum
        explains what was left unforeseen.

        Parameters
        ----------
        view : View
        speed : float
            Of the ball [m/s].
        squared : float
            Distance between sight and prediction, squared and halved [m^2].
        foreseen : float
            Variance of the prediction itself, per axis [m^2].

        """
        place, instant = self._known(view)
        along = 0.5 * speed * speed
        expected = place + along * instant
        surprise = min(squared - foreseen, 10.0 * (expected + foreseen)) - expected
        self._counts[view] += 1
        step = surprise / (1.0 + along * along) / min(FIRST_COUNT + self._counts[view], MEMORY)
        self._parts[view] = (
            min(max(place + step, BEST_PLACE_STD**2), WORST_PLACE_STD**2),
            min(max(instant + along * step, 0.0), WORST_INSTANT_STD**2),
        )

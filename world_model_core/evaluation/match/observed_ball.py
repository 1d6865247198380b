# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Position, speed and motion of the ball from raw vision, using later frames too."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.match.ball.motion_segment import BallMotion
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.match.ball.contact_segmentation import BallDetections, Stretch

# Detections within this of a time determine the position [ns], and the speed, which needs more.
PLACE_NS, SPEED_NS = 30_000_000, 100_000_000
# The kick speed is fitted to the detections after the start of a stretch [ns].
KICK_NS = 100_000_000


class ObservedState(NamedTuple):
    """Position (2,) [m] and velocity (2,) [m/s] at a time."""

    position: Array
    velocity: Array


class ObservedBall:
    """
    The ball on one stretch of its path.

    Parameters
    ----------
    detections : BallDetections
    stretch : Stretch
    switch_ratio : float
        Ratio of the speed at the switch from sliding to rolling to the kick speed.

    """

    def __init__(self, detections: BallDetections, stretch: Stretch, switch_ratio: float) -> None:
        self.start_ns, self.end_ns = stretch.start_ns, stretch.end_ns
        self._stamps = detections.stamps_ns[stretch.indices]
        self._places = detections.places[stretch.indices]
        self._speeds: dict[int, float] = {}
        # A slower ball rolls, as does one that was not kicked.
        self._switch_speed = np.inf
        if stretch.kicked:
            first = self._fit(self.start_ns, 2 * KICK_NS, degree=2)
            if first is not None:
                self._switch_speed = switch_ratio * float(np.hypot(*first.velocity))

    def at(self, stamp_ns: int) -> Array | None:
        """Return the position at a time of the stretch, (2,) [m]; None with few detections."""
        found = self._fit(stamp_ns, PLACE_NS, degree=1)
        return None if found is None else found.position

    def speed_at(self, stamp_ns: int) -> float:
        """Return the speed at a time of the stretch [m/s]; 0 with few detections."""
        if stamp_ns not in self._speeds:
            fits = (self._fit(stamp_ns, SPEED_NS, degree) for degree in (2, 1))
            found = next((fit for fit in fits if fit is not None), None)
            self._speeds[stamp_ns] = 0.0 if found is None else float(np.hypot(*found.velocity))
        return self._speeds[stamp_ns]

    def motion_at(self, stamp_ns: int) -> BallMotion:
        """Return sliding or rolling, by the speed."""
        sliding = self.speed_at(stamp_ns) > self._switch_speed
        return BallMotion.SLIDING if sliding else BallMotion.ROLLING

    def _fit(self, stamp_ns: int, within_ns: int, degree: int) -> ObservedState | None:
        """Fit a line or parabola to the detections around a time."""
        first, last = np.searchsorted(
            self._stamps, (stamp_ns - within_ns, stamp_ns + within_ns + 1)
        )
        stamps = self._stamps[first:last]
        if len(np.unique(stamps)) < degree + 1:
            return None
        times = (stamps - stamp_ns) / NANOSECONDS_PER_SECOND
        fit = np.polyfit(times, self._places[first:last], degree)
        return ObservedState(fit[-1], fit[-2])

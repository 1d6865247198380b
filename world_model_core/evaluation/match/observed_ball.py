# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The ball as raw vision shows it when one may look ahead: where, how fast, in what motion."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.match.ball.motion_segment import Motion
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.match.ball.contact_segmentation import Sights, Stretch

# Sights within this of an instant tell the place [ns], and the speed, which needs more of them.
PLACE_NS, SPEED_NS = 30_000_000, 100_000_000
# At the start of a stretch the speed of the kick is read from its first sights [ns].
KICK_NS = 100_000_000


class Observed(NamedTuple):
    """Place (2,) [m] and velocity (2,) [m/s] at an instant."""

    position: Array
    velocity: Array


class ObservedBall:
    """
    One stretch of the ball's way.

    Parameters
    ----------
    sights : Sights
    stretch : Stretch
    switch_ratio : float
        Part of the kick speed at which sliding turns into rolling.

    """

    def __init__(self, sights: Sights, stretch: Stretch, switch_ratio: float) -> None:
        self.start_ns, self.end_ns = stretch.start_ns, stretch.end_ns
        self._stamps = sights.stamps_ns[stretch.indices]
        self._places = sights.places[stretch.indices]
        self._speeds: dict[int, float] = {}
        # Slower than this a ball rolls; one that was not kicked rolls anyway.
        self._switch_speed = np.inf
        if stretch.kicked:
            first = self._fit(self.start_ns, 2 * KICK_NS, degree=2)
            if first is not None:
                self._switch_speed = switch_ratio * float(np.hypot(*first.velocity))

    def at(self, stamp_ns: int) -> Array | None:
        """Find the place at an instant of the stretch, (2,) [m]; None where too little is seen."""
        found = self._fit(stamp_ns, PLACE_NS, degree=1)
        return None if found is None else found.position

    def speed_at(self, stamp_ns: int) -> float:
        """Find the speed at an instant of the stretch [m/s]; 0 where too little is seen."""
        if stamp_ns not in self._speeds:
            fits = (self._fit(stamp_ns, SPEED_NS, degree) for degree in (2, 1))
            found = next((fit for fit in fits if fit is not None), None)
            self._speeds[stamp_ns] = 0.0 if found is None else float(np.hypot(*found.velocity))
        return self._speeds[stamp_ns]

    def motion_at(self, stamp_ns: int) -> Motion:
        """Tell sliding from rolling by the speed."""
        sliding = self.speed_at(stamp_ns) > self._switch_speed
        return Motion.SLIDING if sliding else Motion.ROLLING

    def _fit(self, stamp_ns: int, within_ns: int, degree: int) -> Observed | None:
        """Fit a line or parabola to the sights around an instant."""
        first, last = np.searchsorted(
            self._stamps, (stamp_ns - within_ns, stamp_ns + within_ns + 1)
        )
        stamps = self._stamps[first:last]
        if len(np.unique(stamps)) < degree + 1:
            return None
        times = (stamps - stamp_ns) / NANOSECONDS_PER_SECOND
        fit = np.polyfit(times, self._places[first:last], degree)
        return Observed(fit[-1], fit[-2])

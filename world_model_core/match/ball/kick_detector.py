# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""When and where a ball is set in motion, seen in its filtered velocity."""

from __future__ import annotations

import math
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from world_model_core.match.ball.kick_fit import Origin
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from world_model_core.match.ball.ground_filter import Gaussian

# A ball that gained this much speed along the carpet within the window was kicked [m/s];
# TIGERs' detector asks for as much. The filter needs about that window to follow a push, and so
# does the shadow of a chip that goes away from under a camera to gain speed.
SPEED_GAIN = 0.6
# And so many standard deviations of it.
SURELY = 3.0
WINDOW_NS = NANOSECONDS_PER_SECOND * 3 // 20
# A ball may have crept at this before it shows [m/s]: a tenth of that gain.
CREEP = 0.06
# The instant of an onset is traced back to not much later than it was [ns], a frame; but the
# shadow of a chip may have stood still for a while before.
LATER_NS, EARLIER_NS = NANOSECONDS_PER_SECOND // 75, NANOSECONDS_PER_SECOND // 15


class Onset(NamedTuple):
    """
    When and where a ball was set in motion.

    Parameters
    ----------
    earliest_ns, latest_ns : int
        It lies between these [ns, vision's clock].
    origin : Origin or None
        Where the ball was; None for one that appears from nowhere.
    speed : float
        Its speed before [m/s].
    may_fly : bool
        Whether a robot was near enough to chip it, or nobody saw where it came from: off a board
        a ball goes flat.

    """

    earliest_ns: int
    latest_ns: int
    origin: Origin | None
    speed: float
    may_fly: bool


class OnsetDetector:
    """Compares the ball's speed with what it was a moment ago."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget the past, as after a jump in time or of the ball."""
        self._past: deque[tuple[int, float, Gaussian]] = deque()

    def update(self, stamp_ns: int, ground: Gaussian, *, touched: bool) -> Onset | None:
        """
        Take in the next sighting of the ball.

        Parameters
        ----------
        stamp_ns : int
            In order of time [ns, vision's clock].
        ground : Gaussian
            The surer its velocity, the sooner a gain shows.
        touched : bool
            Whether a robot was near it of late.

        """
        past = self._past
        while past and stamp_ns - past[0][0] > WINDOW_NS:
            past.popleft()
        speed = math.hypot(ground.vx, ground.vy)
        past.append((stamp_ns, speed, ground))
        slowest = min(past, key=lambda entry: entry[1] + SURELY * math.sqrt(entry[2].vv))
        gain = speed - slowest[1]
        if gain < max(SPEED_GAIN, SURELY * math.sqrt(ground.vv + slowest[2].vv)):
            return None
        past.clear()
        return _traced_back(slowest[0], slowest[2], stamp_ns, ground, touched)


def _traced_back(
    before_ns: int, before: Gaussian, stamp_ns: int, ground: Gaussian, touched: bool
) -> Onset:
    """Find when and where the ball left its old way for the new one."""
    ux, uy = ground.vx - before.vx, ground.vy - before.vy
    travelled = (ground.x - before.x) * ux + (ground.y - before.y) * uy
    elapsed_ns = stamp_ns - before_ns
    back = travelled / max(ground.vx * ux + ground.vy * uy, 1e-9)
    onset_ns = stamp_ns - min(max(int(back * NANOSECONDS_PER_SECOND), 0), elapsed_ns)
    dt = (onset_ns - before_ns) / NANOSECONDS_PER_SECOND
    variance = before.pp + dt * dt * max(before.vv, CREEP**2)
    origin = Origin(before.x + dt * before.vx, before.y + dt * before.vy, variance)
    earliest_ns = onset_ns - EARLIER_NS
    speed = math.hypot(before.vx, before.vy)
    return Onset(earliest_ns, onset_ns + LATER_NS, origin, speed, may_fly=touched)

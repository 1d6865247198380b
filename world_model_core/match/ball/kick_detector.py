# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Contact of the ball with robots and posts, and detection of kicks."""

from __future__ import annotations

import math
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.match.ball.kick_fit import KickOrigin
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.match.ball.planar_gaussian import PlanarGaussian

# A ball within this margin of contact counts as touched [m].
TOUCHING = 0.04
# A ball that leaves a robot slower than this is still pushed or dribbled [m/s].
LEAVING = 0.5


class Obstacles(NamedTuple):
    """
    Current robots and goal posts.

    Parameters
    ----------
    places : array, shape (n, 2)
        Centers [m], field frame.
    velocities : array, shape (n, 3)
        vx, vy [m/s], field frame, and turn rates [rad/s].
    reaches : array, shape (n,)
        Distances between centers at which they touch a ball [m].

    """

    places: Array
    velocities: Array
    reaches: Array

    def touch(self, x: float, y: float) -> bool:
        """Return whether an obstacle touches, or is about to touch, a ball at (x, y) [m]."""
        return bool(self._near(x, y).any())

    def hold(self, x: float, y: float, vx: float, vy: float) -> bool:
        """Return whether a ball at (x, y) [m] moves with the obstacle that touches it."""
        near = self._near(x, y)
        if not near.any():
            return False
        away = (x, y) - self.places[near]
        moving = self.velocities[near]
        hull = moving[:, :2] + moving[:, 2:] * away[:, ::-1] * (-1.0, 1.0)
        along = ((vx, vy) - hull) * away
        speeds = along.sum(axis=1) / np.maximum(np.hypot(away[:, 0], away[:, 1]), 1e-6)
        return bool((speeds < LEAVING).any())

    def _near(self, x: float, y: float) -> NDArray[np.bool_]:
        dx, dy = self.places[:, 0] - x, self.places[:, 1] - y
        return np.asarray(np.hypot(dx, dy) < self.reaches + TOUCHING)


NO_OBSTACLES = Obstacles(np.empty((0, 2)), np.empty((0, 3)), np.empty(0))


# A gain of speed along the carpet by this much within the window is a kick [m/s]; the TIGERs
# detector uses the same value. The filter takes about the length of the window to follow a kick,
# and so does the projection of a chip that moves away from below a camera.
SPEED_GAIN = 0.6
# The gain must also exceed this many standard deviations.
MIN_SIGMAS = 3.0
WINDOW_NS = NANOSECONDS_PER_SECOND * 3 // 20
# A ball may have moved undetected at this speed before the kick [m/s]: a tenth of the gain.
CREEP_SPEED = 0.06
# Uncertainty of the traced kick time [ns]: one frame after it, and more before it, because the
# projection of a chip may stand still for a while.
LATER_NS, EARLIER_NS = NANOSECONDS_PER_SECOND // 75, NANOSECONDS_PER_SECOND // 15


class DetectedKick(NamedTuple):
    """
    Time window and place in which a ball was set in motion.

    Parameters
    ----------
    earliest_ns, latest_ns : int
        Bounds of the kick time [ns, vision's clock].
    origin : KickOrigin or None
        Ball position before the kick; None for a ball that appears from nowhere.
    speed : float
        Ball speed before the kick [m/s].
    may_fly : bool
        Whether the kick may be a chip: a robot was near, or the origin is unknown. A ball that
        bounces off a board stays flat.

    """

    earliest_ns: int
    latest_ns: int
    origin: KickOrigin | None
    speed: float
    may_fly: bool


class KickDetector:
    """Detect kicks by comparing the ball speed with the speed a moment ago."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Clear the history, for example after a jump in time or of the ball."""
        self._past: deque[tuple[int, float, PlanarGaussian]] = deque()

    def update(
        self, stamp_ns: int, ground: PlanarGaussian, *, touched: bool
    ) -> DetectedKick | None:
        """
        Process the next ball estimate and return a detected kick, or None.

        Parameters
        ----------
        stamp_ns : int
            Time of the estimate, in increasing order [ns, vision's clock].
        ground : PlanarGaussian
            Ball estimate; a smaller velocity variance detects smaller gains of speed.
        touched : bool
            Whether a robot was near the ball recently.

        """
        past = self._past
        while past and stamp_ns - past[0][0] > WINDOW_NS:
            past.popleft()
        speed = math.hypot(ground.vx, ground.vy)
        past.append((stamp_ns, speed, ground))
        slowest = min(past, key=lambda entry: entry[1] + MIN_SIGMAS * math.sqrt(entry[2].vv))
        gain = speed - slowest[1]
        if gain < max(SPEED_GAIN, MIN_SIGMAS * math.sqrt(ground.vv + slowest[2].vv)):
            return None
        past.clear()
        return _traced_back(slowest[0], slowest[2], stamp_ns, ground, touched)


def _traced_back(
    before_ns: int, before: PlanarGaussian, stamp_ns: int, ground: PlanarGaussian, touched: bool
) -> DetectedKick:
    """Estimate when and where the ball left its old path."""
    ux, uy = ground.vx - before.vx, ground.vy - before.vy
    travelled = (ground.x - before.x) * ux + (ground.y - before.y) * uy
    elapsed_ns = stamp_ns - before_ns
    back = travelled / max(ground.vx * ux + ground.vy * uy, 1e-9)
    kick_ns = stamp_ns - min(max(int(back * NANOSECONDS_PER_SECOND), 0), elapsed_ns)
    dt = (kick_ns - before_ns) / NANOSECONDS_PER_SECOND
    variance = before.pp + dt * dt * max(before.vv, CREEP_SPEED**2)
    origin = KickOrigin(before.x + dt * before.vx, before.y + dt * before.vy, variance)
    earliest_ns = kick_ns - EARLIER_NS
    speed = math.hypot(before.vx, before.vy)
    return DetectedKick(earliest_ns, kick_ns + LATER_NS, origin, speed, may_fly=touched)

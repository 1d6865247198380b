# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Numbers of kicks, and the robot that made each."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from world_model_core.match.ball.estimate import Kick
    from world_model_core.match.robots.robot_table import Robots

# Kicks nearer in time than this are the same kick [ns].
SAME_KICK_NS = NANOSECONDS_PER_SECOND // 10
# Estimates of a kick that differ by less are equal [m/s], [m], probability.
SAME_VELOCITY, SAME_PLACE, SAME_PROBABILITY = 0.05, 0.01, 0.1
# A robot whose center was within this distance of the kick position kicked the ball [m]: radius of
# a robot and of the ball, and the motion of the ball between two frames.
KICKER_REACH = 0.2


class KickNumbering:
    """Number the kicks, so that a new estimate of a kick is distinguished from a new kick."""

    def __init__(self) -> None:
        self._count = 0
        self.reset()

    def reset(self) -> None:
        """Forget the last kick, as after a jump in time, but keep the count."""
        self._last: Kick | None = None

    def numbered(self, kick: Kick) -> Kick | None:
        """
        Assign a number: that of the last kick if both are within a tenth of a second.

        Returns
        -------
        Kick or None
            None for an estimate that does not differ from the last one.

        """
        last = self._last
        known = last is not None and abs(kick.stamp_ns - last.stamp_ns) <= SAME_KICK_NS
        if last is not None and known:
            # The first estimate has the best kicker: robots drive on.
            kick = replace(kick, kicker=last.kicker or kick.kicker)
            if _alike(kick, last):
                return None
        self._count += not known
        self._last = replace(kick, number=self._count)
        return self._last


def _alike(kick: Kick, other: Kick) -> bool:
    """Return whether two estimates of a kick differ too little to publish both."""
    return (
        bool(np.linalg.norm(kick.velocity - other.velocity) < SAME_VELOCITY)
        and bool(np.linalg.norm(kick.position - other.position) < SAME_PLACE)
        and abs(kick.chip_probability - other.chip_probability) < SAME_PROBABILITY
        and kick.kicker == other.kicker
    )


def attribute_kicker(kick: Kick, robots: Robots) -> Kick:
    """Return the kick with the nearest robot as kicker, if one is within reach."""
    if not len(robots):
        return kick
    distances = robots.distances_to(kick.position)
    nearest = int(distances.argmin())
    kicker = robots.ids[nearest] if distances[nearest] < KICKER_REACH else None
    return replace(kick, kicker=kicker)

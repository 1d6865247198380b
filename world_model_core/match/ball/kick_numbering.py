# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Which of all estimates of kicks are of one kick, and which are worth telling."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from world_model_core.match.ball.estimate import Kick

# Kicks nearer in time than this are one [ns].
SAME_KICK_NS = NANOSECONDS_PER_SECOND // 10
# Estimates of one kick that differ by less are the same [m/s], [m], probability.
SAME_VELOCITY, SAME_PLACE, SAME_CHANCE = 0.05, 0.01, 0.1
# A robot whose centre was nearer than this to the place of the kick did it [m]: the radius of a
# robot, that of a ball and what the ball moves between two frames.
KICKER_REACH = 0.2


class KickLog:
    """Numbers kicks, so that a better estimate of one, or another source's, is told apart."""

    def __init__(self) -> None:
        self._count = 0
        self.reset()

    def reset(self) -> None:
        """Forget the last kick, as after a jump in time, but not how many there were."""
        self._last: Kick | None = None

    def numbered(self, kick: Kick) -> Kick | None:
        """
        Give a kick its number: that of the last one when it began within a tenth of a second.

        Returns
        -------
        Kick or None
            None when nothing new is said of a kick already told.

        """
        last = self._last
        known = last is not None and abs(kick.stamp_ns - last.stamp_ns) <= SAME_KICK_NS
        if last is not None and known:
            # Who kicked shows best when it is told first: robots drive on.
            kick = replace(kick, kicker=last.kicker or kick.kicker)
            if _alike(kick, last):
                return None
        self._count += not known
        self._last = replace(kick, number=self._count)
        return self._last


def _alike(kick: Kick, other: Kick) -> bool:
    """Whether two estimates of one kick differ by less than is worth telling."""
    return (
        bool(np.linalg.norm(kick.velocity - other.velocity) < SAME_VELOCITY)
        and bool(np.linalg.norm(kick.position - other.position) < SAME_PLACE)
        and abs(kick.chip_probability - other.chip_probability) < SAME_CHANCE
        and kick.kicker == other.kicker
    )

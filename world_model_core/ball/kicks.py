# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Kicks seen in a filtered ball: it is suddenly faster than it was."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import replace
from operator import itemgetter

import numpy as np

from world_model_core.ball.estimate import SECOND, BallState, Kick

# A ball that gained this much speed along the carpet within the window was kicked [m/s];
# TIGERs' detector asks for as much. The filter needs about that window to follow a kick.
SPEED_GAIN = 0.6
WINDOW_NS = SECOND // 10
# A robot whose centre was nearer than this to the place of the kick did it [m]: the radius of a
# robot, that of a ball and what the ball moves between two frames.
KICKER_REACH = 0.2
# Vertical speed from which a kick is a chip [m/s].
CHIP_SPEED = 0.5


class KickDetector:
    """Compares the ball's speed with what it was a tenth of a second ago."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget the past, as after a jump in time."""
        self._past: deque[tuple[float, BallState]] = deque()  # with their speeds
        self._last_ns: int | None = None

    def update(self, state: BallState) -> Kick | None:
        """
        Take in the next sighting of the ball.

        Parameters
        ----------
        state : BallState
            In order of time.

        Returns
        -------
        Kick or None
            A new kick by a kicker not known yet, told once.

        """
        while self._past and state.stamp_ns - self._past[0][1].stamp_ns > WINDOW_NS:
            self._past.popleft()
        # Along the carpet: a bouncing ball falls ever faster without a kick.
        speed = math.hypot(*state.velocity[:2])
        self._past.append((speed, state))
        slowest, before = min(self._past, key=itemgetter(0))
        if speed - slowest < SPEED_GAIN or not self._settled(state):
            return None
        self._past.clear()
        self._past.append((speed, state))
        self._last_ns = state.stamp_ns
        return _traced_back(before, state)

    def _settled(self, state: BallState) -> bool:
        """Whether the filter has made up its mind, and the last kick is over."""
        certain = state.covariance[3, 3] + state.covariance[4, 4] < SPEED_GAIN**2
        return certain and (self._last_ns is None or state.stamp_ns - self._last_ns > WINDOW_NS)


def _traced_back(before: BallState, state: BallState) -> Kick:
    """Find when and where the ball left its old way for the new one."""
    speed_up = state.velocity - before.velocity
    travelled = float((state.position - before.position) @ speed_up)
    elapsed = travelled / max(float(state.velocity @ speed_up), 1e-9)
    limit = (state.stamp_ns - before.stamp_ns) / SECOND
    back_ns = int(min(max(elapsed, 0.0), limit) * SECOND)
    return Kick(
        stamp_ns=state.stamp_ns - back_ns,
        position=state.position[:2] - back_ns / SECOND * state.velocity[:2],
        velocity=state.velocity,
        covariance=state.covariance,
        chip_probability=float(state.velocity[2] > CHIP_SPEED),
        kicker=None,
    )


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
        known = last is not None and abs(kick.stamp_ns - last.stamp_ns) <= WINDOW_NS
        if last is not None and known and _alike(kick, last):
            return None
        self._count += not known
        self._last = replace(kick, number=self._count)
        return self._last


def _alike(kick: Kick, other: Kick) -> bool:
    """Whether two estimates of one kick differ by less than is worth telling."""
    return (
        bool(np.linalg.norm(kick.velocity - other.velocity) < SPEED_GAIN / 6)
        and bool(np.linalg.norm(kick.position - other.position) < KICKER_REACH / 10)
        and kick.kicker == other.kicker
    )

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What is so in a simulated world, whatever its cameras make of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from world_model_core.match.ssl.values import RobotId

Vector = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class TrueKick:
    """The last kick: when [ns], where, how fast (x, y, z) [m, m/s], and by which robot, if any."""

    stamp_ns: int
    position: Vector
    velocity: Vector
    kicker: RobotId | None


@dataclass(frozen=True, slots=True)
class BallTruth:
    """A ball: `position` and `velocity` (x, y, z) [m, m/s], z = 0 on the carpet."""

    position: Vector
    velocity: Vector


@dataclass(frozen=True, slots=True)
class RobotTruth:
    """A robot: place, velocity (x, y) [m, m/s], heading, turn rate [rad, rad/s]."""

    id: RobotId
    position: tuple[float, float]
    heading: float
    velocity: tuple[float, float]
    turn_rate: float


@dataclass(frozen=True, slots=True)
class MatchTruth:
    """
    What is so at `stamp_ns` [ns since the simulation began], field frame.

    The ball's `position` and `velocity` (x, y, z) [m, m/s], z = 0 on the carpet; the last `kick`;
    `holder` is who has the ball at the dribbler, None while it is free. `touched_ns` is when
    anything but the carpet touched the ball last, be it a kick, and `others` are the other balls.
    """

    stamp_ns: int
    position: Vector
    velocity: Vector
    kick: TrueKick | None
    holder: RobotId | None
    robots: tuple[RobotTruth, ...]
    touched_ns: int = 0
    others: tuple[BallTruth, ...] = ()

    @property
    def balls(self) -> tuple[BallTruth, ...]:
        """All balls, the one that is played with first."""
        return BallTruth(self.position, self.velocity), *self.others

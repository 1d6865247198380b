# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The true state of a simulated match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from world_model_core.match.ssl.robot_id import RobotId

Vector = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class TrueKick:
    """A kick: time [ns], position and velocity (x, y, z) [m, m/s], and the kicker, if any."""

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
    """A robot: position, velocity (x, y) [m, m/s], heading, turn rate [rad, rad/s]."""

    id: RobotId
    position: tuple[float, float]
    heading: float
    velocity: tuple[float, float]
    turn_rate: float


@dataclass(frozen=True, slots=True)
class MatchTruth:
    """
    The true state at `stamp_ns` [ns since the simulation began], field frame.

    The ball's `position` and `velocity` (x, y, z) [m, m/s], z = 0 on the carpet; the last `kick`;
    `holder` is the robot with the ball at its dribbler, None while the ball is free. `touched_ns`
    is the last time at which a robot or another obstacle touched the ball; `others` are the other
    balls.
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
        """All balls, the primary one first."""
        return BallTruth(self.position, self.velocity), *self.others

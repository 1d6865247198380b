# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
The packets of trackers as frozen values in SI units.

Positions are in the field frame of the tracker: origin at the center of the field, +x towards one
goal, +y to the left of +x, +z up; headings counter-clockwise from +x [rad]. Times are integer
nanoseconds of the tracker's clock and not comparable with those of other senders.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from world_model_core.match.ssl.robot_id import RobotId

__all__ = ['KickedBall', 'TrackedBall', 'TrackedFrame', 'TrackedRobot', 'TrackerPacket']


@dataclass(frozen=True, slots=True)
class TrackedBall:
    """A ball of a tracker: `position`, `velocity` (x, y, z) [m, m/s]; visibility 0 to 1."""

    position: tuple[float, float, float]
    velocity: tuple[float, float, float] | None
    visibility: float | None


@dataclass(frozen=True, slots=True)
class TrackedRobot:
    """A robot of a tracker [m, rad, m/s, rad/s]; None for what is absent."""

    id: RobotId
    position: tuple[float, float]
    heading: float
    velocity: tuple[float, float] | None
    angular_velocity: float | None
    visibility: float | None


@dataclass(frozen=True, slots=True)
class KickedBall:
    """The current kick: position, velocity (x, y, z) [m/s], time, and predicted rest."""

    position: tuple[float, float]
    velocity: tuple[float, float, float]
    start_ns: int
    stop_ns: int | None
    stop_position: tuple[float, float] | None
    kicker: RobotId | None


@dataclass(frozen=True, slots=True)
class TrackedFrame:
    """A tracker's state at `stamp_ns` [ns, the tracker's clock]; ball 0 is primary."""

    frame_number: int
    stamp_ns: int
    balls: tuple[TrackedBall, ...]
    robots: tuple[TrackedRobot, ...]
    kicked_ball: KickedBall | None
    capabilities: frozenset[int]


@dataclass(frozen=True, slots=True)
class TrackerPacket:
    """One TrackerWrapperPacket: identity of the tracker and its `frame`, or None."""

    uuid: str
    source_name: str
    frame: TrackedFrame | None

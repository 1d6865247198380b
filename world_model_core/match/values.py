# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Parameters of a match and the changes that it returns."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from world_model_core.match.ball.ball_constants import BallParameters
from world_model_core.match.ball.source_and_extrapolation import BallSourceParameters
from world_model_core.match.ball.tracker import BallTrackerParameters
from world_model_core.match.robots.tracker import RobotTrackerParameters
from world_model_core.match.senders.allowed_senders import AllowedSenders

if TYPE_CHECKING:
    from world_model_core.match.ball.estimate import BallSource, BallState, Kick
    from world_model_core.match.game.game_state import GameState
    from world_model_core.match.robots.robot_table import Robots
    from world_model_core.match.ssl.geometry_values import Geometry
    from world_model_core.match.ssl.tracker_values import TrackerPacket

__all__ = ['Channel', 'MatchChanges', 'MatchParameters', 'SourceMode']


class Channel(Enum):
    """The three multicast groups of a match."""

    VISION = 'vision'
    TRACKER = 'tracker'
    REFEREE = 'referee'

    # Each datagram is counted and queued by its channel; the hash of Enum is a call of Python.
    __hash__ = object.__hash__


class SourceMode(Enum):
    """Source of ball and robots; AUTO uses a tracker, or vision if there is none."""

    AUTO = 'auto'
    TRACKER = 'tracker'
    VISION = 'vision'


@dataclass(frozen=True, slots=True)
class MatchParameters:
    """
    Parameters of receiving and filtering a match.

    Parameters
    ----------
    mode : SourceMode
    tracker_source : str
        Name or uuid of the only tracker to accept; empty for the first one received.
    team_name : str
        Our team's name in the referee packets; empty for a neutral observer.
    uuid, source_name : str
        Identity in our own tracker packets; with an empty uuid none are built.
    constants : BallParameters
        Constants of the ball, used unless vision sends ball models.
    ball_source, ball, robots, senders
        Parameters of the ball source selector, the ball tracker, the robot tracker and the allowed
        senders.

    """

    mode: SourceMode = SourceMode.AUTO
    tracker_source: str = ''
    team_name: str = ''
    uuid: str = ''
    source_name: str = 'world_model'
    constants: BallParameters = field(default_factory=BallParameters)
    ball_source: BallSourceParameters = field(default_factory=BallSourceParameters)
    ball: BallTrackerParameters = field(default_factory=BallTrackerParameters)
    robots: RobotTrackerParameters = field(default_factory=RobotTrackerParameters)
    senders: AllowedSenders = field(default_factory=AllowedSenders)


@dataclass(frozen=True, slots=True, eq=False)
class MatchChanges:
    """
    The results of one call, to be published; None for what did not change.

    Attributes
    ----------
    source : BallSource or None
    ball, robots : BallState or None, Robots or None
        With the same stamp, in the local clock.
    kick : Kick or None
    game : GameState or None
    geometry : Geometry or None
    error : str or None
        Describes a rejected datagram.
    tracked : TrackerPacket or None
        To be sent; made from vision alone, in its clock.

    """

    source: BallSource | None = None
    ball: BallState | None = None
    robots: Robots | None = None
    kick: Kick | None = None
    game: GameState | None = None
    geometry: Geometry | None = None
    error: str | None = None
    tracked: TrackerPacket | None = None

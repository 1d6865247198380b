# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What a match is told, and what it tells."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from world_model_core.match.ball.parameters import BallParameters
from world_model_core.match.ball.source_selector import BallSourceParameters
from world_model_core.match.ball.tracker import BallTrackerParameters
from world_model_core.match.robots.tracker import RobotTrackerParameters

if TYPE_CHECKING:
    from world_model_core.match.ball.estimate import BallSource, BallState, Kick
    from world_model_core.match.game.game_state import GameState
    from world_model_core.match.robots.estimate import Robots
    from world_model_core.match.ssl.values import Geometry, TrackerPacket

__all__ = ['Channel', 'MatchChanges', 'MatchParameters', 'SourceMode']


class Channel(Enum):
    """The three multicast groups of a match."""

    VISION = 'vision'
    TRACKER = 'tracker'
    REFEREE = 'referee'


class SourceMode(Enum):
    """Whom to trust with ball and robots; AUTO is the tracker, and vision when it is missing."""

    AUTO = 'auto'
    TRACKER = 'tracker'
    VISION = 'vision'


@dataclass(frozen=True, slots=True)
class MatchParameters:
    """
    Everything that can be chosen about reading a match.

    Parameters
    ----------
    mode : SourceMode
    tracker_source : str
        Name or uuid of the only tracker to listen to; empty for the first one heard.
    team_name : str
        Ours, as the referee writes it; empty for a neutral observer.
    uuid, source_name : str
        Whose we are when we give our own tracking away; an empty uuid: we do not.
    constants : BallParameters
        The ball's, where vision does not send them.
    belief, ball, robots
        Of the parts.

    """

    mode: SourceMode = SourceMode.AUTO
    tracker_source: str = ''
    team_name: str = ''
    uuid: str = ''
    source_name: str = 'world_model'
    constants: BallParameters = field(default_factory=BallParameters)
    belief: BallSourceParameters = field(default_factory=BallSourceParameters)
    ball: BallTrackerParameters = field(default_factory=BallTrackerParameters)
    robots: RobotTrackerParameters = field(default_factory=RobotTrackerParameters)


@dataclass(frozen=True, slots=True, eq=False)
class MatchChanges:
    """
    What a call changed, to be published; None where nothing did.

    `ball` and `robots` are at the same instant of the local clock. `error` says why a
    datagram was refused. `tracked` is to be sent: what vision alone tells, in vision's clock.
    """

    source: BallSource | None = None
    ball: BallState | None = None
    robots: Robots | None = None
    kick: Kick | None = None
    game: GameState | None = None
    geometry: Geometry | None = None
    error: str | None = None
    tracked: TrackerPacket | None = None

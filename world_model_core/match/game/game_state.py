# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The game state, derived from referee packets for one team."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from enum import Enum
from operator import attrgetter

from world_model_core.match.ssl.referee_values import Command, Referee, Stage, TeamInfo
from world_model_core.match.ssl.robot_id import Team


class Side(Enum):
    """The half that a team defends, by the sign of x in the field frame."""

    POSITIVE = 'positive'
    NEGATIVE = 'negative'


@dataclass(frozen=True, slots=True)
class GameState:
    """
    The content of a referee packet, with our team and side.

    Parameters
    ----------
    stamp_ns : int
        Time at which the referee sent it [ns, local clock].
    stage, command, next_command : str
        Names of the league's protocol, or `UNKNOWN(99)` for an unknown number; `next_command` is
        None if the packet has none.
    command_counter : int
        Increases with every command.
    stage_time_left, action_time_left : float or None
        [s], negative once exceeded.
    our_team : Team or None
        None if no team of the match has our name.
    our_side : Side or None
        The half that we defend; None if the packet does not contain it.
    ball_placement : tuple of float or None
        Target of the ball placement, (x, y) [m], field frame.
    yellow, blue : TeamInfo
        Names, scores, goalkeepers, cards, allowed robots.

    """

    stamp_ns: int
    stage: str
    command: str
    command_counter: int
    next_command: str | None
    stage_time_left: float | None
    action_time_left: float | None
    our_team: Team | None
    our_side: Side | None
    ball_placement: tuple[float, float] | None
    yellow: TeamInfo
    blue: TeamInfo
    status_message: str

    def team(self, team: Team) -> TeamInfo:
        """Return the information on one team."""
        return self.yellow if team is Team.YELLOW else self.blue

    def same_as(self, other: GameState) -> bool:
        """Return whether both are equal to the second: the clocks change in every packet."""
        return _compared(self) == _compared(other)


# Compared exactly: everything but times and clocks.
_STEADY = attrgetter(
    *(
        item.name
        for item in fields(GameState)
        if item.name not in {'stamp_ns', 'stage_time_left', 'action_time_left', 'yellow', 'blue'}
    )
)
_STEADY_OF_TEAM = attrgetter(
    *(
        item.name
        for item in fields(TeamInfo)
        if item.name not in {'timeout_time', 'yellow_card_times'}
    )
)


def _compared(game: GameState) -> tuple[object, ...]:
    """Return what is compared, with clocks in whole seconds."""
    teams = (
        (
            _STEADY_OF_TEAM(team),
            math.floor(team.timeout_time),
            *map(math.floor, team.yellow_card_times),
        )
        for team in (game.yellow, game.blue)
    )
    clocks = (_whole_seconds(game.stage_time_left), _whole_seconds(game.action_time_left))
    return (_STEADY(game), *clocks, *teams)


def _whole_seconds(seconds: float | None) -> int | None:
    return None if seconds is None else math.floor(seconds)


def read_game(packet: Referee, team_name: str, stamp_ns: int) -> GameState:
    """
    Return the game state of a referee packet for the team called `team_name`.

    Parameters
    ----------
    packet : Referee
        The decoded packet.
    team_name : str
        Our team's name, compared without case; empty for a neutral observer.
    stamp_ns : int
        Time at which it was sent [ns, local clock].

    """
    ours = find_team(packet, team_name)
    return GameState(
        stamp_ns=stamp_ns,
        stage=name_of(packet.stage),
        command=name_of(packet.command),
        command_counter=packet.command_counter,
        next_command=None if packet.next_command is None else name_of(packet.next_command),
        stage_time_left=packet.stage_time_left,
        action_time_left=packet.action_time_left,
        our_team=ours,
        our_side=side_of(ours, packet.blue_team_on_positive_half),
        ball_placement=packet.designated_position,
        yellow=packet.yellow,
        blue=packet.blue,
        status_message=packet.status_message,
    )


def name_of(number: Stage | Command | int) -> str:
    """Return the name of a stage or command, or the number if it is unknown."""
    return number.name if isinstance(number, (Stage, Command)) else f'UNKNOWN({number})'


def unknown_words(packet: Referee) -> tuple[str, ...]:
    """Return the fields of a packet whose enum value is unknown."""
    fields = ('stage', 'command', 'next_command')
    values = (packet.stage, packet.command, packet.next_command)
    return tuple(
        field
        for field, value in zip(fields, values, strict=True)
        if value is not None and not isinstance(value, (Stage, Command))
    )


def find_team(packet: Referee, team_name: str) -> Team | None:
    """Return our color by our name; None if no team or both teams have it."""
    wanted = team_name.strip().casefold()
    named = [
        team
        for team, info in ((Team.YELLOW, packet.yellow), (Team.BLUE, packet.blue))
        if wanted and info.name.strip().casefold() == wanted
    ]
    return named[0] if len(named) == 1 else None


def side_of(team: Team | None, blue_on_positive_half: bool | None) -> Side | None:
    """Return the half that `team` defends."""
    if team is None or blue_on_positive_half is None:
        return None
    positive = blue_on_positive_half == (team is Team.BLUE)
    return Side.POSITIVE if positive else Side.NEGATIVE

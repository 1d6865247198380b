# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The simulated referee: stops, ball placements, free kicks, kick-offs and the score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from world_model_core.match.ssl.referee_values import Command, Referee, Stage, TeamInfo
from world_model_core.match.ssl.robot_id import Team
from world_model_core.time import NANOSECONDS_PER_SECOND, to_seconds

if TYPE_CHECKING:
    from world_model_core.simulation.match.parameters import SslMatchParameters

# Duration of a stop and of the preparation of a kick-off [ns].
STOP_TIME = NANOSECONDS_PER_SECOND
PREPARE_TIME = NANOSECONDS_PER_SECOND
# Play is interrupted for a foul after this time, so that every command occurs [ns].
PLAY_TIME = 15 * NANOSECONDS_PER_SECOND
# SSL rules: a half lasts 5 minutes; a team has four timeouts of 5 minutes in all [s].
HALF_TIME, TIMEOUT_TIME, TIMEOUTS = 300.0, 300.0, 4
# SSL rules, ball placement: largest distance of a placed ball [m].
PLACEMENT_TOLERANCE = 0.15

KICKOFF = {
    Team.YELLOW: Command.PREPARE_KICKOFF_YELLOW,
    Team.BLUE: Command.PREPARE_KICKOFF_BLUE,
}
FREE_KICK = {Team.YELLOW: Command.DIRECT_FREE_YELLOW, Team.BLUE: Command.DIRECT_FREE_BLUE}
PLACEMENT = {
    Team.YELLOW: Command.BALL_PLACEMENT_YELLOW,
    Team.BLUE: Command.BALL_PLACEMENT_BLUE,
}


@dataclass(frozen=True, slots=True)
class Restart:
    """The next restart: which `team` kicks from which `place` (x + iy) [m]."""

    team: Team
    place: complex
    kickoff: bool = False

    @property
    def command(self) -> Command:
        """The command after the ball placement."""
        return KICKOFF[self.team] if self.kickoff else FREE_KICK[self.team]


class SimulatedReferee:
    """
    Gives the commands of a match, which starts with a kick-off of yellow.

    Parameters
    ----------
    parameters : SslMatchParameters
        For the names of the teams.

    Attributes
    ----------
    command : Command
        The current command.
    restart : Restart
        The next restart, or the last one.
    in_play : bool
        Whether both teams may play the ball.

    """

    def __init__(self, parameters: SslMatchParameters) -> None:
        self._names = {Team.YELLOW: parameters.yellow_name, Team.BLUE: parameters.blue_name}
        self._score = dict.fromkeys(Team, 0)
        self._counter = 0
        self._since_ns = self._command_ns = 0
        self.command = Command.STOP
        self.restart = Restart(Team.YELLOW, 0j, kickoff=True)
        self.in_play = False

    @property
    def placing(self) -> bool:
        """Whether the ball is to be placed."""
        return self.command in PLACEMENT.values()

    @property
    def kicking(self) -> bool:
        """Whether the team of the restart may kick."""
        return self.command is Command.NORMAL_START or self.command in FREE_KICK.values()

    def call(self, restart: Restart, stamp_ns: int, *, goal: bool = False) -> None:
        """Stop the game, for a goal of the other team for example."""
        if goal:
            self._score[restart.team.opponent] += 1
        self.restart, self.in_play = restart, False
        self._give(Command.STOP, stamp_ns)

    def start_play(self, stamp_ns: int) -> None:
        """Start play with the kick of a restart."""
        if not self.in_play:
            self.in_play, self._since_ns = True, stamp_ns

    def is_foul_due(self, stamp_ns: int) -> bool:
        """Return whether play has lasted long enough for a foul."""
        return self.in_play and stamp_ns - self._since_ns > PLAY_TIME

    def update(self, ball: complex, *, free: bool, stamp_ns: int) -> None:
        """
        Give the next command when it is due.

        Parameters
        ----------
        ball : complex
            Position of the ball [m].
        free : bool
            Whether no robot holds it.
        stamp_ns : int
            Current time [ns].

        """
        waited = stamp_ns - self._since_ns
        placed = free and abs(ball - self.restart.place) < PLACEMENT_TOLERANCE
        if self.command is Command.STOP and waited >= STOP_TIME:
            placement = PLACEMENT[self.restart.team]
            self._give(self.restart.command if placed else placement, stamp_ns)
        elif self.placing and placed:
            self._give(self.restart.command, stamp_ns)
        elif self.command in KICKOFF.values() and waited >= PREPARE_TIME:
            self._give(Command.NORMAL_START, stamp_ns)

    def _give(self, command: Command, stamp_ns: int) -> None:
        """Give a command."""
        self.command, self._counter = command, self._counter + 1
        self._since_ns = self._command_ns = stamp_ns

    def packet(self, stamp_ns: int, epoch_ns: int) -> Referee:
        """
        Return the current referee packet.

        Parameters
        ----------
        stamp_ns : int
            Time since the start of the match [ns].
        epoch_ns : int
            Start of the match [ns, Unix time].

        """
        standing = self.command is Command.STOP or self.placing
        place = self.restart.place
        return Referee(
            sent_ns=epoch_ns + stamp_ns,
            stage=Stage.NORMAL_FIRST_HALF,
            command=self.command,
            command_counter=self._counter,
            command_ns=epoch_ns + self._command_ns,
            yellow=self._team(Team.YELLOW),
            blue=self._team(Team.BLUE),
            stage_time_left=HALF_TIME - to_seconds(stamp_ns),
            designated_position=(place.real, place.imag) if standing else None,
            blue_team_on_positive_half=True,
            next_command=self.restart.command if standing else None,
            source_identifier='ssl_simulator',
        )

    def _team(self, team: Team) -> TeamInfo:
        """Return the information on one team."""
        return TeamInfo(
            name=self._names[team],
            score=self._score[team],
            goalkeeper=0,
            red_cards=0,
            yellow_cards=0,
            yellow_card_times=(),
            timeouts=TIMEOUTS,
            timeout_time=TIMEOUT_TIME,
            can_place_ball=True,
        )

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The referee of a simulated match: stops, ball placements, free kicks, kick-offs, the score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from world_model_core.match.ssl.values import Command, Referee, Stage, Team, TeamInfo
from world_model_core.time import NANOSECONDS_PER_SECOND, to_seconds

if TYPE_CHECKING:
    from world_model_core.simulation.match.parameters import SslMatchParameters

# How long the game stands, and a kick-off is prepared [ns].
STOP_TIME = NANOSECONDS_PER_SECOND
PREPARE_TIME = NANOSECONDS_PER_SECOND
# Play is interrupted for a foul after this, so that every command is seen [ns].
PLAY_TIME = 15 * NANOSECONDS_PER_SECOND
# SSL rules: a half lasts 5 minutes; a team has four timeouts of 5 minutes in all [s].
HALF_TIME, TIMEOUT_TIME, TIMEOUTS = 300.0, 300.0, 4
# SSL rules, ball placement: the ball is placed once it lies this close [m].
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
    """How play goes on: which `team` kicks, from which `place` (x + iy) [m]."""

    team: Team
    place: complex
    kickoff: bool = False

    @property
    def command(self) -> Command:
        """What follows the placement of the ball."""
        return KICKOFF[self.team] if self.kickoff else FREE_KICK[self.team]


class SimulatedReferee:
    """
    Calls what happens, and leads back into play; the match begins with yellow's kick-off.

    Parameters
    ----------
    parameters : SslMatchParameters
        The teams' names.

    Attributes
    ----------
    command : Command
        In force.
    restart : Restart
        The one being prepared, or the last.
    in_play : bool
        Whether the ball may be played by anyone.

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
        """Stop the game, for a goal of the other team, say."""
        if goal:
            self._score[restart.team.opponent] += 1
        self.restart, self.in_play = restart, False
        self._give(Command.STOP, stamp_ns)

    def see_kick(self, stamp_ns: int) -> None:
        """Open play with the kick that restarts it."""
        if not self.in_play:
            self.in_play, self._since_ns = True, stamp_ns

    def see_foul(self, stamp_ns: int) -> bool:
        """Tell whether play has gone on for too long."""
        return self.in_play and stamp_ns - self._since_ns > PLAY_TIME

    def lead(self, ball: complex, *, free: bool, stamp_ns: int) -> None:
        """
        Give the next command when its time has come.

        Parameters
        ----------
        ball : complex
            Its place [m].
        free : bool
            Whether nobody holds it.
        stamp_ns : int
            Now [ns].

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
        """Put a command into force."""
        self.command, self._counter = command, self._counter + 1
        self._since_ns = self._command_ns = stamp_ns

    def packet(self, stamp_ns: int, epoch_ns: int) -> Referee:
        """
        Write what is sent now.

        Parameters
        ----------
        stamp_ns : int
            Since the match began [ns].
        epoch_ns : int
            When it began [ns, unix time].

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
        """Describe one team."""
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

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
The packets of the referee as frozen values: stage, command and teams.

Times are integer nanoseconds of the game controller's clock and not comparable with those of other
senders.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

__all__ = ['Command', 'Referee', 'Stage', 'TeamInfo']


class Stage(IntEnum):
    """Referee.Stage, by its wire number."""

    NORMAL_FIRST_HALF_PRE = 0
    NORMAL_FIRST_HALF = 1
    NORMAL_HALF_TIME = 2
    NORMAL_SECOND_HALF_PRE = 3
    NORMAL_SECOND_HALF = 4
    EXTRA_TIME_BREAK = 5
    EXTRA_FIRST_HALF_PRE = 6
    EXTRA_FIRST_HALF = 7
    EXTRA_HALF_TIME = 8
    EXTRA_SECOND_HALF_PRE = 9
    EXTRA_SECOND_HALF = 10
    PENALTY_SHOOTOUT_BREAK = 11
    PENALTY_SHOOTOUT = 12
    POST_GAME = 13


class Command(IntEnum):
    """Referee.Command, by its wire number."""

    HALT = 0
    STOP = 1
    NORMAL_START = 2
    FORCE_START = 3
    PREPARE_KICKOFF_YELLOW = 4
    PREPARE_KICKOFF_BLUE = 5
    PREPARE_PENALTY_YELLOW = 6
    PREPARE_PENALTY_BLUE = 7
    DIRECT_FREE_YELLOW = 8
    DIRECT_FREE_BLUE = 9
    INDIRECT_FREE_YELLOW = 10
    INDIRECT_FREE_BLUE = 11
    TIMEOUT_YELLOW = 12
    TIMEOUT_BLUE = 13
    GOAL_YELLOW = 14
    GOAL_BLUE = 15
    BALL_PLACEMENT_YELLOW = 16
    BALL_PLACEMENT_BLUE = 17


@dataclass(frozen=True, slots=True)
class TeamInfo:
    """The referee's data on one team; durations in seconds; no goalkeeper is None."""

    name: str
    score: int
    goalkeeper: int | None
    red_cards: int
    yellow_cards: int
    yellow_card_times: tuple[float, ...]
    timeouts: int
    timeout_time: float
    max_allowed_bots: int | None = None
    foul_counter: int | None = None
    ball_placement_failures: int | None = None
    can_place_ball: bool | None = None
    bot_substitution_intent: bool | None = None


@dataclass(frozen=True, slots=True)
class Referee:
    """
    One referee packet.

    `sent_ns` and `command_ns` [ns, the game controller's clock]; `stage_time_left` and
    `action_time_left` [s], negative once exceeded; `designated_position` (x, y) [m].
    `stage`, `command` and `next_command` are plain ints if the number is unknown, so that a value
    of a newer game controller is not read as HALT.
    """

    sent_ns: int
    stage: Stage | int
    command: Command | int
    command_counter: int
    command_ns: int
    yellow: TeamInfo
    blue: TeamInfo
    stage_time_left: float | None = None
    designated_position: tuple[float, float] | None = None
    blue_team_on_positive_half: bool | None = None
    next_command: Command | int | None = None
    action_time_left: float | None = None
    source_identifier: str = ''
    match_type: int = 0
    status_message: str = ''

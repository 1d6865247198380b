# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Decodes and encodes referee packets of the game controller: bytes <-> `Referee`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from world_model_core.match.ssl import value_limits as limits
from world_model_core.match.ssl import wire
from world_model_core.match.ssl.referee_values import Command, Referee, Stage, TeamInfo
from world_model_core.match.ssl.value_limits import MessageLimits, Range
from world_model_core.match.ssl.wire import MM, US

if TYPE_CHECKING:
    from enum import IntEnum

Number = TypeVar('Number', bound='IntEnum')

# Sent for a team without a goalkeeper; any invalid robot number is read as that.
NO_KEEPER = 255

REFEREE = MessageLimits(
    Range('packet_timestamp', 0, limits.MICROSECONDS, 'us'),
    Range('command_timestamp', 0, limits.MICROSECONDS, 'us'),
    Range('designated_position.x', -limits.POSITION * MM, limits.POSITION * MM, 'mm'),
    Range('designated_position.y', -limits.POSITION * MM, limits.POSITION * MM, 'mm'),
)


def decode_referee(data: bytes) -> Referee:
    """
    Decode one datagram of the referee port.

    Parameters
    ----------
    data : bytes
        A Referee message.

    Returns
    -------
    Referee
        In SI units, field frame; unknown stages and commands are plain ints.

    Raises
    ------
    MalformedPacketError
        The datagram does not parse or lacks a required field.
    ImplausibleValueError
        A field is not finite or out of its range.

    """
    packet = wire.parse(wire.Referee, data)
    REFEREE.check(packet, 'referee')
    has, place = packet.HasField, packet.designated_position
    return Referee(
        sent_ns=packet.packet_timestamp * 1000,
        stage=_known(Stage, packet.stage),
        command=_known(Command, packet.command),
        command_counter=packet.command_counter,
        command_ns=packet.command_timestamp * 1000,
        yellow=_read_team(packet.yellow),
        blue=_read_team(packet.blue),
        stage_time_left=packet.stage_time_left / US if has('stage_time_left') else None,
        designated_position=(place.x / MM, place.y / MM) if has('designated_position') else None,
        blue_team_on_positive_half=_optional(packet, 'blue_team_on_positive_half'),
        next_command=_known(Command, packet.next_command) if has('next_command') else None,
        action_time_left=packet.current_action_time_remaining / US
        if has('current_action_time_remaining')
        else None,
        source_identifier=wire.text(packet.source_identifier),
        match_type=packet.match_type,
        status_message=wire.text(packet.status_message),
    )


def _known(kind: type[Number], number: int) -> Number | int:
    """Return the enum member of a number, or the number if it is unknown."""
    try:
        return kind(number)
    except ValueError:
        return number


def _optional(message: Any, field: str) -> Any:
    """Return a field, or None if it is absent."""
    return getattr(message, field) if message.HasField(field) else None


def _read_team(team: Any) -> TeamInfo:
    """Convert a Referee.TeamInfo."""
    return TeamInfo(
        name=wire.text(team.name),
        score=team.score,
        goalkeeper=team.goalkeeper if team.goalkeeper <= limits.ROBOT_NUMBER else None,
        red_cards=team.red_cards,
        yellow_cards=team.yellow_cards,
        yellow_card_times=tuple([time / US for time in team.yellow_card_times]),
        timeouts=team.timeouts,
        timeout_time=team.timeout_time / US,
        max_allowed_bots=_optional(team, 'max_allowed_bots'),
        foul_counter=_optional(team, 'foul_counter'),
        ball_placement_failures=_optional(team, 'ball_placement_failures'),
        can_place_ball=_optional(team, 'can_place_ball'),
        bot_substitution_intent=_optional(team, 'bot_substitution_intent'),
    )


def encode_referee(referee: Referee) -> bytes:
    """Encode a packet as the game controller does; the inverse of `decode_referee`."""
    place = referee.designated_position
    message = wire.Referee(
        packet_timestamp=referee.sent_ns // 1000,
        stage=referee.stage,
        command=referee.command,
        command_counter=referee.command_counter,
        command_timestamp=referee.command_ns // 1000,
        yellow=_team_fields(referee.yellow),
        blue=_team_fields(referee.blue),
        stage_time_left=_microseconds(referee.stage_time_left),
        designated_position=None if place is None else {'x': place[0] * MM, 'y': place[1] * MM},
        blue_team_on_positive_half=referee.blue_team_on_positive_half,
        next_command=referee.next_command,
        current_action_time_remaining=_microseconds(referee.action_time_left),
        source_identifier=referee.source_identifier.encode(),
        match_type=referee.match_type,
        status_message=referee.status_message.encode(),
    )
    return bytes(message.SerializeToString())


def _microseconds(seconds: float | None) -> int | None:
    """Convert a duration [s] to microseconds."""
    return None if seconds is None else round(seconds * US)


def _team_fields(team: TeamInfo) -> dict[str, Any]:
    """Return the fields of a Referee.TeamInfo."""
    return {
        'name': team.name.encode(),
        'score': team.score,
        'red_cards': team.red_cards,
        'yellow_card_times': [round(time * US) for time in team.yellow_card_times],
        'yellow_cards': team.yellow_cards,
        'timeouts': team.timeouts,
        'timeout_time': round(team.timeout_time * US),
        'goalkeeper': NO_KEEPER if team.goalkeeper is None else team.goalkeeper,
        'foul_counter': team.foul_counter,
        'ball_placement_failures': team.ball_placement_failures,
        'can_place_ball': team.can_place_ball,
        'max_allowed_bots': team.max_allowed_bots,
        'bot_substitution_intent': team.bot_substitution_intent,
    }

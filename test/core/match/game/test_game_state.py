# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""State of play from the point of view of one team."""

from dataclasses import replace

import pytest
from hypothesis import given
from samples import REFEREE
from strategies import referees

from world_model_core.documents import parse, write
from world_model_core.match.documents import game_document
from world_model_core.match.game.game_state import Side, read_game, unknown_words
from world_model_core.match.ssl.referee_values import Command
from world_model_core.match.ssl.robot_id import Team

PACKET = replace(
    REFEREE,
    yellow=replace(REFEREE.yellow, name='KIKS'),
    blue=replace(REFEREE.blue, name='ER-Force'),
    blue_team_on_positive_half=True,
)


@pytest.mark.parametrize(
    ('name', 'team', 'side'),
    [
        ('ER-Force', Team.BLUE, Side.POSITIVE),
        ('kiks', Team.YELLOW, Side.NEGATIVE),
        ('', None, None),
        ('TIGERs', None, None),
    ],
)
def test_our_color_and_side_follow_from_our_name(name, team, side):
    """The team with our name must be ours, and its half ours."""
    game = read_game(PACKET, name, 0)
    assert (game.our_team, game.our_side) == (team, side)


def test_two_teams_of_one_name_leave_the_color_unknown():
    """When both teams have our name, our color must be unknown."""
    twins = replace(PACKET, blue=replace(PACKET.blue, name='KIKS'))
    assert read_game(twins, 'KIKS', 0).our_team is None


def test_a_missing_side_is_unknown():
    """Without blue_team_on_positive_half there must be no side."""
    game = read_game(replace(PACKET, blue_team_on_positive_half=None), 'KIKS', 0)
    assert game.our_side is None


def test_an_unknown_command_is_never_halt():
    """An unknown number must be shown and reported."""
    packet = replace(PACKET, command=99, next_command=77)
    game = read_game(packet, '', 0)
    assert (game.command, game.next_command) == ('UNKNOWN(99)', 'UNKNOWN(77)')
    assert unknown_words(packet) == ('command', 'next_command')
    assert unknown_words(PACKET) == ()


def test_running_clocks_are_not_a_change_within_a_second():
    """Only visible changes must count."""
    game = read_game(replace(PACKET, stage_time_left=12.9), '', 1)
    assert game.same_as(read_game(replace(PACKET, stage_time_left=12.1), '', 2))
    assert not game.same_as(read_game(replace(PACKET, stage_time_left=11.9), '', 2))
    assert not game.same_as(read_game(replace(PACKET, command=Command.STOP), '', 1))


@given(referees())
def test_any_game_makes_a_valid_document(packet):
    """Every packet that decodes must give a document that is valid by its schema."""
    game = read_game(packet, packet.blue.name, 0)
    document = game_document(game)
    assert parse(write(document), 'game') == document

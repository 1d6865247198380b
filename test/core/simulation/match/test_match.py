# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A simulated match sends the packets of vision and of a game controller."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from itertools import islice, pairwise, takewhile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from world_model_core.errors import ConfigurationError
from world_model_core.match.ssl.referee_packets import decode_referee, encode_referee
from world_model_core.match.ssl.referee_values import Command, Referee, Stage
from world_model_core.match.ssl.robot_id import Team
from world_model_core.match.ssl.vision_packets import decode_vision, encode_vision
from world_model_core.simulation.match.match import SslMatch
from world_model_core.simulation.match.parameters import SslMatchParameters
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND

EPOCH = 1_700_000_000 * SECOND
SEEDS = st.integers(0, 2**63 - 1)


def send(seconds, **parameters):
    """Collect the packets of the first seconds."""
    match = SslMatch(SslMatchParameters(**parameters), EPOCH)
    return list(takewhile(lambda sent: sent.sent_ns < seconds * SECOND, match.packets()))


def encode(sent):
    """Return the bytes of a packet."""
    packet = sent.packet
    return encode_referee(packet) if isinstance(packet, Referee) else encode_vision(packet)


@pytest.fixture(scope='module')
def minute():
    """Collect a minute of three against three."""
    return send(60.0, robots_per_team=3, yellow_name='One', blue_name='Two')


@pytest.fixture(scope='module')
def referees(minute):
    """Select the referee's packets."""
    return [sent.packet for sent in minute if isinstance(sent.packet, Referee)]


@settings(max_examples=10, deadline=None)
@given(SEEDS)
def test_same_seed_gives_the_same_bytes(seed):
    """Two matches of one seed are exactly equal; another seed gives another match."""
    parameters = SslMatchParameters(seed=seed, robots_per_team=3)
    other = replace(parameters, seed=(seed + 1) % 2**63)
    runs = [
        [(sent.sent_ns, encode(sent)) for sent in islice(SslMatch(each, EPOCH).packets(), 100)]
        for each in (parameters, parameters, other)
    ]
    assert runs[0] == runs[1]
    assert runs[0] != runs[2]


def test_every_packet_decodes(minute):
    """Each datagram is decoded by our own decoders to the value that was sent."""
    for sent in minute:
        if isinstance(sent.packet, Referee):
            assert decode_referee(encode(sent)).command is sent.packet.command
        elif sent.packet.detection is not None:
            frame = decode_vision(encode(sent)).detection
            assert frame.frame_number == sent.packet.detection.frame_number
            assert len(frame.robots) == len(sent.packet.detection.robots)
        else:
            geometry = decode_vision(encode(sent)).geometry
            assert geometry.straight == sent.packet.geometry.straight


def test_packets_come_in_the_order_of_their_sending(minute):
    """Packets are sorted by the time of sending."""
    assert all(before.sent_ns <= after.sent_ns for before, after in pairwise(minute))


def test_stamps_are_those_of_the_sender(minute):
    """Each frame is sent 7.9 to 20 ms after its capture, by the clock of the simulation."""
    frames = [(sent, sent.packet.detection) for sent in minute if sent.truth]
    for sent, frame in frames:
        assert frame.sent_ns == EPOCH + sent.sent_ns
        assert frame.capture_ns == EPOCH + sent.truth.stamp_ns
        assert 7_900_000 <= frame.sent_ns - frame.capture_ns <= 20_000_000


def test_rates_are_those_of_a_real_match(minute):
    """73.2 frames per second of each camera, 40 referee packets, one geometry."""
    kinds = Counter(
        'referee'
        if isinstance(sent.packet, Referee)
        else sent.packet.detection.camera_id
        if sent.truth
        else 'geometry'
        for sent in minute
    )
    assert kinds['referee'] == 40 * 60
    assert kinds['geometry'] == 60
    assert kinds[0] == pytest.approx(73.2 * 60, abs=3)
    assert kinds[1] == pytest.approx(73.2 * 60, abs=3)


def test_cameras_are_not_synchronized_and_skip_no_number(minute):
    """Each camera counts its frames, and captures them at its own times."""
    frames = [sent.packet.detection for sent in minute if sent.truth]
    for camera in (0, 1):
        numbers = [frame.frame_number for frame in frames if frame.camera_id == camera]
        assert numbers == list(range(len(numbers)))
    starts = [frame.capture_ns for frame in frames if frame.frame_number == 0]
    assert starts[0] != starts[1]


def test_referee_names_the_teams_and_the_time(referees):
    """Names, goalkeepers, sides and the time left are those of a game controller."""
    first, last = referees[0], referees[-1]
    assert (first.yellow.name, first.blue.name) == ('One', 'Two')
    assert first.stage is Stage.NORMAL_FIRST_HALF
    assert first.blue_team_on_positive_half is True
    assert first.stage_time_left - last.stage_time_left == pytest.approx(60.0, abs=0.03)


def test_referee_counts_every_command(referees):
    """The counter and the command's stamp change with the command, and only then."""
    for before, after in pairwise(referees):
        changed = after.command is not before.command
        assert after.command_counter - before.command_counter == changed
        assert (after.command_ns != before.command_ns) == changed
        assert after.command_ns <= after.sent_ns


def test_referee_gives_every_kind_of_command():
    """Within two minutes there are stops, kick-offs, free kicks and ball placements."""
    sent = send(120.0, robots_per_team=3)
    commands = {each.packet.command for each in sent if isinstance(each.packet, Referee)}
    assert {Command.STOP, Command.NORMAL_START} <= commands
    for family in ('PREPARE_KICKOFF', 'DIRECT_FREE', 'BALL_PLACEMENT'):
        assert commands & {Command[f'{family}_{team.name}'] for team in Team}


def test_ball_is_placed_at_the_designated_position(minute):
    """When a placement ends, the ball is within 0.15 m of the designated position."""
    truth, before, ends = None, None, 0
    for sent in minute:
        truth = sent.truth or truth
        if isinstance(sent.packet, Referee):
            if before and 'BALL_PLACEMENT' in before.command.name:
                assert before.designated_position is not None
                if sent.packet.command is not before.command:
                    assert math.dist(truth.position[:2], before.designated_position) < 0.15
                    assert sent.packet.command is before.next_command
                    ends += 1
            before = sent.packet
    assert ends >= 2


def test_goals_count(minute, referees):
    """A goal counts once for one team, and only with the ball in the goal."""
    goals = 0
    for before, after in pairwise(referees):
        gained = after.yellow.score - before.yellow.score, after.blue.score - before.blue.score
        assert gained in {(0, 0), (1, 0), (0, 1)}
        goals += sum(gained)
    assert goals >= 1
    assert any(
        abs(sent.truth.position[0]) > 4.5 and abs(sent.truth.position[1]) < 0.5
        for sent in minute
        if sent.truth
    )


@pytest.mark.parametrize(
    ('name', 'value'),
    [
        ('seed', -1),
        ('robots_per_team', 2),
        ('robots_per_team', 17),
        ('robots_per_team', 4.5),
        ('camera_rate', 0.0),
        ('cameras', 0),
        ('cameras', 9),
        ('camera_height', 1.0),
        ('capture_delay', float('nan')),
        ('network_delay', -1.0),
        ('balls', 7),
        ('restitution', 1.1),
    ],
)
def test_impossible_matches_are_rejected(name, value):
    """An invalid parameter is rejected by name and value."""
    with pytest.raises(ConfigurationError, match=f'{name} is {value}'):
        SslMatchParameters(**{name: value})

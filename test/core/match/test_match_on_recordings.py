# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A recorded match, from its datagrams to its state."""

import json

import numpy as np
import pytest

from world_model_core.match.ball.estimate import BallSource
from world_model_core.match.datagrams import Datagram
from world_model_core.match.match import Match
from world_model_core.match.ssl.recording import MessageKind, RecordingReader
from world_model_core.match.ssl.tracker_packets import decode_tracker
from world_model_core.match.values import Channel, MatchParameters, SourceMode
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND

CHANNELS = {
    MessageKind.VISION_2014: Channel.VISION,
    MessageKind.VISION_TRACKER_2020: Channel.TRACKER,
    MessageKind.REFBOX_2013: Channel.REFEREE,
}


@pytest.fixture(scope='module')
def messages(shared_data):
    """Read the datagrams that a receiver would get."""
    path = shared_data('ssl/match_2022_part1.log.gz')
    return [message for message in RecordingReader(path) if message.kind in CHANNELS]


def play(messages, mode=SourceMode.AUTO):
    """Return the match and all its changes, with the time of receipt."""
    match = Match(MatchParameters(mode=mode, team_name='KIKS'))
    all_changes = [
        (m.received_ns, match.receive(Datagram(CHANNELS[m.kind], m.data, m.received_ns)))
        for m in messages
    ]
    return match, all_changes


def tracked_balls(messages):
    """Interpolate the tracker's own ball as a function of its own time [ns]."""
    frames = [
        decode_tracker(m.data).frame for m in messages if m.kind is MessageKind.VISION_TRACKER_2020
    ]
    stamps = np.array([frame.stamp_ns for frame in frames])
    places = np.array([frame.balls[0].position for frame in frames])
    return lambda ns: np.array(
        [np.interp(ns - stamps[0], stamps - stamps[0], p) for p in places.T]
    )


def test_no_packet_of_a_real_match_is_rejected(messages):
    """Every datagram must be used, except the referee's, which were recorded twice."""
    match, all_changes = play(messages)
    assert not [changes.error for _, changes in all_changes if changes.error]
    assert match.counters == {
        'vision.received': 486,
        'tracker.received': 264,
        'referee.received': 258,
        'referee.duplicate': 129,
    }


@pytest.mark.parametrize('mode', list(SourceMode))
def test_the_ball_is_within_25_mm_of_the_trackers(messages, mode):
    """At its own time our ball must be where the tracker has it, in every source mode."""
    match, all_changes = play(messages, mode)
    truth = tracked_balls(messages)
    clock = match.clocks[Channel.VISION]
    errors = [
        np.linalg.norm(changes.ball.position - truth(clock.to_sender(changes.ball.stamp_ns)))
        for _, changes in all_changes
        if changes.ball is not None
    ]
    assert len(errors) > 250
    assert np.median(errors) < 0.01
    assert np.quantile(errors, 0.95) < 0.025


@pytest.mark.parametrize('mode', list(SourceMode))
def test_the_kick_is_detected(messages, mode):
    """The kick at 0.59 s must show in the velocity, and be reported with its kicker."""
    _, all_changes = play(messages, mode)
    start = messages[0].received_ns
    kicks = [changes.kick for _, changes in all_changes if changes.kick is not None]
    assert str(kicks[0].kicker) == 'blue/2'
    assert (kicks[0].stamp_ns - start) / SECOND == pytest.approx(0.58, abs=0.03)
    speeds = {
        (changes.ball.stamp_ns - start) / SECOND: np.linalg.norm(changes.ball.velocity)
        for _, changes in all_changes
        if changes.ball is not None
    }
    assert max(speed for t, speed in speeds.items() if t < 0.55) < 0.5
    assert max(speed for t, speed in speeds.items() if 0.60 < t < 0.75) > 3.5


def test_the_game_state_is_right(messages):
    """Command, teams and our color must be those of the match."""
    match, _ = play(messages)
    game = match.game
    assert game.command == 'DIRECT_FREE_BLUE'
    assert (game.yellow.name, game.blue.name) == ('KIKS', 'ER-Force')
    assert game.our_team.value == 'yellow'
    assert abs(game.stamp_ns - messages[-1].received_ns) < SECOND


def test_both_teams_are_on_the_field(messages):
    """All robots of the tracker must be reported, in every source mode."""
    for mode in SourceMode:
        _, all_changes = play(messages, mode)
        robots = [changes.robots for _, changes in all_changes if changes.robots is not None][-1]
        assert len(robots) == 16, mode


def test_vision_takes_over_when_the_tracker_is_cut(messages):
    """Without the tracker from 1.5 s on there must be no gap of 100 ms and no jump of 30 mm."""
    cut = messages[0].received_ns + 3 * SECOND // 2
    kept = [
        m for m in messages if m.kind is not MessageKind.VISION_TRACKER_2020 or m.received_ns < cut
    ]
    match, all_changes = play(kept)
    sources = [changes.source for _, changes in all_changes if changes.source is not None]
    assert sources == [BallSource.TRACKER, BallSource.VISION]
    balls = [changes.ball for _, changes in all_changes if changes.ball is not None]
    stamps = np.array([ball.stamp_ns for ball in balls])
    assert np.diff(stamps).max() < 0.1 * SECOND
    before = [ball for ball in balls if ball.stamp_ns < cut][-1]
    after = balls[balls.index(before) + 1]
    elapsed = (after.stamp_ns - before.stamp_ns) / SECOND
    jump = after.position - before.position - elapsed * before.velocity
    assert np.linalg.norm(jump) < 0.03
    assert match.source is BallSource.VISION


@pytest.mark.parametrize('name', ['sim_straight_noisefree', 'sim_straight_realistic'])
def test_simulated_kicks_are_found(shared_data, name):
    """Every kick of a simulator's recording must be reported, with roughly its speed."""
    path = shared_data(f'ssl/{name}.log.gz')
    truth = json.loads(path.with_name(f'{name}.kicks.json').read_text())
    messages = [m for m in RecordingReader(path) if m.kind in CHANNELS]
    match, all_changes = play(messages)
    clock = match.clocks[Channel.VISION]
    found = {
        changes.kick.number: changes.kick for _, changes in all_changes if changes.kick is not None
    }
    for kick in truth:
        near = [
            k
            for k in found.values()
            if abs(clock.to_sender(k.stamp_ns) / SECOND - kick['sent_unix'] - 0.03) < 0.2
        ]
        assert near, kick
        speed = np.hypot(kick['vx'], kick['vy'])
        assert np.linalg.norm(near[0].velocity[:2]) == pytest.approx(speed, rel=0.35)

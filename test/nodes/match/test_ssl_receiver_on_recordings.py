# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A recorded match is sent over UDP to the receiver at the times of the recording."""

from __future__ import annotations

import json
from functools import partial

import numpy as np
import pytest

from world_model_core.match.ssl.recording import MessageKind, RecordingReader
from world_model_core.match.ssl.tracker_packets import decode_tracker
from world_model_core.match.values import Channel
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND
from world_model_nodes.match.convert import ball_of
from world_model_nodes.match.ssl_receiver import SslReceiver

CHANNELS = {
    MessageKind.VISION_2014: Channel.VISION,
    MessageKind.VISION_TRACKER_2020: Channel.TRACKER,
    MessageKind.REFBOX_2013: Channel.REFEREE,
}


@pytest.fixture(scope='module')
def messages(shared_data):
    """Read the datagrams of the match."""
    path = shared_data('ssl/match_2022_part1.log.gz')
    return [message for message in RecordingReader(path) if message.kind in CHANNELS]


class Player:
    """Sends a recording over UDP, each datagram at its own time on the receiver's clock."""

    def __init__(self, stadium, clock, messages, **given):
        self._clock, self._messages = clock, messages
        clock[0] = self.began_ns = messages[0].received_ns
        self._stadium = stadium(**given)

    def play(self):
        """Send all datagrams, each when the previous one has been processed."""
        for count, message in enumerate(self._messages, start=1):
            self._clock[0] = message.received_ns
            self._stadium.send(CHANNELS[message.kind], message.data)
            self._stadium.graph.wait_until(lambda count=count: self._processed() == count)
        self._stadium.graph.wait_until(lambda: self._reported() == len(self._messages))
        return self._stadium

    @property
    def ended_ns(self):
        """Return the time of the last datagram [ns]."""
        return self._clock[0]

    def _processed(self):
        counters = self._stadium.node._match.counters
        return sum(counters[f'{channel.value}.received'] for channel in Channel)

    def _reported(self):
        return sum(int(self._stadium.value(f'{c.value}.received') or 0) for c in Channel)


@pytest.fixture
def player(stadium, monkeypatch):
    """Make a player of messages to a receiver on the clock of the recording."""
    clock = [0]
    monkeypatch.setattr(SslReceiver, '_now', lambda _: clock[0])
    return partial(Player, stadium, clock)


def tracked_balls(messages):
    """Return the interpolated ball of the tracker as a function of the tracker's time [ns]."""
    data = [m.data for m in messages if m.kind is MessageKind.VISION_TRACKER_2020]
    frames = [decode_tracker(each).frame for each in data]
    stamps = np.array([frame.stamp_ns for frame in frames])
    places = np.array([frame.balls[0].position for frame in frames])
    return lambda ns: np.transpose(
        [np.interp(ns - stamps[0], stamps - stamps[0], place) for place in places.T]
    )


def columns(balls):
    """Return stamps (n,) [ns], positions and velocities (n, 3) [m, m/s] of messages."""
    states = [ball_of(message) for message in balls]
    return (
        np.array([state.stamp_ns for state in states]),
        np.array([state.position for state in states]),
        np.array([state.velocity for state in states]),
    )


def test_a_recorded_match_is_published_as_recorded(player, messages):
    """Ball, kick, robots and game on the topics are those of the recording."""
    player = player(messages, team_name='KIKS')
    receiver = player.play()
    stamps, places, velocities = columns(receiver.balls)
    # The tracker stamps with vision's clock; the node publishes the offset that it adds.
    offset_ns = round(float(receiver.value('vision.clock offset [s]')) * SECOND)
    errors = np.linalg.norm(places - tracked_balls(messages)(stamps - offset_ns), axis=1)
    assert len(errors) > 250
    assert np.median(errors) < 0.01
    assert np.quantile(errors, 0.95) < 0.025
    speeds = np.linalg.norm(velocities, axis=1)
    since = (stamps - player.began_ns) / SECOND
    assert speeds[since < 0.5].max() < 0.5
    assert speeds[(since > 0.6) & (since < 0.8)].max() > 3.5
    kick = json.loads(receiver.kicks[0].data)
    assert kick['kicker'] == 'blue/2'
    assert (kick['stamp_ns'] - player.began_ns) / SECOND == pytest.approx(0.58, abs=0.05)
    names = receiver.robots[-1].joint_names
    assert len(names) == 16
    assert {name.split('/')[0] for name in names} == {'blue', 'yellow'}
    game = json.loads(receiver.games[-1].data)
    assert game['command'] == 'DIRECT_FREE_BLUE'
    assert (game['yellow']['name'], game['blue']['name']) == ('KIKS', 'ER-Force')
    assert game['our_team'] == 'yellow'
    assert 'TRACKER' in [source.data for source in receiver.sources]


def test_vision_takes_over_when_the_tracker_is_cut(player, messages):
    """Without the tracker from 1.5 s on no gap exceeds 100 ms, and no jump 50 mm."""
    cut = messages[0].received_ns + 3 * SECOND // 2
    kept = [
        m
        for m in messages
        if m.received_ns < cut
        or (m.kind is not MessageKind.VISION_TRACKER_2020 and m.received_ns < cut + SECOND)
    ]
    player = player(kept)
    receiver = player.play()
    stamps, places, velocities = columns(receiver.balls)
    played = stamps < player.ended_ns
    assert np.diff(stamps[played]).max() < 0.1 * SECOND
    assert [source.data for source in receiver.sources][:3] == ['NONE', 'TRACKER', 'VISION']
    # At the change of the source, tracker and filter differ by about 20 mm.
    handed_over = np.abs(stamps[1:] - player.began_ns - 1.575 * SECOND) < 0.075 * SECOND
    assert handed_over.any()
    coasted = places[:-1] + velocities[:-1] * np.diff(stamps)[:, None] / SECOND
    jumps = np.linalg.norm(places[1:] - coasted, axis=1)
    assert jumps[handed_over].max() < 0.05

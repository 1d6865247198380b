# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Replay of a recording: what is kept for the evaluation."""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recorded_match import MS, START_NS, tracker, vision

from world_model_core.evaluation.match.predictors import predictors
from world_model_core.evaluation.match.replay import replay
from world_model_core.match.ball.ball_constants import BallParameters
from world_model_core.match.ball.estimate import BallSource
from world_model_core.match.ball.predictor import BallPredictor
from world_model_core.match.datagrams import Datagram
from world_model_core.match.match import Match
from world_model_core.match.ssl.geometry_values import FieldSize, Geometry, StraightModel
from world_model_core.match.ssl.recording import Message, MessageKind
from world_model_core.match.ssl.vision_packets import encode_vision
from world_model_core.match.ssl.vision_values import VisionPacket
from world_model_core.match.values import Channel, MatchParameters, SourceMode
from world_model_core.simulation.match.match import SslMatch
from world_model_core.simulation.match.parameters import SslMatchParameters

FIELD = FieldSize(12.0, 9.0, 1.8, 0.18, 0.3)


def test_detections_and_estimates_are_in_visions_clock():
    """Each frame is kept at its capture time, with the estimate at that time."""
    replayed = replay(vision(number) for number in range(60))
    assert len(replayed.detections) == len(replayed.frames_ns) == 60
    assert set(replayed.detections.cameras.tolist()) == {2}
    last = replayed.estimates[-1]
    assert last.frame_ns == replayed.frames_ns[-1] == pytest.approx(last.state.stamp_ns, abs=MS)
    assert last.source is BallSource.VISION
    assert last.state.position[:2] == pytest.approx([0.014 * 59, 0.5], abs=0.002)
    assert replayed.delays.sending == pytest.approx(0.008)
    assert replayed.delays.arrival == pytest.approx(0.0, abs=1e-6)


def test_datagrams_that_came_twice_count_once():
    """A recorder with two network interfaces writes each datagram twice."""
    once = replay(vision(number) for number in range(20))
    twice = replay(message for number in range(20) for message in [vision(number)] * 2)
    assert len(twice.detections) == len(once.detections)
    assert len(twice.estimates) == len(once.estimates)


@given(st.sampled_from([0, 50 * MS, 20_000 * MS, -(10**18)]))
def test_frames_of_a_tracker_are_converted_to_visions_clock(clock_ns):
    """A clock of its own is distinguished from vision's clock with a small delay."""
    messages = [each for n in range(40) for each in (vision(n), tracker(n, clock_ns))]
    replayed = replay(messages)
    (own,) = replayed.trackers
    offs = [abs(f.stamp_ns - START_NS - f.frame_number * 14 * MS) for f in own.frames]
    assert len(offs) == 40
    assert max(offs) <= 50 * MS
    assert (own.uuid, own.name) == ('a', 'tracker a')
    names = [predictor.name for predictor in predictors(replayed, {'other': own})]
    assert names == ['ours', 'constant velocity', 'deceleration 0.7', 'other']


def test_of_several_trackers_the_one_with_most_frames_is_the_first():
    """Two may send at once; one frame per stamp is kept."""
    messages = [vision(n) for n in range(20)]
    messages += [tracker(n, uuid='b') for n in range(20)]
    messages += [tracker(n, uuid='a') for n in range(10)]
    repeated = replace(messages[25], received_ns=messages[25].received_ns + MS)
    replayed = replay([*messages, repeated])
    assert [each.name for each in replayed.trackers] == ['tracker b', 'tracker a']
    assert [len(each.frames) for each in replayed.trackers] == [20, 10]


def test_without_a_tracker_the_baselines_use_our_states():
    """Then there are no other states."""
    names = [each.name for each in predictors(replay(vision(n) for n in range(20)), {})]
    assert names == ['ours', 'constant velocity', 'deceleration 0.7']


def test_possible_constants_on_the_wire_take_precedence():
    """The constants of vision are used as by a client; impossible ones are not."""
    good, bad = StraightModel(-3.0, -0.3, 0.6), StraightModel(3.0, -0.3, 0.6)
    for model, acceleration in ((good, -3.0), (bad, BallParameters().slide_acceleration)):
        replayed = replay([vision(0, Geometry(FIELD, (), straight=model)), vision(1)])
        assert replayed.parameters.slide_acceleration == acceleration


@given(st.lists(st.tuples(st.sampled_from(list(MessageKind)), st.binary(max_size=60))))
def test_any_datagrams_can_be_played(datagrams):
    """Undecodable datagrams are skipped."""
    messages = [Message(START_NS + n * MS, kind, data) for n, (kind, data) in enumerate(datagrams)]
    assert len(replay([*messages, vision(5)]).frames_ns) >= 1


def record_match(seconds):
    """Record vision of a simulated match, in which all clocks agree."""
    parameters = SslMatchParameters(robots_per_team=3)
    sent = takewhile(
        lambda each: each.sent_ns < seconds * 1000 * MS, SslMatch(parameters, START_NS).packets()
    )
    return [
        Message(START_NS + each.sent_ns, MessageKind.VISION_2014, encode_vision(each.packet))
        for each in sent
        if isinstance(each.packet, VisionPacket)
    ]


def test_kicks_and_predictions_are_those_of_a_client():
    """Each published kick is kept with its frame, and predictions are made with its knowledge."""
    messages = record_match(9.0)
    replayed = replay(messages)
    match, client = Match(MatchParameters(mode=SourceMode.VISION)), BallPredictor(BallParameters())
    kicks, resting = [], []
    for message in messages:
        changes = match.receive(Datagram(Channel.VISION, message.data, message.received_ns))
        if changes.geometry is not None:
            client.enclose(changes.geometry.field)
        if changes.kick is not None:
            client.observe_kick(changes.kick)
            kicks.append(changes.kick)
        if changes.ball is not None:
            resting.append(client.predict(changes.ball).trajectory.rest_time)
    assert len({kick.number for kick in kicks}) >= 2
    assert [each.kick.number for each in replayed.kicks] == [kick.number for kick in kicks]
    for own, kick in zip(replayed.kicks, kicks, strict=True):
        assert own.kick.velocity.tolist() == kick.velocity.tolist()
        assert 0 <= own.frame_ns - own.kick.stamp_ns < 2000 * MS
    rests = [each.prediction.trajectory.rest_time for each in replayed.estimates]
    assert rests == pytest.approx(resting, abs=1e-6)

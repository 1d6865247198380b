# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Frames whose stamps are late in bursts must not change the published ball."""

import math
from dataclasses import replace
from itertools import takewhile

import numpy as np
import pytest

from world_model_core.match.datagrams import Datagram
from world_model_core.match.match import Match
from world_model_core.match.ssl.recording import MessageKind, RecordingReader
from world_model_core.match.ssl.referee_values import Referee
from world_model_core.match.ssl.vision_packets import decode_vision, encode_vision
from world_model_core.match.values import Channel, MatchParameters, SourceMode
from world_model_core.simulation.match.match import SslMatch
from world_model_core.simulation.match.parameters import SslMatchParameters
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND

EPOCH_NS = 1_700_000_000 * SECOND
# Stamps of a real match came 17.2, 20.2, 15.3, 11.9, 10.0, 16.2, 10.6, ... ms after each other,
# while the ball moved evenly: so late were they [ms].
BURST = (3.6, 10.2, 11.8, 10.1, 6.5, 9.1, 6.1, 6.9, 8.2, 5.2, 2.3)
# Delays of successive stamps [s]: mostly small, with such bursts.
RNG = np.random.default_rng(4)
DELAYS = tuple(
    (1e-3 * np.concatenate([(*RNG.exponential(0.3, 40), *BURST) for _ in range(6)])).tolist()
)


def receive(match, packet, received_ns):
    """Return the changes by a packet of vision."""
    return match.receive(Datagram(Channel.VISION, encode_vision(packet), received_ns))


def recorded(path):
    """Return the packets of vision in a recording, with their times of receipt."""
    return [
        (message.received_ns, decode_vision(message.data))
        for message in RecordingReader(path)
        if message.kind is MessageKind.VISION_2014
    ]


def with_burst(packets, first):
    """Make the stamps of camera 1 late in a burst, from its frame with index `first` on."""
    late, index = [], 0
    for received_ns, packet in packets:
        frame = packet.detection
        if frame is not None and frame.camera_id == 1:
            delay = BURST[index - first] if 0 <= index - first < len(BURST) else 0.0
            frame = replace(frame, capture_ns=frame.capture_ns + round(1e6 * delay))
            index += 1
        late.append((received_ns, replace(packet, detection=frame)))
    return late


def speeds_and_kicks(packets):
    """Return the speed published for each frame of camera 1, and the numbers of all kicks."""
    match, speeds, kicks = Match(MatchParameters(mode=SourceMode.VISION)), [], set()
    for received_ns, packet in packets:
        changes = receive(match, packet, received_ns)
        if changes.kick is not None:
            kicks.add(changes.kick.number)
        if packet.detection is not None and packet.detection.camera_id == 1:
            ball = changes.ball
            speeds.append(math.nan if ball is None else math.hypot(*ball.velocity[:2]))
    return np.array(speeds), kicks


@pytest.mark.parametrize('first', [125, 150, 175])
def test_a_burst_of_late_stamps_is_no_kick(shared_data, first):
    """While a ball rolls in a real match, a burst must change its speed by 0.07 m/s at most."""
    packets = recorded(shared_data('ssl/match_2022_part1.log.gz'))
    undisturbed, kicks = speeds_and_kicks(packets)
    speeds, kicks_in_burst = speeds_and_kicks(with_burst(packets, first))
    assert kicks_in_burst == kicks
    during = slice(first, first + len(BURST) + 10)
    assert np.nanmin(undisturbed[during]) > 0.8
    assert np.nanmax(abs(speeds - undisturbed)[during]) < 0.07


def tracked(delays, seconds=8.0):
    """Return all estimates of the speed of free balls with the true ones, and all kicks."""
    match = Match(MatchParameters(mode=SourceMode.VISION))
    parameters = SslMatchParameters(seed=5, stamp_delays=delays)
    pairs, kicks = [], {}
    packets = SslMatch(parameters, EPOCH_NS).packets()
    for sent in takewhile(lambda each: each.sent_ns < seconds * SECOND, packets):
        if isinstance(sent.packet, Referee):
            continue
        changes = receive(match, sent.packet, EPOCH_NS + sent.sent_ns)
        if changes.kick is not None:
            kicks[changes.kick.number] = changes.kick.chip_probability
        truth = sent.truth
        if truth is None or changes.ball is None:
            continue
        if truth.position[2] == 0.0 and truth.stamp_ns - truth.touched_ns > 0.3 * SECOND:
            pairs.append((math.hypot(*changes.ball.velocity[:2]), math.hypot(*truth.velocity)))
    return np.array(pairs), kicks


def test_bursts_change_neither_speeds_nor_kicks():
    """With bursts there must be the same kicks, and speeds right to 1 % and 0.01 m/s."""
    exact_speeds, exact_kicks = tracked(())
    speeds, kicks = tracked(DELAYS)
    assert len(kicks) == len(exact_kicks)
    assert sum(chip > 0.5 for chip in kicks.values()) == sum(
        chip > 0.5 for chip in exact_kicks.values()
    )
    for pairs in (exact_speeds, speeds):
        assert len(pairs) > 100
        errors = (pairs[:, 0] - pairs[:, 1]) / (0.01 * pairs[:, 1] + 0.01)
        assert np.sqrt(np.mean(errors**2)) < 1.0

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""More than a minute of a match: its containers do not grow, and no datagram is lost."""

import itertools
from dataclasses import replace

from vision_stream import size

from benchmarks.match.recording import simulate_match
from benchmarks.match.soaked_match import CompressedReceiver
from world_model_core.match.ssl.wire import Referee, WrapperPacket
from world_model_core.match.values import Channel
from world_model_core.simulation.match.parameters import SslMatchParameters
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND

# A small match, because simulated time must pass quickly.
MATCH = SslMatchParameters(cameras=1, robots_per_team=3, camera_rate=15.0, lost_frames=0.05)
PIECE_NS = 5 * SECOND
WARM_UP, PIECES = 6, 16
# CPU time of a datagram [ns].
WORK_NS = 500_000


def later(datagram, shift_ns):
    """Return a datagram that is sent and received later."""
    vision = datagram.channel is Channel.VISION
    packet = (WrapperPacket if vision else Referee).FromString(datagram.data)
    if not vision:
        packet.packet_timestamp += shift_ns // 1000
    elif packet.HasField('detection'):
        packet.detection.t_capture += shift_ns / SECOND
        packet.detection.t_sent += shift_ns / SECOND
    data = packet.SerializeToString()
    return replace(datagram, data=data, received_ns=datagram.received_ns + shift_ns)


def test_a_match_leaves_nothing_behind():
    """After a warm-up, no container may have more entries; each datagram must be counted."""
    receiver = CompressedReceiver(itertools.count(1, WORK_NS).__next__)
    piece, sizes = simulate_match(PIECE_NS, MATCH), []
    for number in range(PIECES):
        for datagram in piece:
            receiver.receive(later(datagram, number * PIECE_NS))
        sizes.append(size((receiver.match, receiver.queues)))
    receiver.drain()
    assert max(sizes[WARM_UP:]) <= 1.02 * max(sizes[:WARM_UP]), sizes
    assert sum(receiver.sent.values()) == PIECES * len(piece)
    assert receiver.lost() == dict.fromkeys((channel.value for channel in Channel), 0)
    causes = ' '.join(receiver.match.counters)
    assert 'jumped' not in causes
    assert 'Error' not in causes

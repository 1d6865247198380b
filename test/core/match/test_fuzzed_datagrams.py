# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Any datagrams, through queues and match: no exception, bounded memory, every one counted."""

from itertools import islice

from fuzzed_datagrams import fuzzed_datagrams, stalling_clock
from vision_stream import size

from benchmarks.match.soaked_match import CompressedReceiver
from world_model_core.match.values import Channel

DATAGRAMS = 50_000
# Limit of the entries in a match and its queues.
MOST_KEPT = 30_000


def test_any_datagrams_are_used_or_counted_and_nothing_is_kept_of_them():
    """Every datagram must be received by the match or counted as dropped, exactly."""
    receiver = CompressedReceiver(stalling_clock(1))
    for datagram in islice(fuzzed_datagrams(1), DATAGRAMS):
        receiver.receive(datagram)
    assert size((receiver.match, receiver.queues)) < MOST_KEPT
    receiver.drain()
    assert sum(receiver.sent.values()) == DATAGRAMS
    assert receiver.lost() == dict.fromkeys((channel.value for channel in Channel), 0)
    dropped, received = receiver.queues.counters, receiver.match.counters
    for cause in ('vision.queue full', 'vision.too old', 'vision.MalformedPacketError'):
        assert dropped[cause] > 0
    assert received['clock.jumped back'] > 0
    for cause in ('vision.received', 'vision.MalformedPacketError', 'tracker.other tracker'):
        assert received[cause] > 0

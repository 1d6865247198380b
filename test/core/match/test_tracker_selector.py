# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Selection of one tracker among several."""

from collections import Counter

import pytest

from world_model_core.match.datagrams import Datagram, SenderAddress
from world_model_core.match.sender_clock import SenderClock
from world_model_core.match.senders.allowed_senders import AllowedSenders
from world_model_core.match.senders.incumbents import SENDER_TIMEOUT_NS, Incumbents, Role
from world_model_core.match.senders.sender_filter import SenderFilter
from world_model_core.match.ssl.tracker_values import TrackerPacket
from world_model_core.match.tracker_selector import TrackerSelector
from world_model_core.match.values import Channel

TIGERS = TrackerPacket('uuid-1', 'TIGERs', None)
ERFORCE = TrackerPacket('uuid-2', 'ER-Force', None)
SILENCE = SENDER_TIMEOUT_NS[Role.TRACKER]


def select(wanted=''):
    """Return a selector with a timeout of 100 ns."""
    senders = SenderFilter(AllowedSenders(), Counter(), Incumbents())
    return TrackerSelector(wanted, 100, senders)


def reject(selector, packet, now_ns, address='10.0.0.5'):
    """Return why a packet is rejected."""
    datagram = Datagram(Channel.TRACKER, b'', now_ns, SenderAddress(address, 4000))
    return selector.reason_to_reject(packet, datagram, SenderClock())


def test_the_first_tracker_is_kept():
    """Another tracker must be ignored while the first one sends."""
    selector = select()
    assert reject(selector, TIGERS, 0) is None
    assert reject(selector, ERFORCE, 50) == 'other tracker'
    assert reject(selector, TIGERS, 100) is None
    assert reject(selector, ERFORCE, 200) == 'other tracker'
    assert (selector.uuid, selector.name) == ('uuid-1', 'TIGERs')


def test_a_silent_tracker_is_inactive_before_it_is_replaced():
    """After the timeout it must be inactive, after that of its office be replaced."""
    selector = select()
    reject(selector, TIGERS, 0)
    assert selector.is_active(100)
    assert not selector.is_active(101)
    assert reject(selector, ERFORCE, SILENCE) == 'other tracker'
    assert reject(selector, ERFORCE, SILENCE + 1) is None
    assert reject(selector, TIGERS, SILENCE + 2) == 'other tracker'


def test_the_same_tracker_of_another_address_is_ignored():
    """A copied uuid must not be accepted from elsewhere."""
    selector = select()
    reject(selector, TIGERS, 0)
    assert reject(selector, TIGERS, 1, '10.0.0.9') == 'other sender'


@pytest.mark.parametrize('wanted', ['ER-Force', 'uuid-2'])
def test_a_requested_tracker_is_the_only_one(wanted):
    """By name or by uuid, only the requested tracker must be used."""
    selector = select(wanted)
    assert reject(selector, TIGERS, 0) == 'other tracker'
    assert not selector.is_active(0)
    assert reject(selector, ERFORCE, 1) is None

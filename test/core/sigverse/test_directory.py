# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The name service finds the provider that is used least, of those that answer."""

from __future__ import annotations

import pytest

from world_model_core.sigverse.connection_packets import ProvideService, ServiceAddress
from world_model_core.sigverse.directory import (
    MOST_PINGS,
    MOST_PROVIDERS,
    PING_PERIOD_NS,
    ServiceDirectory,
)
from world_model_core.sigverse.packet_types import ServiceFlag
from world_model_core.sigverse.primitives import SigversePacketError

VIEW = ServiceFlag.CAPTURE_VIEW
SOUND = ServiceFlag.SOUND_RECOG


@pytest.fixture
def directory():
    """Return a directory with two viewers and a recognizer."""
    found = ServiceDirectory()
    for name, services, port in (('a', VIEW, 8000), ('b', VIEW, 8001), ('words', SOUND, 8002)):
        found.register(ProvideService(name, services, 'elsewhere', port), '10.0.0.7')
    return found


def find(directory, services, alive):
    """Return the name of the provider that is found if some are alive, and who was asked."""
    lookup, now_ns, asked = directory.look_up(services), 0, []
    while not lookup.ended:
        address = lookup.ping(now_ns)
        if address is None:
            now_ns = lookup.next_ping_ns
            continue
        asked.append(address.name)
        if address.name in alive:
            lookup.answered(address)
    return lookup.found and lookup.found.name, asked, now_ns


def test_the_least_used_provider_is_found(directory):
    """Clients must be spread over providers."""
    found = [find(directory, VIEW, 'ab')[0] for _ in range(4)]
    assert found == ['a', 'b', 'a', 'b']


def test_a_dead_provider_is_asked_for_a_second_and_the_next_one_found(directory):
    """It must be asked 100 times each 10 ms, as a provider may be busy."""
    found, asked, now_ns = find(directory, VIEW, 'b')
    assert (found, asked) == ('b', [*MOST_PINGS * 'a', 'b'])
    assert now_ns == MOST_PINGS * PING_PERIOD_NS


def test_a_dead_provider_is_asked_last_and_may_return(directory):
    """Nobody must wait for it as long as others answer."""
    find(directory, VIEW, 'b')
    assert find(directory, VIEW, 'ab')[:2] == ('b', ['b'])
    directory.remove('b')
    assert find(directory, VIEW, 'a')[:2] == ('a', ['a'])


def test_nobody_is_found_where_nobody_answers(directory):
    """The lookup must end, whether there are providers or not."""
    found, asked, _ = find(directory, SOUND, '')
    assert (found, len(asked)) == (None, MOST_PINGS)
    for services in (0, ServiceFlag.DETECT_ENTITIES, VIEW | SOUND):
        assert find(directory, services, 'ab') == (None, [], 0)


def test_answers_of_others_do_not_count(directory):
    """A provider must not answer in the name of another."""
    lookup = directory.look_up(VIEW)
    asked = lookup.ping(0)
    lookup.answered(ServiceAddress('b', VIEW, '10.0.0.7', 8001))
    assert not lookup.ended
    lookup.answered(asked)
    assert lookup.found == asked
    assert lookup.ping(10**9) is None


def test_providers_are_asked_where_they_came_from(directory):
    """The host that a provider names must not be connected to."""
    assert directory.look_up(SOUND).ping(0).host == '10.0.0.7'


@pytest.mark.parametrize(
    ('provider', 'host', 'reason'),
    [
        (ProvideService('a', VIEW, '', 9000), '10.0.0.8', "'a' is registered from 10.0.0.7"),
        (ProvideService('c', VIEW, '', 0), '10.0.0.7', 'port .* is 0; it must be 1 to 65535'),
        (ProvideService('c', VIEW, '', 65_536), '10.0.0.7', 'it must be 1 to 65535'),
        (ProvideService('c', 0, '', 9000), '10.0.0.7', 'services .* are 0'),
        (ProvideService('c', 65_536, '', 9000), '10.0.0.7', 'must be 1 to 65535'),
    ],
)
def test_invalid_providers_are_refused(directory, provider, host, reason):
    """The error must name the field, the value and the limit."""
    with pytest.raises(SigversePacketError, match=reason):
        directory.register(provider, host)


def test_providers_may_come_back_and_are_limited(directory):
    """A provider that was started again has another port; a crowd is refused."""
    directory.register(ProvideService('a', VIEW, '', 9000), '10.0.0.7')
    assert directory.look_up(VIEW).ping(0).port == 9000
    for number in range(MOST_PROVIDERS - 3):
        directory.register(ProvideService(f'more {number}', VIEW, '', 9000), '10.0.0.7')
    with pytest.raises(SigversePacketError, match='64 providers'):
        directory.register(ProvideService('one more', VIEW, '', 9000), '10.0.0.7')

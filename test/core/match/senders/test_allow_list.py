# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Addresses and networks from which datagrams are accepted."""

import pytest

from world_model_core.errors import ConfigurationError
from world_model_core.match.senders.allow_list import CAPACITY, AllowList


def test_an_empty_list_allows_every_sender():
    """Without entries, every address must be accepted, also that of a recording."""
    everyone = AllowList(' ', 'vision_senders')
    assert not everyone
    assert everyone.allows('10.0.0.5')
    assert everyone.allows('')


def test_addresses_and_networks_are_allowed():
    """Listed addresses and those in listed networks must be accepted, no others."""
    allowed = AllowList('10.0.0.5, 10.0.1.0/24,192.168.7.9/16', 'vision_senders')
    assert allowed
    for address in ('10.0.0.5', '10.0.1.77', '192.168.200.1'):
        assert allowed.allows(address)
    for address in ('10.0.0.6', '10.0.2.1', '192.169.7.9', '', 'localhost', '::1'):
        assert not allowed.allows(address)


def test_many_addresses_are_checked_in_bounded_memory():
    """Any number of addresses must be checked, and few results stored."""
    allowed = AllowList('10.0.0.0/16', 'vision_senders')
    for number in range(3 * CAPACITY):
        assert allowed.allows(f'10.0.{number // 256}.{number % 256}')
    assert len(allowed._known) <= CAPACITY


@pytest.mark.parametrize('mask', ['33', '-1', '', '255.255.255.0', '8.0', '9' * 5000])
def test_a_wrong_mask_is_refused_with_its_limits(mask):
    """The error must name the parameter, the entry and the limits of the mask."""
    with pytest.raises(ConfigurationError) as caught:
        AllowList(f'10.0.0.5,10.0.0.0/{mask}', 'tracker_senders')
    assert str(caught.value).startswith(f"tracker_senders contains '10.0.0.0/{mask}'")
    assert 'from 0 to 32' in str(caught.value)


@pytest.mark.parametrize(
    'entry', ['10.0.0.256', '10.0.0', 'vision-pc', '::1', '10.0.0.5 10.0.0.6']
)
def test_a_wrong_address_is_refused(entry):
    """The error must name the parameter and the entry."""
    with pytest.raises(ConfigurationError, match='referee_senders contains') as caught:
        AllowList(f'{entry}, 10.0.0.1', 'referee_senders')
    assert repr(entry) in str(caught.value)


def test_an_empty_entry_is_refused():
    """A comma too many must not be ignored."""
    with pytest.raises(ConfigurationError, match="contains ''"):
        AllowList('10.0.0.1,', 'referee_senders')

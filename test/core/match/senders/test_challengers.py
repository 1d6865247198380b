# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Senders that are ignored, and how they are named."""

import pytest

from world_model_core.match.datagrams import Datagram, SenderAddress
from world_model_core.match.senders.challengers import (
    CAPACITY,
    MOST_DATAGRAMS,
    MOST_WARNINGS,
    SILENCE_NS,
    Challengers,
)
from world_model_core.match.values import Channel

TEXT = '10.0.0.9 is ignored'


def datagram_of(number, now_ns=0, address='10.0.0.9'):
    """Return a datagram whose content is its number."""
    return Datagram(Channel.VISION, b'%d' % number, now_ns, SenderAddress(address, 4000))


def test_a_challenger_is_named_until_it_is_silent():
    """The warning must be there from the first packet to two seconds after the last one."""
    challengers = Challengers()
    assert challengers.warnings(0) == ()
    challengers.reject('camera 1', datagram_of(1, 10), TEXT)
    assert challengers.warnings(10) == (TEXT,)
    assert challengers.warnings(10 + SILENCE_NS) == (TEXT,)
    assert challengers.warnings(11 + SILENCE_NS) == ()


@pytest.mark.parametrize('loss', [0.0, 0.3])
@pytest.mark.parametrize('copy_first', [0.0, 0.5, 1.0])
def test_copies_by_another_path_are_not_named(loss, copy_first):
    """A second address of the same host must not be named, whichever copy arrives first."""
    challengers, period = Challengers(), 100
    for number in range(1000):
        copy, lost = number % period < copy_first * period, number % 10 < 10 * loss
        if copy or lost:  # the copy is the first that arrives
            challengers.reject('camera 1', datagram_of(number, number), TEXT)
        if copy and not lost:
            challengers.use(datagram_of(number).data)
        if not (copy or lost):
            challengers.copy(datagram_of(number).sender)
    assert challengers.warnings(1000) == ()


def test_other_datagrams_of_a_second_address_are_named():
    """A sender that adds its own datagrams to the copies must be named."""
    challengers = Challengers()
    for number in range(100):
        challengers.reject('camera 1', datagram_of(number), TEXT)
        if number % 4 == 0:
            challengers.use(datagram_of(number).data)
    assert challengers.warnings(0) == (TEXT,)


def test_any_number_of_challengers_has_few_warnings_in_bounded_memory():
    """An attacker with many addresses must not fill the memory nor the diagnostics."""
    challengers = Challengers()
    for number in range(1000):
        sent = datagram_of(number, address=f'10.0.{number // 256}.{number % 256}')
        challengers.reject('camera 1', sent, f'{sent.sender.address} is ignored')
    warnings = challengers.warnings(0)
    assert len(warnings) == MOST_WARNINGS + 1
    assert warnings[0] == '10.0.3.231 is ignored'
    assert warnings[-1] == f'{CAPACITY - MOST_WARNINGS} more senders are ignored'
    assert len(challengers._known) == CAPACITY
    assert len(challengers._datagrams) == MOST_DATAGRAMS

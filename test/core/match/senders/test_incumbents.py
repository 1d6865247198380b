# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Incumbent senders and their timeouts."""

import pytest

from world_model_core.match.datagrams import SenderAddress
from world_model_core.match.senders.incumbents import (
    GEOMETRY,
    MOST_OFFICES,
    REFEREE,
    SENDER_TIMEOUT_NS,
    TRACKER,
    Identity,
    Incumbents,
    Office,
    Role,
)

CAMERA = Office(Role.CAMERA, 1)
FIRST = Identity(SenderAddress('10.0.0.5', 4000))
SECOND = Identity(SenderAddress('10.0.0.9', 4000))
NEW_PORT = Identity(SenderAddress('10.0.0.5', 5000))


@pytest.mark.parametrize('office', [CAMERA, GEOMETRY, TRACKER, REFEREE], ids=str)
@pytest.mark.parametrize('other', [SECOND, NEW_PORT, FIRST._replace(name='another')])
def test_an_incumbent_keeps_its_office_until_it_is_silent(office, other):
    """Another sender must be accepted only after the timeout, and then be the incumbent."""
    incumbents, timeout_ns = Incumbents(), SENDER_TIMEOUT_NS[office.role]
    assert incumbents.accepts(office, FIRST, 0)
    assert not incumbents.accepts(office, other, 1)
    assert incumbents.accepts(office, FIRST, 10)
    assert not incumbents.accepts(office, other, timeout_ns + 10)
    assert incumbents.holder(office, timeout_ns + 10) == FIRST
    assert incumbents.holder(office, timeout_ns + 11) is None
    assert incumbents.accepts(office, other, timeout_ns + 11)
    assert not incumbents.accepts(office, FIRST, timeout_ns + 12)


def test_offices_are_independent():
    """Each camera must have its own incumbent."""
    incumbents = Incumbents()
    assert incumbents.accepts(CAMERA, FIRST, 0)
    assert incumbents.accepts(Office(Role.CAMERA, 2), SECOND, 0)
    assert set(incumbents.cameras(0)) == {FIRST, SECOND}


def test_the_last_incumbents_come_first_after_a_restart():
    """A remembered incumbent must be accepted from any port, another sender only later."""
    incumbents, later = Incumbents(), -(10**12)  # time jumped back
    incumbents.accepts(CAMERA, FIRST, 0)
    incumbents.restart()
    assert not incumbents.accepts(CAMERA, SECOND, later)
    assert incumbents.accepts(CAMERA, NEW_PORT, later + 1)
    assert not incumbents.accepts(CAMERA, FIRST, later + 2)


def test_a_remembered_incumbent_that_is_gone_is_replaced():
    """It must have its timeout from the first packet on, however late that is."""
    incumbents, later = Incumbents(), 10**12
    incumbents.accepts(CAMERA, FIRST, 0)
    incumbents.restart()
    assert not incumbents.accepts(CAMERA, SECOND, later)
    assert incumbents.accepts(CAMERA, SECOND, later + SENDER_TIMEOUT_NS[Role.CAMERA] + 1)


def test_the_memory_is_bounded():
    """Beyond the largest number of offices, those silent for longest must be given up."""
    incumbents = Incumbents()
    for number in range(3 * MOST_OFFICES):
        assert incumbents.accepts(Office(Role.CAMERA, number), FIRST, number)
    offices = [office.camera_id for office, _ in incumbents]
    assert offices == list(range(2 * MOST_OFFICES, 3 * MOST_OFFICES))

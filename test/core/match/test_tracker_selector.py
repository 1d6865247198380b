# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Selection of one tracker among several."""

import pytest

from world_model_core.match.ssl.values import TrackerPacket
from world_model_core.match.tracker_selector import TrackerSelector

TIGERS = TrackerPacket('uuid-1', 'TIGERs', None)
ERFORCE = TrackerPacket('uuid-2', 'ER-Force', None)


def test_the_first_tracker_is_kept():
    """Another tracker must be ignored while the first one sends."""
    selector = TrackerSelector('', 100)
    assert selector.accepts(TIGERS, 0)
    assert not selector.accepts(ERFORCE, 50)
    assert selector.accepts(TIGERS, 100)
    assert not selector.accepts(ERFORCE, 200)
    assert (selector.uuid, selector.name) == ('uuid-1', 'TIGERs')


def test_a_timeout_ends_the_selection():
    """After the timeout the next tracker must be selected, and stay selected."""
    selector = TrackerSelector('', 100)
    selector.accepts(TIGERS, 0)
    assert selector.is_active(100)
    assert not selector.is_active(101)
    assert selector.accepts(ERFORCE, 101)
    assert not selector.accepts(TIGERS, 102)


@pytest.mark.parametrize('wanted', ['ER-Force', 'uuid-2'])
def test_a_requested_tracker_is_the_only_one(wanted):
    """By name or by uuid, only the requested tracker must be used."""
    selector = TrackerSelector(wanted, 100)
    assert not selector.accepts(TIGERS, 0)
    assert not selector.is_active(0)
    assert selector.accepts(ERFORCE, 1)

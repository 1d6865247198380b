# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Packets reach the controllers that they are for."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.sigverse.forwarding import receivers
from world_model_core.sigverse.header import Forwarding
from world_model_core.sigverse.packet_types import ForwardFlag

FORWARD, NEAR = ForwardFlag.FORWARD, ForwardFlag.FORWARD | ForwardFlag.REACH_RADIUS
CONTROLLERS = ('ann', 'bob', 'eve', 'ghost')
POSITIONS = {'ann': (0.0, 0.0, 0.0), 'bob': (3.0, 0.0, 4.0), 'eve': (0.0, 0.0, 0.0)}


@pytest.mark.parametrize(
    ('forwarding', 'expected'),
    [
        (Forwarding(), ()),
        (Forwarding(FORWARD, 'bob'), ('bob',)),
        (Forwarding(FORWARD, 'ann'), ('ann',)),
        (Forwarding(FORWARD, 'nobody'), ()),
        (Forwarding(FORWARD), ('bob', 'eve', 'ghost')),
        (Forwarding(NEAR, '', -1.0), ('bob', 'eve', 'ghost')),
        (Forwarding(NEAR, '', 5.1), ('bob',)),
        (Forwarding(NEAR, '', 5.0), ()),
        (Forwarding(NEAR, '', 0.0), ()),
        (Forwarding(NEAR, 'bob', 5.1), ('bob',)),
        (Forwarding(NEAR, 'bob', 4.9), ()),
        (Forwarding(ForwardFlag.REACH_RADIUS, '', 9.0), ()),
    ],
)
def test_packets_go_to_those_whom_the_original_chose(forwarding, expected):
    """A radius must not reach who stands at the same place."""
    assert receivers(forwarding, 'ann', CONTROLLERS, POSITIONS) == expected


@given(st.floats(allow_nan=False), st.sampled_from(CONTROLLERS))
def test_nobody_hears_himself_without_being_named(radius, sender):
    """A packet for all must not come back, whatever its radius."""
    forwarding = Forwarding(NEAR, '', radius)
    found = receivers(forwarding, sender, CONTROLLERS, POSITIONS)
    assert sender not in found
    if radius == math.inf:
        assert 'ghost' not in found

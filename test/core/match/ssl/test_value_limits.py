# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Every number of a packet is bounded alike, and every word of the league has its number."""

from __future__ import annotations

import re

import pytest

from world_model_core.match.ssl import (
    geometry_packets,
    referee_packets,
    tracker_packets,
    value_limits,
    vision_packets,
    wire,
)
from world_model_core.match.ssl.referee_values import Command, Stage
from world_model_core.match.ssl.value_limits import MessageLimits

# Bounds by the unit and the name of a field, the first that matches.
BOUNDS = (
    ('mm', r'field_(length|width)', 100.0, 1e5),
    ('mm', r'z|height', -1e3, 2e4),
    ('mm', r'(.*_)?t[xyz]', -1e5, 1e5),
    ('mm', r'(.*\.)?[xy]', -5e4, 5e4),
    ('mm', r'.*', 0.0, 5e4),
    ('m', r'pos\.z', -1.0, 20.0),
    ('m', r'.*pos\.[xy]', -50.0, 50.0),
    ('m/s', r'vel\.[xyz]', -100.0, 100.0),
    ('m/s^2', r'acc_.*', -100.0, -1e-3),
    ('rad', r'orientation|a[12]', -1e3, 1e3),
    ('rad/s', r'vel_angular', -1e3, 1e3),
    ('px', r'pixel_[xy]|principal_point_[xy]', -1e5, 1e5),
    ('px', r'focal_length|pixel_image_(width|height)', 0.0, 1e5),
    ('s', r't_.*|.*timestamp', 0.0, 4e9),
    ('us', r'.*timestamp', 0.0, 4e15),
    ('', r'confidence|visibility', 0.0, 10.0),
    ('', r'robot_id(\.id)?', 0.0, 15.0),
    ('', r'camera_id', 0.0, 63.0),
    ('', r'distortion', -100.0, 100.0),
    ('', r'q[0-3]', -1.01, 1.01),
    ('', r'k_switch|damping_.*', 0.0, 1.0),
)
MODULES = (geometry_packets, referee_packets, tracker_packets, vision_packets)
RANGES = [
    pytest.param(each, id=f'{module.__name__.rpartition(".")[2]}-{name}-{each.field}')
    for module in MODULES
    for name, limits in vars(module).items()
    if isinstance(limits, MessageLimits)
    for each in limits._ranges
]


@pytest.mark.parametrize('limit', RANGES)
def test_fields_of_one_kind_have_one_bound(limit):
    """A position, a speed, an angle and so on must have the same bounds in all messages."""
    bounds = [
        (low, high)
        for unit, name, low, high in BOUNDS
        if unit == limit.unit and re.fullmatch(name, limit.field)
    ]
    assert (limit.low, limit.high) == bounds[0]


def test_limits_in_different_units_agree():
    """Times in seconds and microseconds must have the same limit, which fits into int64."""
    assert value_limits.MICROSECONDS == value_limits.SECONDS * wire.US
    assert 2 * value_limits.SECONDS * 10**9 < 2**63
    assert wire.nanoseconds(1.0000004) == 1_000_000_000
    assert wire.nanoseconds(1.0000016) == 1_000_002_000


@pytest.mark.parametrize(
    ('words', 'first', 'last'),
    [
        (Stage, 'NORMAL_FIRST_HALF_PRE', 'POST_GAME'),
        (Command, 'HALT', 'BALL_PLACEMENT_BLUE'),
    ],
)
def test_words_of_the_referee_are_numbered_without_gaps(words, first, last):
    """The league numbers stages and commands from 0 on; none may be missing or double."""
    assert [int(each) for each in words] == list(range(len(words.__members__)))
    assert (words(0).name, words(len(words) - 1).name) == (first, last)

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Packets survive encoding and decoding with any version of protobuf."""

from __future__ import annotations

from hypothesis import given
from strategies import referees, tracker_packets, vision_packets

from world_model_core.match.ssl.referee_packets import decode_referee, encode_referee
from world_model_core.match.ssl.tracker_packets import decode_tracker, encode_tracker
from world_model_core.match.ssl.vision_packets import decode_vision, encode_vision


@given(vision_packets())
def test_vision_comes_back(packet):
    """A detection and a geometry must survive, with every optional field."""
    assert decode_vision(encode_vision(packet)) == packet


@given(tracker_packets())
def test_tracker_comes_back(packet):
    """A tracked frame must survive, including unknown capabilities."""
    assert decode_tracker(encode_tracker(packet)) == packet


@given(referees())
def test_referee_comes_back(referee):
    """A referee packet must survive, including unknown commands and stages."""
    decoded = decode_referee(encode_referee(referee))
    assert decoded == referee
    assert type(decoded.command) is type(referee.command)

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Any datagram gives a value or a typed error."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import referees, tracker_packets, vision_packets

from world_model_core.errors import PacketError
from world_model_core.match.ssl import wire
from world_model_core.match.ssl.recording import MessageKind, RecordingReader
from world_model_core.match.ssl.referee_packets import decode_referee, encode_referee
from world_model_core.match.ssl.referee_values import Referee
from world_model_core.match.ssl.tracker_packets import decode_tracker, encode_tracker
from world_model_core.match.ssl.tracker_values import TrackerPacket
from world_model_core.match.ssl.vision_packets import decode_vision, encode_vision
from world_model_core.match.ssl.vision_values import VisionPacket

DECODERS = {
    decode_vision: VisionPacket,
    decode_tracker: TrackerPacket,
    decode_referee: Referee,
}
KINDS = {
    decode_vision: MessageKind.VISION_2014,
    decode_tracker: MessageKind.VISION_TRACKER_2020,
    decode_referee: MessageKind.REFBOX_2013,
}


def decodes(decode, data: bytes) -> bool:
    """Return whether `data` decodes; any error but a PacketError is raised."""
    try:
        packet = decode(data)
    except PacketError:
        return False
    assert isinstance(packet, DECODERS[decode])
    return True


def _encoded() -> st.SearchStrategy[bytes]:
    """Draw datagrams of every kind."""
    return (
        vision_packets().map(encode_vision)
        | tracker_packets().map(encode_tracker)
        | referees().map(encode_referee)
    )


@given(st.binary(max_size=200))
def test_random_bytes(data):
    """Random bytes must give a value or a typed error from each decoder."""
    for decode in DECODERS:
        decodes(decode, data)


@given(_encoded(), st.data())
def test_damaged_datagrams(data, draw):
    """A datagram cut short or with a byte changed must give a value or a typed error."""
    at = draw.draw(st.integers(0, len(data) - 1))
    changed = bytearray(data)
    changed[at] ^= draw.draw(st.integers(1, 255))
    for decode in DECODERS:
        decodes(decode, bytes(changed))
        decodes(decode, data[:at])


@pytest.fixture(scope='module')
def samples(shared_data) -> dict:
    """One real datagram for each decoder, the largest one."""
    messages = list(RecordingReader(shared_data('ssl/match_2022_part1.log.gz')))
    return {
        decode: max((m.data for m in messages if m.kind == kind), key=len)
        for decode, kind in KINDS.items()
    }


@pytest.mark.parametrize('decode', DECODERS)
def test_every_bit_of_real_datagrams(samples, decode):
    """A real datagram with any one bit flipped must give a value or a typed error."""
    data = samples[decode]
    rejected = 0
    for bit in range(8 * len(data)):
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        rejected += not decodes(decode, bytes(changed))
    assert 0 < rejected < 8 * len(data)


@pytest.mark.parametrize('decode', DECODERS)
def test_every_truncation_of_real_datagrams(samples, decode):
    """A real datagram truncated anywhere must give a value or a typed error, whole a value."""
    data = samples[decode]
    assert decodes(decode, data)
    for size in range(len(data)):
        decodes(decode, data[:size])


@pytest.mark.parametrize('value', [float('nan'), float('inf'), 1e30, -1e30])
def test_absurd_numbers_in_real_detections(shared_data, value):
    """A real detection with an absurd position must be rejected."""
    for message in RecordingReader(shared_data('ssl/match_2022_part1.log.gz')):
        packet = wire.WrapperPacket()
        if message.kind == MessageKind.VISION_2014:
            packet.ParseFromString(message.data)
        for robot in packet.detection.robots_blue[:1]:
            robot.x = value
            assert not decodes(decode_vision, packet.SerializeToString())
            return
    pytest.fail('the recording has no blue robot')

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The outline of datagrams: garbage is rejected only if the decoders reject it too."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from match_packets import referee, tracker, vision
from samples import FIELD

from world_model_core.errors import ImplausibleValueError, MalformedPacketError, PacketError
from world_model_core.match.ssl.datagram_outline import OTHER_CAMERA, camera_of, check_outline
from world_model_core.match.ssl.geometry_values import Geometry
from world_model_core.match.ssl.referee_packets import decode_referee
from world_model_core.match.ssl.tracker_packets import decode_tracker
from world_model_core.match.ssl.vision_packets import decode_vision, encode_vision
from world_model_core.match.ssl.vision_values import VisionPacket
from world_model_core.match.ssl.wire import WrapperPacket

GEOMETRY = encode_vision(VisionPacket(None, Geometry(field=FIELD, cameras=())))
DECODERS = {
    camera_of: (decode_vision, (vision(3), GEOMETRY, vision(0) + GEOMETRY)),
    check_outline: (decode_tracker, (tracker(3),)),
}


@pytest.mark.parametrize('camera', [0, 1, 63])
@pytest.mark.parametrize('number', [0, 127, 128, 2**32 - 1])
def test_the_camera_of_a_frame_is_read(camera, number):
    """The camera must be found for frame numbers of any length."""
    data = WrapperPacket.FromString(vision(0, camera_id=camera))
    data.detection.frame_number = number
    assert camera_of(data.SerializeToString()) == camera


def test_a_geometry_has_no_camera():
    """A datagram without a detection must have no camera."""
    assert camera_of(GEOMETRY) is None


def test_fields_in_another_order_are_accepted():
    """Detections with another order of fields are valid, and must be left to the decoder."""
    detection = WrapperPacket.FromString(vision(0)).detection.SerializeToString()
    head, rest = detection[:2], detection[2:]
    assert head[0] == 0x08  # frame_number
    data = bytes([0x0A, *_varint(len(detection))]) + rest + head
    assert decode_vision(data).detection is not None
    assert camera_of(data) == OTHER_CAMERA


def _varint(number):
    return (number,) if number < 128 else (number & 127 | 128, *_varint(number >> 7))


def test_a_camera_out_of_range_is_implausible():
    """It must be rejected as by the decoder, so that no queue is made for it."""
    data = WrapperPacket.FromString(vision(0))
    data.detection.camera_id = 2**32 - 1
    for read in (camera_of, decode_vision):
        with pytest.raises(ImplausibleValueError, match='4294967295'):
            read(data.SerializeToString())


@pytest.mark.parametrize(
    'data', [b'', b'\x00', b'\x0f', b'\xff' * 20, vision(0)[:-3], b'\x0a\x05']
)
def test_garbage_is_malformed(data):
    """Empty, truncated and meaningless bytes must be rejected."""
    for read in (camera_of, check_outline, decode_vision):
        with pytest.raises(MalformedPacketError):
            read(data)


@given(st.data())
def test_only_what_the_decoder_rejects_is_rejected(data):
    """For random and damaged datagrams, an error must be one that the decoder raises as well."""
    outline = data.draw(st.sampled_from(list(DECODERS)))
    decode, samples = DECODERS[outline]
    damaged = bytearray(data.draw(st.sampled_from(samples) | st.binary(max_size=60)))
    for _ in range(data.draw(st.integers(0, 3)) if damaged else 0):
        damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    damaged = bytes(damaged[: data.draw(st.integers(0, len(damaged)))])
    try:
        outline(damaged)
    except PacketError as error:
        with pytest.raises(type(error)):
            decode(damaged)


def test_valid_packets_pass():
    """Packets of tracker and referee must pass."""
    for data, decode in ((tracker(1), decode_tracker), (referee(1), decode_referee)):
        check_outline(data)
        decode(data)


def test_a_datagram_with_very_many_fields_is_left_to_the_decoder():
    """The work on the receiving thread must be bounded, whatever a datagram contains."""
    check_outline(b'\x78\x00' * 700 + b'\x0f')
    assert decode_vision(b'\x78\x00' * 700).detection is None

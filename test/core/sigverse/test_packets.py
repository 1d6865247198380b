# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Contents of packets come back from their bytes, and no bytes do harm."""

from __future__ import annotations

import contextlib
import tarfile

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packet_strategies import CONTENTS, FORWARDINGS

from world_model_core.sigverse import entity_packets, sense_packets
from world_model_core.sigverse.header import Forwarding, Packet, decode_packet, encode_packet
from world_model_core.sigverse.messages import (
    LARGEST_MESSAGE,
    MOST_OPEN,
    PacketAssembler,
    UnknownLayoutError,
    encode,
)
from world_model_core.sigverse.objects import OBJECT, ObjectPart, PacketObject, PartShape
from world_model_core.sigverse.packet_types import ForwardFlag, PacketType
from world_model_core.sigverse.packets import LAYOUTS, TYPES
from world_model_core.sigverse.primitives import SigversePacketError, Source
from world_model_core.sigverse.splitter import LostStreamError, PacketSplitter

# Made by hand from the tables of the format; padding is zero.
TEXT = (
    'abcd0040001e000100000005 00000003626f6200 0000000000000040 0000000000000040 '
    '00000003616e6e00 00000003626f6200 0000000268690000 0004dcba'
)
GOLDEN = {
    'onInit': (sense_packets.InvokeInit(), 'abcd001a001c00010000000000000000000000000000f0bfdcba'),
    'text': (sense_packets.InvokeText(2.0, 'ann', 'bob', 'hi', 4), TEXT),
    'mode': (
        entity_packets.SetGravityMode('cup', on=True),
        'abcd0023003e00010000000000000000000000000000f0bf 0000000363757000 01dcba',
    ),
}


def packets_in(data):
    """Return all packets of bytes that have whole packets alone."""
    splitter = PacketSplitter()
    found = [decode_packet(each) for each in splitter.receive_data(data)]
    assert not splitter.begun
    return found


def assembled(data):
    """Return the contents of the messages in bytes."""
    assembler = PacketAssembler()
    contents = [assembler.add(packet) for packet in packets_in(data)]
    return [each for each in contents if each is not None]


@pytest.mark.parametrize('name', GOLDEN)
def test_packets_are_written_as_in_the_tables(name):
    """The bytes must be those that the tables of the format ask for."""
    content, expected = GOLDEN[name]
    forwarding = Forwarding()
    if name == 'text':
        forwarding = Forwarding(ForwardFlag.FORWARD | ForwardFlag.REACH_RADIUS, 'bob', 2.0)
    assert encode(content, forwarding) == bytes.fromhex(expected)
    assert assembled(bytes.fromhex(expected)) == [content]


@given(CONTENTS, FORWARDINGS)
def test_contents_come_back(content, forwarding):
    """All types must survive, in one packet or in many, with their forwarding."""
    data = encode(content, forwarding)
    assert assembled(data) == [content]
    assert {packet.forwarding for packet in packets_in(data)} == {forwarding}


def test_recorded_packets_come_back_to_the_byte(shared_data):
    """Whole packets of SIGVerse's own encoders must be written again, but for padding."""
    with tarfile.open(shared_data('sigverse/sigverse.tar.gz')) as archive:
        lines = archive.extractfile('./golden_packets.txt').read().decode().splitlines()
    recorded = {line.split()[0]: bytes.fromhex(line.split()[-1]) for line in lines}
    box = recorded.pop('SIMOBJ')
    source = Source(box)
    written = bytearray()
    OBJECT.write(OBJECT.read(source, 'object'), written, 'object')
    same_but_for_padding(bytes(written), box)
    whole = [data for data in recorded.values() if packet_is_whole(data)]
    assert len(whole) >= 10
    for data in whole:
        (content,) = assembled(data)
        (packet,) = packets_in(data)
        same_but_for_padding(encode(content, packet.forwarding), data)


def packet_is_whole(data):
    """Return whether the one packet of a message is there as a whole."""
    return len(data) == int.from_bytes(data[2:4], 'big') and data[6:8] == bytes((0, 1))


def same_but_for_padding(written, recorded):
    """Check that bytes differ only where zeros were written, after the end of a text."""
    assert len(written) == len(recorded)
    differing = [at for at in range(len(written)) if written[at] != recorded[at]]
    assert not any(written[at] for at in differing)


@given(CONTENTS, st.data())
def test_streams_may_be_cut_anywhere(content, data):
    """Bytes that come one by one or in any pieces must give the same packets."""
    stream = 2 * encode(content)
    cut = data.draw(st.lists(st.integers(0, len(stream)), max_size=5).map(sorted))
    splitter = PacketSplitter()
    pieces = [stream[begin:end] for begin, end in zip([0, *cut], [*cut, len(stream)], strict=True)]
    found = [packet for piece in pieces for packet in splitter.receive_data(piece)]
    assert b''.join(found) == stream


@given(CONTENTS, st.data())
def test_changed_bytes_raise_nothing_but_packet_errors(content, data):
    """Any bytes must give contents or errors of the package."""
    stream = bytearray(encode(content)[:20_000])
    for _ in range(data.draw(st.integers(1, 4))):
        stream[data.draw(st.integers(0, len(stream) - 1))] = data.draw(st.integers(0, 255))
    splitter, assembler = PacketSplitter(), PacketAssembler()
    with contextlib.suppress(SigversePacketError):
        for packet in splitter.receive_data(bytes(stream)):
            assembler.add(decode_packet(packet))


@given(st.binary(max_size=200))
def test_bytes_of_any_program_are_no_stream(data):
    """What does not begin with a packet must end the stream, with what was expected."""
    splitter = PacketSplitter()
    if data[:2] == b'\xab\xcd'[: len(data)]:
        return
    if len(data) < 4:
        assert list(splitter.receive_data(data)) == []
        return
    with pytest.raises(LostStreamError, match='0xabcd'):
        list(splitter.receive_data(data))


@pytest.mark.parametrize('size', [0, 25])
def test_sizes_below_the_smallest_packet_end_the_stream(size):
    """There is no place from which a stream could go on."""
    with pytest.raises(LostStreamError, match=f'size is {size}; it must be 26'):
        list(PacketSplitter().receive_data(b'\xab\xcd' + size.to_bytes(2, 'big')))


def test_packets_before_a_lost_stream_are_found():
    """They came whole."""
    splitter = PacketSplitter()
    stream = splitter.receive_data(encode(sense_packets.InvokeInit()) + b'nonsense')
    assert decode_packet(next(stream)).kind is PacketType.INVOKE_CONTROLLER_ON_INIT
    with pytest.raises(LostStreamError):
        next(stream)


def part(number, count, data=b'', kind=PacketType.REQUEST_SOUND_RECOG):
    """Return a packet of a message."""
    return Packet(kind, data, count, number)


FIRST_PART = LAYOUTS[PacketType.REQUEST_SOUND_RECOG].split(
    sense_packets.RecognizeSound(1, 16_000, 16, 0, bytes(20_000))
)


@pytest.mark.parametrize('numbers', [(1,), (0, 2), (0, 1, 1)])
def test_packets_out_of_order_drop_their_message(numbers):
    """Missing and repeated packets must be refused, and the next message must be read."""
    assembler = PacketAssembler()
    *first, last = numbers
    for number in first:
        assembler.add(part(number, 3, FIRST_PART[number]))
    with pytest.raises(SigversePacketError, match='came instead of packet'):
        assembler.add(part(last, 3, FIRST_PART[last]))
    for number, data in enumerate(FIRST_PART):
        content = assembler.add(part(number, 3, data))
    assert content.samples == bytes(20_000)
    assert assembler.abandoned == 0


def test_a_message_that_begins_again_replaces_the_one_before():
    """A sender that gave up must be understood; the loss is counted."""
    assembler = PacketAssembler()
    for number in (0, 1, 0, 1, 2):
        content = assembler.add(part(number, 3, FIRST_PART[number]))
    assert len(content.samples) == 20_000
    assert assembler.abandoned == 1


def test_large_messages_are_refused():
    """A sender must not fill the memory with a message that never ends."""
    assembler = PacketAssembler()
    chunk = (10_000).to_bytes(2, 'big') + bytes(10_000)
    for number in range(LARGEST_MESSAGE // len(chunk)):
        assembler.add(part(number, 60_000, chunk))
    with pytest.raises(SigversePacketError, match=f'at most {LARGEST_MESSAGE}'):
        assembler.add(part(LARGEST_MESSAGE // len(chunk), 60_000, chunk))


def test_messages_that_are_not_whole_are_limited():
    """They are of different types; the next one must be refused."""
    assembler = PacketAssembler()
    *begun, one_more = list(LAYOUTS)[: MOST_OPEN + 1]
    for kind in begun:
        assembler.add(part(0, 2, kind=kind))
    with pytest.raises(SigversePacketError, match='4 messages have begun'):
        assembler.add(part(0, 2, kind=one_more))


def test_unknown_contents_are_told_from_invalid_ones():
    """A server answers them differently."""
    with pytest.raises(UnknownLayoutError, match='CONTROLLER_COMMAND'):
        PacketAssembler().add(part(0, 1, kind=PacketType.CONTROLLER_COMMAND))


@pytest.mark.parametrize(
    ('data', 'reason'),
    [
        ('abcd001a004600010000000000000000000000000000f0bfdcba', 'type is 70; it must be at most'),
        ('abcd001a001c00010000000000000000000000000000f0bf0000', 'end token is 0x0000'),
        ('abcd001a001c00000000000000000000000000000000f0bfdcba', 'number is 0 of 0 packets'),
        ('abcd001a001c00010001000000000000000000000000f0bfdcba', 'number is 1 of 1 packets'),
        ('abcd001a001c000100000000000000ff000000000000f0bfdcba', 'receiver needs 256 bytes'),
        ('abcd001a001c00010000000000000000000000000000f8ffdcba', 'radius is not a number'),
        ('abcd001a001c0001000000000000ffffffff00000000f0bfdcba', 'receiver needs .* bytes'),
    ],
)
def test_invalid_headers_are_refused(data, reason):
    """The error must name the field, the value and the limit."""
    with pytest.raises(SigversePacketError, match=reason):
        decode_packet(bytes.fromhex(data.replace(' ', '')))


def test_too_large_packets_cannot_be_written():
    """Sizes are u16."""
    with pytest.raises(SigversePacketError, match='at most 65535'):
        encode_packet(Packet(PacketType.LOG_MSG, bytes(65_535)))
    wide = ObjectPart(0, PartShape.SPHERE, 'a', (0.0,) * 3, (0.0,) * 4, (1.0,))
    large = PacketObject(0, 'a', 'b', 0, 0, (), 1_000 * (wide,))
    with pytest.raises(SigversePacketError, match=r'size of object.parts is \d+'):
        OBJECT.write(large, bytearray(), 'object')


def test_parts_need_the_lengths_of_their_shapes():
    """A sphere with the size of a box must be refused when it is written and when it is read."""
    wrong = ObjectPart(0, PartShape.SPHERE, 'head', (0.0,) * 3, (0.0,) * 4, (1.0, 2.0, 3.0))
    with pytest.raises(SigversePacketError, match="sphere 'head' has 3 lengths; it must have 1"):
        OBJECT.write(PacketObject(0, 'a', 'b', 0, 0, (), (wrong,)), bytearray(), 'object')


def test_each_content_has_one_type():
    """A content must say by its class which packet it is."""
    assert len(TYPES) == len(LAYOUTS)

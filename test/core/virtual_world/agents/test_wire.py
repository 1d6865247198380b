# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Every value arrives as it was sent, and any bytes give values or a typed error."""

from __future__ import annotations

import itertools
import math
import re
import struct
import tracemalloc

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wire_strategies import VALUES, plain_values

from world_model_core.virtual_world.agents import wire_values
from world_model_core.virtual_world.agents.packed_structure import (
    DEEPEST,
    MOST_ITEMS,
    StructureError,
    check_structure,
)
from world_model_core.virtual_world.agents.wire import (
    MOST_FRAME_BYTES,
    FrameReader,
    InvalidFrame,
    WireError,
    encode,
)
from world_model_core.virtual_world.agents.wire_values import Late, Reply, Result
from world_model_core.virtual_world.agents.writes import Write


def frame(packed):
    """Return a frame of any content."""
    return struct.pack('>I', len(packed)) + packed


def received(packed):
    """Return what a reader makes of a frame of any content, and check that it then goes on."""
    value, late = FrameReader().receive_data(frame(packed) + encode(Late(7)))
    assert late == Late(7)
    return value


@pytest.mark.parametrize('name', sorted(VALUES))
def test_every_value_arrives_as_it_was_sent(name):
    """All fields must have equal values of equal types."""

    @settings(max_examples=20)
    @given(VALUES[name])
    def check(value):
        (found,) = FrameReader().receive_data(encode(value))
        assert found == value
        assert repr(found) == repr(value)

    check()


def test_the_strategies_cover_all_values():
    """A class that is added must be tested, too."""
    kinds = set(wire_values.__all__) - {'PROTOCOL_VERSION', 'WireValue'}
    assert set(VALUES) == kinds


@given(st.lists(st.one_of(*VALUES.values()), max_size=3), st.data())
def test_frames_may_arrive_in_any_pieces(values, data):
    """Half frames must wait for their ends."""
    stream = b''.join(map(encode, values))
    cuts = data.draw(st.lists(st.integers(0, len(stream)), max_size=8))
    places = [0, *sorted(cuts), len(stream)]
    reader, found = FrameReader(), []
    for start, end in itertools.pairwise(places):
        found += reader.receive_data(stream[start:end])
    assert found == values


@settings(max_examples=300)
@given(st.binary(max_size=200))
def test_any_content_gives_a_value_or_is_refused(packed):
    """The frame after it must be read in any case."""
    received(packed)


@given(st.lists(st.binary(max_size=60), max_size=5))
def test_any_stream_gives_values_or_an_error(pieces):
    """A length beyond the limit is the only error."""
    reader = FrameReader(1000)
    for piece in pieces:
        try:
            reader.receive_data(piece)
        except WireError:
            return


@given(st.sampled_from(sorted(VALUES)), st.data())
def test_damaged_values_are_read_or_refused(name, data):
    """A changed byte must never raise another error."""
    packed = bytearray(encode(data.draw(VALUES[name]))[4:])
    packed[data.draw(st.integers(0, len(packed) - 1))] = data.draw(st.integers(0, 255))
    received(bytes(packed))


def test_a_length_of_4_gb_is_refused_at_once():
    """The reader must not wait for what it would never take."""
    with pytest.raises(WireError, match='4294967295 bytes; the limit is 64000000'):
        FrameReader().receive_data(b'\xff\xff\xff\xff')


@pytest.mark.parametrize('first', [b'\xdd', b'\xdf', b'\xdb', b'\xc6'])
def test_claimed_lengths_allocate_nothing(first):
    """Arrays, maps, texts and bytes that claim 4 GB must be refused before memory is taken."""
    packed = (first + b'\xff\xff\xff\xff') * 40 + bytes(1000)
    tracemalloc.start()
    value = received(packed)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert isinstance(value, InvalidFrame)
    # The encoder of old versions of msgpack has a buffer of 1 MB.
    assert peak < 3_000_000


def test_nested_arrays_that_claim_all_bytes_are_refused():
    """Each claim may be true alone; all together must not exceed the limit."""
    size = MOST_ITEMS // 2
    packed = struct.pack('>BI', 0xDD, size) * 3 + b'\xc0' * (3 * size)
    with pytest.raises(StructureError, match=f'more than {MOST_ITEMS} values'):
        check_structure(packed)


def test_deep_nesting_is_refused():
    """The limit is far below those of the decoder and of Python."""
    check_structure(b'\x91' * DEEPEST + b'\xc0')
    with pytest.raises(StructureError, match=f'more than {DEEPEST} deep'):
        check_structure(b'\x91' * (DEEPEST + 1) + b'\xc0')
    assert isinstance(received(b'\x91' * 1_000_000 + b'\xc0'), InvalidFrame)


@given(plain_values())
def test_the_structure_of_all_that_is_packed_is_sound(value):
    """What MessagePack packs must be accepted, and nothing shorter or longer."""
    packed = msgpack.packb(value)
    check_structure(packed)
    with pytest.raises(StructureError):
        check_structure(packed + b'\0')
    with pytest.raises(StructureError):
        check_structure(packed[:-1])


@pytest.mark.parametrize(
    ('value', 'message'),
    [
        ('text', "value is 'text'; it must be a tuple"),
        ([], "value is ''; it must be one of Hello"),
        (['Launch', 1], "value is 'Launch'; it must be one of Hello"),
        ([[], 1], 'value is .*; it must be one of Hello'),
        (['Late'], 'Late has 0 fields; it must have 1'),
        (['Late', 1, 2], 'Late has 2 fields'),
        (['Late', '1'], "value is '1'; it must be a int"),
        (['Late', True], 'value is True'),
        (['Late', 1.0], 'value is 1.0'),
        (['Reply', 1, 'soon', [], [], []], "value is 'soon'; it must be a float"),
        (['Reply', 1, None, [['Write', 'a', 2, []]], [], []], 'value is 2; it must be a str'),
        (['Reply', 1, None, [], [['TextEvent', 0, '', '', '']], []], 'one of OutgoingText'),
        (['Query', 1, 'a', {b'x': 1}], "value is b'x'"),
        (['Query', 1, 'a', {1: 1}], 'int'),
    ],
)
def test_wrong_kinds_and_types_are_refused(value, message):
    """The reason must name what was found and what was expected."""
    found = received(msgpack.packb(value))
    assert isinstance(found, InvalidFrame)
    assert re.search(message, found.reason)


@pytest.mark.parametrize('packed', [b'\xc1', b'\xc7\0\0', b'\xd4\0\0', b'\xa1\xff', b''])
def test_extensions_reserved_bytes_and_invalid_text_are_refused(packed):
    """Only plain values and Unicode are used."""
    assert isinstance(received(packed), InvalidFrame)


def test_numbers_that_are_not_finite_are_values():
    """What NaN means is decided by those who use it."""
    nan = Reply(1, math.nan, (Write('cup', 'position', (math.nan, math.inf, -math.inf)),))
    (found,) = FrameReader().receive_data(encode(nan))
    assert repr(found) == repr(nan)


@pytest.mark.parametrize('value', ['\ud800', 2**64, {1, 2}, object(), [[]]])
def test_values_that_cannot_be_sent_raise_an_error(value):
    """Text that is not Unicode, large numbers, objects and endless nesting must be refused."""
    if value == [[]]:
        value[0] = value
    with pytest.raises(WireError, match='Result cannot be sent'):
        encode(Result(1, value))


def test_frames_beyond_the_limit_are_not_sent():
    """The sender must notice it, not the receiver."""
    with pytest.raises(WireError, match=f'limit is {MOST_FRAME_BYTES}'):
        encode(Result(1, bytes(MOST_FRAME_BYTES)))

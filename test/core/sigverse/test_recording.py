# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Recordings of SIGVerse's viewer come back, as far as they are whole."""

from __future__ import annotations

import contextlib
import io
import struct
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packet_strategies import OBJECTS, TEXTS

from world_model_core.errors import RecordingError
from world_model_core.sigverse.connection_packets import ShapeFile
from world_model_core.sigverse.objects import OBJECT, ObjectAttribute, PacketObject
from world_model_core.sigverse.recording import (
    LARGEST_WORLD,
    RecordedWorld,
    SvdReader,
    write_recording,
)

CUP = PacketObject(1, 'cup', 'Cup', 0, 0, (ObjectAttribute('x', 'pos', 12.5),), ())
FILES = (ShapeFile('Cup:::', 'cup.x3d'), ShapeFile('TV::switch:on', 'tv_on.x3d'))
WORLDS = tuple(RecordedWorld(0.5 * number, number * (CUP,)) for number in range(4))
KEYS = TEXTS.map(lambda text: text.replace(',', ''))


@pytest.fixture
def recorded(tmp_path):
    """Return the bytes of a recording."""

    def record(files=FILES, worlds=WORLDS, *, compressed=True):
        path = tmp_path / 'world.svd'
        write_recording(path, files, worlds, compressed=compressed)
        return path.read_bytes()

    return record


def read(data, **limits):
    """Return the reader of a recording and its worlds."""
    reader = SvdReader(io.BytesIO(data), **limits)
    return reader, tuple(reader.worlds())


@pytest.mark.parametrize('compressed', [True, False])
def test_recordings_come_back(recorded, compressed):
    """Files and worlds must be those that were written."""
    reader, worlds = read(recorded(compressed=compressed))
    assert (reader.files, worlds, reader.missing) == (FILES, WORLDS, 0)


@given(
    st.lists(st.builds(ShapeFile, KEYS, TEXTS), max_size=3).map(tuple),
    st.lists(
        st.builds(
            RecordedWorld, st.floats(allow_nan=False), st.lists(OBJECTS, max_size=2).map(tuple)
        ),
        max_size=3,
    ).map(tuple),
)
def test_any_recording_comes_back(tmp_path_factory, files, worlds):
    """Whatever fits into packets must survive."""
    path = tmp_path_factory.getbasetemp() / 'any.svd'
    write_recording(path, files, worlds)
    reader, found = read(path.read_bytes())
    assert (reader.files, found) == (files, worlds)


def test_the_layout_is_that_of_the_original(recorded):
    """Integers must be little-endian, names end with a zero, objects are as in packets."""
    thing = bytearray()
    OBJECT.write(CUP, thing, 'cup')
    expected = (
        bytes.fromhex('deadbeef') + struct.pack('<iiii', 1, 1, 1, 14) + b'Cup:::,cup.x3d\0'
        + struct.pack('<iidi', 0, 12 + 8 + len(thing), 0.5, 1)
        + struct.pack('<ii', 0, len(thing)) + thing
    )  # fmt: skip
    assert recorded(FILES[:1], WORLDS[1:2], compressed=False) == expected


@pytest.mark.parametrize('compressed', [True, False])
def test_files_cut_short_are_read_to_their_last_whole_world(recorded, compressed):
    """Wherever a recorder was killed, the worlds before must be there, in order."""
    data = recorded(compressed=compressed)
    most = 0
    for size in range(len(data)):
        with contextlib.suppress(RecordingError):
            reader, worlds = read(data[:size])
            assert worlds == WORLDS[: len(worlds)]
            assert len(worlds) + reader.missing == len(WORLDS)
            assert len(worlds) >= most
            most = len(worlds)
    assert most >= len(WORLDS) - 1


@given(st.data())
def test_changed_bytes_raise_nothing_but_recording_errors(tmp_path_factory, data):
    """Any file must give worlds or errors of the package."""
    path = tmp_path_factory.getbasetemp() / 'whole.svd'
    write_recording(path, FILES, WORLDS, compressed=False)
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    with contextlib.suppress(RecordingError):
        read(bytes(content))


def header(worlds=1, files=0, version=1):
    """Return the start of a recording that is not compressed."""
    return bytes.fromhex('deadbeef') + struct.pack('<iii', version, worlds, files)


@pytest.mark.parametrize(
    ('data', 'reason'),
    [
        (b'', 'bytes are needed'),
        (b'nonsense', 'damaged'),
        (zlib.compress(b'something else'), 'begins with deadbeef'),
        (header(version=2), 'version is 2'),
        (header(worlds=-1), 'number of worlds is -1'),
        (header(files=-3), 'number of shape files is -3'),
        (header(files=1) + struct.pack('<i', -1), 'length of a name is -1'),
        (header() + struct.pack('<ii', 0, 11), 'size of a world is 11'),
        (header() + struct.pack('<ii', 0, LARGEST_WORLD + 1), 'size of a world'),
        (header() + struct.pack('<iidi', 0, 12, 0.0, -1), 'number of objects is -1'),
        (header() + struct.pack('<iidi', 0, 12, 0.0, 1), 'the size of an object needs 8 bytes'),
        (header() + struct.pack('<iidiii', 0, 20, 0.0, 1, 0, -5), 'size of an object is -5'),
        (header() + struct.pack('<iidiii', 0, 20, 0.0, 1, 0, 400), 'object needs 400 bytes'),
        (header() + struct.pack('<iidi4x', 0, 16, 0.0, 0), '4 bytes follow after the last'),
    ],
)
def test_damaged_recordings_are_refused(data, reason):
    """The error must name the field, the value and the limit."""
    with pytest.raises(RecordingError, match=reason):
        read(data)


def test_a_bomb_of_zeros_is_refused_at_the_limit():
    """A small file that stands for a large one must not fill the memory."""
    name = struct.pack('<i', 65_000) + b'a' * 65_001
    bomb = zlib.compress(header(files=100) + 100 * name, 9)
    assert len(bomb) < 100_000
    with pytest.raises(RecordingError, match='more than 1000000 bytes'):
        read(bomb, largest=1_000_000)


def test_values_that_do_not_fit_are_refused_and_the_old_file_is_kept(tmp_path):
    """A recording must not be replaced by half of another."""
    path = tmp_path / 'world.svd'
    write_recording(path, FILES, WORLDS)
    before = path.read_bytes()
    wrong = RecordedWorld(0.0, (PacketObject(0, '', '', 0, -1, (), ()),))
    with pytest.raises(RecordingError, match='operations'):
        write_recording(path, (), (wrong,))
    assert path.read_bytes() == before

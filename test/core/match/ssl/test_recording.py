# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Recordings: written, read, truncated and damaged."""

from __future__ import annotations

import gzip
import os
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.errors import RecordingError
from world_model_core.match.ssl.recording import (
    Message,
    MessageKind,
    RecordingReader,
    RecordingWriter,
)

HEADER = b'SSL_LOG_FILE' + struct.pack('>i', 1)
MESSAGES = [
    Message(100, MessageKind.VISION_2014, b'one'),
    Message(200, MessageKind.UNKNOWN, b''),
    Message(300, 42, b'three'),
]
SUFFIXES = ['log', 'log.gz']


def _pack(received_ns: int, kind: int, data: bytes, size: int | None = None) -> bytes:
    """Encode a message in the format, or with a wrong size."""
    return struct.pack('>qii', received_ns, kind, len(data) if size is None else size) + data


@pytest.mark.parametrize('suffix', SUFFIXES)
def test_written_messages_are_read_back(tmp_path, suffix):
    """Written messages must be read back, including unknown kinds, any number of times."""
    path = tmp_path / f'a.{suffix}'
    with RecordingWriter(path) as writer:
        for message in MESSAGES:
            writer.write(message)
    reader = RecordingReader(path)
    assert list(reader) == MESSAGES
    assert list(reader) == MESSAGES
    assert not reader.truncated


def test_layout_on_disk(tmp_path):
    """An uncompressed recording must have the bytes of the format, big-endian."""
    path = tmp_path / 'a.log'
    with RecordingWriter(path) as writer:
        writer.write(MESSAGES[0])
    assert path.read_bytes() == HEADER + _pack(100, 4, b'one')


def test_compression_goes_by_content(tmp_path):
    """Compressed and plain recordings must be read whatever their names."""
    content = HEADER + _pack(100, 4, b'one')
    (tmp_path / 'compressed.log').write_bytes(gzip.compress(content))
    (tmp_path / 'plain.log.gz').write_bytes(content)
    for name in ('compressed.log', 'plain.log.gz'):
        assert list(RecordingReader(tmp_path / name)) == MESSAGES[:1]


def test_blanks_and_index_are_skipped(tmp_path):
    """Messages without a datagram must be skipped, whatever the size of the index."""
    path = tmp_path / 'a.log'
    index = bytes(100_000) + b'INDEXED'
    path.write_bytes(HEADER + _pack(0, 0, b'blank') + _pack(100, 4, b'one') + _pack(0, 6, index))
    assert list(RecordingReader(path)) == MESSAGES[:1]


@pytest.mark.parametrize('compress', [bytes, gzip.compress])
def test_truncated_recording_keeps_earlier_messages(tmp_path, compress):
    """A file truncated within a message must give all messages before, and report this."""
    path = tmp_path / 'a.log'
    first, second = _pack(100, 4, b'one'), _pack(200, 1, b'two')
    for cut in range(1, len(second)):
        path.write_bytes(compress(HEADER + first + second[:cut]))
        reader = RecordingReader(path)
        assert list(reader) == MESSAGES[:1]
        assert reader.truncated


def test_truncated_compression_keeps_earlier_messages(tmp_path):
    """A compressed file truncated anywhere must give the first messages."""
    path = tmp_path / 'a.log.gz'
    messages = [
        Message(n, MessageKind.VISION_2014, bytes([n, n ^ 7, n * n % 251])) for n in range(200)
    ]
    content = HEADER + b''.join(_pack(m.received_ns, m.kind, m.data) for m in messages)
    compressed = gzip.compress(content)
    for cut in range(len(compressed) // 2, len(compressed), 7):
        path.write_bytes(compressed[:cut])
        reader = RecordingReader(path)
        found = list(reader)
        assert found == messages[: len(found)]
        assert len(found) > 10
        assert reader.truncated


@pytest.mark.parametrize('size', [-1, 65508, 2**31 - 1])
def test_impossible_sizes_are_rejected(tmp_path, size):
    """A size beyond a datagram's must be rejected with its offset, value and limit."""
    path = tmp_path / 'a.log'
    path.write_bytes(HEADER + _pack(100, 4, b'one') + _pack(200, 4, b'two', size))
    messages = iter(RecordingReader(path))
    assert next(messages) == MESSAGES[0]
    with pytest.raises(RecordingError, match=rf'offset 35 is {size} bytes.*65507'):
        next(messages)


@pytest.mark.parametrize(
    ('content', 'words'),
    [
        (b'', 'offset 0'),
        (b'SSL_LOG', 'offset 0'),
        (b'PK\x03\x04 something else', 'offset 0'),
        (b'SSL_LOG_FILE', 'version'),
        (b'SSL_LOG_FILE\x00\x00\x00\x02', 'version at offset 12 is 2, not 1'),
    ],
)
def test_other_files_are_rejected(tmp_path, content, words):
    """A file that is not a recording of version 1 must be rejected with what it contains."""
    path = tmp_path / 'a.log'
    path.write_bytes(content)
    with pytest.raises(RecordingError, match=words):
        list(RecordingReader(path))


def test_damaged_compression_is_rejected(tmp_path):
    """A compressed file with a changed byte must be rejected, not misread."""
    path = tmp_path / 'a.log.gz'
    content = bytearray(gzip.compress(HEADER + _pack(100, 4, b'one')))
    content[-6] ^= 0xFF  # its checksum
    path.write_bytes(bytes(content))
    with pytest.raises(RecordingError):
        list(RecordingReader(path))


def test_missing_files_are_reported(tmp_path):
    """A missing file or folder must give our own error, for reading and writing."""
    path = tmp_path / 'nowhere' / 'a.log'
    with pytest.raises(RecordingError, match='nowhere'):
        list(RecordingReader(path))
    with pytest.raises(RecordingError, match='nowhere'):
        RecordingWriter(path)


def test_too_large_a_message_is_not_written(tmp_path):
    """Messages that no reader accepts must not be written."""
    with (
        RecordingWriter(tmp_path / 'a.log') as writer,
        pytest.raises(RecordingError, match='65508 bytes exceed the maximum of 65507'),
    ):
        writer.write(Message(0, MessageKind.VISION_2014, bytes(65508)))


@given(st.binary(max_size=100))
def test_any_content_is_read_or_rejected(tmp_path_factory, content):
    """Any bytes after the header must give messages or our own error."""
    path = tmp_path_factory.getbasetemp() / 'any.log'
    path.write_bytes(HEADER + content)
    try:
        messages = list(RecordingReader(path))
    except RecordingError:
        return
    assert sum(16 + len(message.data) for message in messages) <= len(content)


@pytest.mark.parametrize('name', ['a.log', 'a.log.gz'])
def test_a_reader_reports_its_progress(tmp_path, name):
    """The fraction must grow from nearly 0 to 1, compressed or not."""
    # Much more than gzip reads ahead: 128 KiB since Python 3.12.
    with RecordingWriter(tmp_path / name) as writer:
        for number in range(300):
            writer.write(Message(number, MessageKind.VISION_2014, os.urandom(10_000)))
    reader = RecordingReader(tmp_path / name)
    fractions = [reader.fraction for _ in reader]
    assert fractions == sorted(fractions)
    assert fractions[0] < 0.1
    assert 0.9 < fractions[-1] <= 1.0
    assert reader.fraction == 1.0


@pytest.mark.parametrize('name', ['a.log', 'a.log.gz'])
def test_a_full_disk_leaves_the_old_recording(tmp_path, full_disk, name):
    """The error names the file; neither a part of the new recording nor an empty file remains."""
    path = tmp_path / name
    with RecordingWriter(path) as writer:
        writer.write(Message(1, MessageKind.VISION_2014, b'old'))
    with full_disk(50_000), pytest.raises(RecordingError, match=f'{name}: .*File too large'):
        record_much(path)
    assert [message.data for message in RecordingReader(path)] == [b'old']
    assert [each.name for each in tmp_path.iterdir()] == [name]


def record_much(path):
    """Write more than the limit."""
    with RecordingWriter(path) as writer:
        for number in range(100):
            writer.write(Message(number, MessageKind.VISION_2014, os.urandom(10_000)))

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Playback of recordings: yields datagrams and counts the rest."""

from __future__ import annotations

from world_model_core.match.ssl.recording import Message, MessageKind, RecordingWriter
from world_model_core.match.ssl.recording_playback import PlayedDatagram, RecordingPlayback


def write(path, *messages):
    """Write a recording."""
    with RecordingWriter(path) as writer:
        for message in messages:
            writer.write(Message(*message))
    return path


def test_each_kind_goes_to_its_channel_except_legacy(tmp_path):
    """Vision, tracker and referee are yielded in order; legacy and unknown ones are counted."""
    path = write(
        tmp_path / 'match.log',
        (1, MessageKind.VISION_2010, b'legacy'),
        (2, MessageKind.VISION_2014, b'vision'),
        (3, MessageKind.VISION_TRACKER_2020, b'tracker'),
        (4, 77, b'from the future'),
        (5, MessageKind.REFBOX_2013, b'referee'),
        (6, MessageKind.VISION_2010, b'legacy'),
    )
    playback = RecordingPlayback(path)
    assert list(playback) == [
        (2, PlayedDatagram('vision', b'vision')),
        (3, PlayedDatagram('tracker', b'tracker')),
        (5, PlayedDatagram('referee', b'referee')),
    ]
    assert playback.skipped == {'VISION_2010': 2, 'kind 77': 1}
    assert not playback.truncated
    assert not playback.damage


def test_reads_no_more_than_requested(tmp_path):
    """A large recording starts as fast as a small one: later damage is not noticed yet."""
    path = write(tmp_path / 'match.log', (1, MessageKind.VISION_2014, b'vision'))
    with path.open('ab') as file:
        file.write(b'\xff' * 16)
    playback = RecordingPlayback(path)
    messages = iter(playback)
    assert next(messages) == (1, PlayedDatagram('vision', b'vision'))
    assert not playback.damage
    assert list(messages) == []
    assert 'offset' in playback.damage


def test_cut_off_file_is_played_to_its_end(tmp_path):
    """Messages before a truncation are yielded."""
    path = write(tmp_path / 'match.log', *[(i, MessageKind.VISION_2014, b'x') for i in (1, 2)])
    path.write_bytes(path.read_bytes()[:-1])
    playback = RecordingPlayback(path)
    assert [stamp for stamp, _ in playback] == [1]
    assert playback.truncated
    assert not playback.damage


def test_missing_file_is_reported_by_name(tmp_path):
    """A missing file yields nothing, and the reason names it."""
    playback = RecordingPlayback(tmp_path / 'none.log')
    assert list(playback) == []
    assert 'none.log' in playback.damage


def test_each_iteration_starts_from_the_beginning(tmp_path):
    """A loop yields the same messages again."""
    playback = RecordingPlayback(write(tmp_path / 'match.log', (1, MessageKind.VISION_2014, b'x')))
    assert list(playback) == list(playback)

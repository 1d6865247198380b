# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Summaries of recordings."""

from __future__ import annotations

import json
from dataclasses import asdict
from itertools import pairwise

import pytest

from world_model_core.match.ssl.recording import Message, MessageKind, RecordingReader
from world_model_core.match.ssl.recording_summary import summarize
from world_model_core.match.ssl.tracker_packets import decode_tracker
from world_model_core.match.ssl.vision_packets import decode_vision

MATCH = 'ssl/match_2022_part1.log.gz'


def test_empty_recording():
    """A recording without messages must have a summary."""
    summary = summarize([])
    assert summary.start_ns is None
    assert summary.duration == 0.0
    assert summary.rates == {}


def test_undecodable_datagrams_are_counted():
    """Datagrams that do not decode must be counted by cause, unknown kinds by their number."""
    summary = summarize(
        [
            Message(0, MessageKind.REFBOX_2013, b''),
            Message(10**9, MessageKind.VISION_2014, b'\xff'),
            Message(2 * 10**9, 42, b'?'),
            Message(2 * 10**9, 42, b'?'),
        ]
    )
    assert summary.counts == {'42': 2, 'REFBOX_2013': 1, 'VISION_2014': 1}
    assert summary.duplicates['42'] == 1
    assert summary.duration == 2.0
    assert summary.rates['42'] == 1.0
    assert summary.undecodable == {
        'REFBOX_2013: MalformedPacketError': 1,
        'VISION_2014: MalformedPacketError': 1,
    }


def test_the_match_of_2022(shared_data):
    """The real recording must be read completely: counts, senders, clocks, legacy, duplicates."""
    reader = RecordingReader(shared_data(MATCH))
    summary = summarize(reader)
    assert not reader.truncated
    assert summary.counts == {
        'REFBOX_2013': 258,
        'VISION_2010': 486,
        'VISION_2014': 486,
        'VISION_TRACKER_2020': 264,
    }
    assert summary.duplicates['REFBOX_2013'] == 129
    assert sum(summary.duplicates.values()) == 129
    assert summary.undecodable == {'VISION_2010: LegacyPacketError': 2}
    assert summary.duration == pytest.approx(3.3, abs=0.01)
    assert summary.cameras == (0, 1)
    assert list(summary.trackers.values()) == ['TIGERs']
    assert summary.teams == {'yellow': 'KIKS', 'blue': 'ER-Force'}
    assert summary.clock_offsets['vision'] == pytest.approx(-17.83, abs=0.01)
    assert summary.clock_offsets['tracker TIGERs'] == pytest.approx(-17.81, abs=0.01)
    assert summary.clock_offsets['referee'] == pytest.approx(0.0, abs=0.01)
    assert json.loads(json.dumps(asdict(summary)))['counts'] == summary.counts


@pytest.mark.parametrize(
    ('name', 'count'),
    [
        ('sim_chip_noisefree', 4919),
        ('sim_chip_realistic', 2514),
        ('sim_straight_noisefree', 4791),
        ('sim_straight_realistic', 2648),
    ],
)
def test_simulated_recordings(shared_data, name, count):
    """Every packet of the simulator must decode."""
    summary = summarize(RecordingReader(shared_data(f'ssl/{name}.log.gz')))
    assert summary.counts == {'VISION_2014': count}
    assert summary.undecodable == {}
    assert summary.cameras == (0, 1)


def test_positions_of_the_match_are_on_the_field(shared_data):
    """All detections of a real match must be within the hall, in meters."""
    frames = [
        decode_vision(message.data).detection
        for message in RecordingReader(shared_data(MATCH))
        if message.kind == MessageKind.VISION_2014
    ]
    robots = [robot for frame in frames if frame for robot in frame.robots]
    balls = [ball for frame in frames if frame for ball in frame.balls]
    assert all(abs(detection.x) < 7.0 and abs(detection.y) < 5.5 for detection in robots + balls)
    assert max(abs(robot.x) for robot in robots) > 3.0


def test_tracked_frames_follow_each_other(shared_data):
    """A real tracker's times must never decrease, and its frame numbers always increase."""
    frames = [
        decode_tracker(message.data).frame
        for message in RecordingReader(shared_data(MATCH))
        if message.kind == MessageKind.VISION_TRACKER_2020
    ]
    assert all(a.stamp_ns <= b.stamp_ns for a, b in pairwise(frames))
    assert all(a.frame_number < b.frame_number for a, b in pairwise(frames))
    assert any(frame.kicked_ball for frame in frames)

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Clock, network and published models of the simulated vision have the specified errors."""

from __future__ import annotations

import math
from itertools import pairwise, takewhile

import pytest

from world_model_core.simulation.match.match import SslMatch
from world_model_core.simulation.match.parameters import SslMatchParameters
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND

EPOCH = 1_700_000_000 * SECOND


def broadcast(seconds=10.0, **parameters):
    """Return a match's vision, and the received frames of its first seconds."""
    match = SslMatch(SslMatchParameters(robots_per_team=3, **parameters), EPOCH)
    sent = takewhile(lambda each: each.sent_ns < seconds * SECOND, match.packets())
    return match.vision, [each for each in sent if each.truth]


@pytest.fixture(scope='module')
def plain():
    """Return the frames without errors."""
    return broadcast()[1]


def test_clock_offset_shifts_vision_only(plain):
    """Both stamps of each frame are shifted, and no time of arrival."""
    for offset in (17.8, -0.05):
        _, ahead = broadcast(clock_offset=offset)
        for one, other in zip(plain, ahead, strict=True):
            before, after = one.packet.detection, other.packet.detection
            assert after.capture_ns - before.capture_ns == round(offset * SECOND)
            assert after.sent_ns - before.sent_ns == round(offset * SECOND)
            assert other.sent_ns == one.sent_ns


def test_capture_delay_is_one_constant(plain):
    """Every t_capture is shifted by the same delay; frames and all else are the same."""
    vision, late = broadcast(capture_delay=0.003)
    assert vision.capture_error_ns != 0
    for one, other in zip(plain, late, strict=True):
        before, after = one.packet.detection, other.packet.detection
        assert after.capture_ns - before.capture_ns == vision.capture_error_ns
        assert (after.sent_ns, after.balls) == (before.sent_ns, before.balls)
        assert after.capture_ns - EPOCH == other.truth.stamp_ns + vision.capture_error_ns


def test_stamps_are_late_by_blocks_of_recorded_delays(plain):
    """Only the stamps change, by delays that follow each other as the recorded ones do."""
    recorded = tuple(0.0001 * number for number in range(200))
    vision, late = broadcast(stamp_delays=recorded)
    exposures = {each.truth.stamp_ns: each.packet.detection for each in plain}
    numbers = {camera.camera_id: [] for camera in vision.cameras}
    for each in sorted(late, key=lambda each: each.truth.stamp_ns):
        frame, exact = each.packet.detection, exposures[each.truth.stamp_ns]
        delay_ns = frame.capture_ns - EPOCH - each.truth.stamp_ns
        assert frame.sent_ns - exact.sent_ns == delay_ns
        assert (frame.frame_number, frame.balls) == (exact.frame_number, exact.balls)
        numbers[frame.camera_id].append(round(delay_ns / 100_000))
    for own in numbers.values():
        steps = [(after - before) % 200 for before, after in pairwise(own)]
        assert sum(step != 1 for step in steps) == (len(own) - 1) // 73
        assert len(set(own)) > 100


def test_network_delay_is_added_to_every_frame(plain):
    """Frames have the same stamps and arrive later."""
    _, late = broadcast(network_delay=0.25)
    for one, other in zip(plain, late, strict=False):
        assert other.packet == one.packet
        assert other.sent_ns - one.sent_ns == SECOND // 4


def test_jitter_lets_frames_overtake():
    """With jitter some frames overtake others; none is lost."""
    _, sent = broadcast(30.0, network_jitter=0.005)
    frames = [each.packet.detection for each in sent]
    overtaken = sum(after.capture_ns < before.capture_ns for before, after in pairwise(frames))
    assert overtaken > 0.05 * len(frames)
    waits = [EPOCH + each.sent_ns - each.packet.detection.sent_ns for each in sent]
    assert min(waits) >= 0
    mean = sum(waits) / len(waits) / SECOND
    assert mean == pytest.approx(0.005, abs=5.0 * 0.005 / math.sqrt(len(waits)))
    assert all(before.sent_ns <= after.sent_ns for before, after in pairwise(sent))


def test_lost_frames_leave_gaps_in_the_numbers(plain):
    """As many frames are missing as specified, and the others are unchanged."""
    part = 0.1
    _, sent = broadcast(lost_frames=part)
    count = len(plain)
    deviation = math.sqrt(count * part * (1.0 - part))
    assert count - len(sent) == pytest.approx(count * part, abs=5.0 * deviation)
    kept = {(each.packet.detection.camera_id, each.packet.detection.frame_number) for each in sent}
    both = [
        each
        for each in plain
        if (each.packet.detection.camera_id, each.packet.detection.frame_number) in kept
    ]
    assert [each.packet.detection.balls for each in sent] == [
        each.packet.detection.balls for each in both
    ]


def test_models_are_sent_or_not():
    """The ball's constants are sent or omitted."""
    for sends in (True, False):
        match = SslMatch(SslMatchParameters(send_models=sends), EPOCH)
        geometry = next(sent.packet.geometry for sent in match.packets() if sent.truth is None)
        assert (geometry.straight is not None) is sends
        assert (geometry.chip is not None) is sends


@pytest.mark.parametrize('cameras', [1, 4, 8])
def test_each_camera_sends_at_the_rate(cameras):
    """All cameras of the grid send their frames, and the geometry contains all of them."""
    vision, sent = broadcast(5.0, cameras=cameras, camera_rate=50.0)
    assert len(vision.cameras) == len(vision.errors) == cameras
    for index in range(cameras):
        count = sum(each.packet.detection.camera_id == index for each in sent)
        assert count == pytest.approx(250, abs=2)

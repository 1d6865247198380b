# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Segmentation of a ball's course: cut at each contact and nowhere else."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.match.ball.ball_constants import BallParameters
from world_model_core.match.ball.contact_segmentation import BallDetections, segment
from world_model_core.match.ball.motion_segment import BallMotionState
from world_model_core.match.ball.trajectory import predict_ball
from world_model_core.match.ssl.recording import MessageKind, RecordingReader
from world_model_core.match.ssl.vision_packets import decode_vision

NOISE = 0.0014
PERIOD = 1.0 / 70.0


def read_detections(path):
    """Read all ball detections of a recording."""
    rows = []
    for message in RecordingReader(path):
        if message.kind is MessageKind.VISION_2014:
            frame = decode_vision(message.data).detection
            balls = frame.balls if frame else ()
            rows.extend((frame.capture_ns, frame.camera_id, ball.x, ball.y) for ball in balls)
    rows.sort(key=lambda row: row[0])
    stamps, cameras, x, y = zip(*rows, strict=True)
    return BallDetections(np.array(stamps), np.stack((x, y), axis=1), np.array(cameras))


def detected(times, places, seed, *, offset=0.0, camera=0):
    """Simulate a camera: noise, an offset, and 5 % of the frames missing."""
    random = np.random.default_rng(seed)
    kept = random.random(len(times)) > 0.05
    noise = random.normal(0.0, NOISE, (len(times), 2))
    stamps = ((times + 1000.0) * 1e9).astype(np.int64)[kept]
    noisy = (places[:, :2] + noise + (offset, 0.0))[kept]
    return BallDetections(stamps, noisy, np.full(len(stamps), camera))


def merged(*many):
    """Merge the detections of several cameras in order of time."""
    stamps = np.concatenate([detections.stamps_ns for detections in many])
    order = np.argsort(stamps, kind='stable')
    places = np.concatenate([detections.places for detections in many])
    cameras = np.concatenate([detections.cameras for detections in many])
    return BallDetections(stamps[order], places[order], cameras[order])


def kicked(times, speed, direction, start=(0.0, 0.0)):
    """Simulate a ball at rest that is kicked at time 0."""
    velocity = speed * np.array((np.cos(direction), np.sin(direction), 0.0))
    trajectory = predict_ball(BallMotionState((*start, 0.0), velocity, speed), BallParameters())
    return trajectory.at(np.maximum(times, 0.0))[0]


def spans(segments):
    """Return start and end of each segment [s]."""
    return [(s.start_ns / 1e9 - 1000.0, s.end_ns / 1e9 - 1000.0) for s in segments]


def test_the_hits_of_a_real_match_are_found(shared_data):
    """A kick at 0.59 s and contacts at 1.18 s and 2.78 s cut the match, and nothing else does."""
    detections = read_detections(shared_data('ssl/match_2022_part1.log.gz'))
    segments = segment(detections)
    start = detections.stamps_ns[0]
    cuts = [(s.start_ns - start) / 1e9 for s in segments[1:]]
    assert cuts == pytest.approx([0.60, 1.19, 2.78], abs=0.015)
    assert [s.kicked for s in segments] == [False, True, False, False]


def test_simulated_kicks_are_found(shared_data):
    """Each kick starts a segment that contains no false ball."""
    detections = read_detections(shared_data('ssl/sim_straight_realistic.log.gz'))
    kicks = [s for s in segment(detections) if s.kicked]
    assert len(kicks) == 3
    for kick in kicks:
        assert np.abs(np.diff(detections.places[kick.indices], axis=0)).max() < 0.2
        assert kick.end_ns - kick.start_ns > 5.5e9


@given(st.floats(1.0, 6.5), st.floats(-3.1, 3.1), st.integers(0, 2**32 - 1))
def test_a_kick_cuts_and_what_follows_does_not(speed, direction, seed):
    """A kicked ball slides, rolls and rests in one segment that starts at the kick."""
    times = np.arange(-0.5, 2.5, PERIOD)
    segments = segment(detected(times, kicked(times, speed, direction), seed))
    assert [s.kicked for s in segments] == [False, True]
    (_, end), (start, _) = spans(segments)
    assert end == pytest.approx(0.0, abs=0.05)
    assert start == pytest.approx(0.0, abs=0.05)


@given(st.floats(1.0, 6.5), st.floats(-0.05, 0.05), st.integers(0, 2**32 - 1))
def test_a_bias_between_cameras_does_not_cut(speed, offset, seed):
    """A ball that passes from one camera's half to the other's stays in one segment."""
    times = np.arange(0.01, 2.5, PERIOD)
    places = kicked(times, speed, 0.3, (-1.5, 0.0))
    left, right = places[:, 0] < 0.3, places[:, 0] > -0.3
    detections = merged(
        detected(times[left], places[left], seed),
        detected(times[right] + 0.004, places[right], seed + 1, offset=offset, camera=1),
    )
    assert len(segment(detections)) == 1


@given(st.integers(0, 2**32 - 1), st.floats(0.5, 3.0))
def test_false_balls_are_left_out(seed, away):
    """Resting balls elsewhere and single-frame detections do not belong to the moving ball."""
    times = np.arange(0.01, 2.0, PERIOD)
    ball = detected(times, kicked(times, 4.0, 0.0), seed)
    lying = detected(times, np.tile((1.0, away), (len(times), 1)), seed + 1)
    random = np.random.default_rng(seed)
    spots = detected(times[::20], random.uniform(-5.0, -1.0, (len(times[::20]), 2)), seed + 2)
    detections = merged(ball, lying, spots)
    (stretch,) = segment(detections)
    assert np.abs(detections.places[stretch.indices][:, 1]).max() < 0.01
    assert len(stretch.indices) == len(ball)


def test_a_gap_in_the_detections_cuts():
    """A gap in the detections of a ball ends the segment."""
    times = np.arange(0.01, 2.0, PERIOD)
    times = times[(times < 1.0) | (times > 1.2)]
    assert len(segment(detected(times, kicked(times, 4.0, 0.0), 1))) == 2


def test_too_few_detections_give_no_segment():
    """No detections, or only a few, give no segment."""
    assert segment(BallDetections(np.zeros(0, np.int64), np.zeros((0, 2)), np.zeros(0, int))) == ()
    assert segment(BallDetections(np.arange(3) * 10**7, np.zeros((3, 2)), np.zeros(3, int))) == ()

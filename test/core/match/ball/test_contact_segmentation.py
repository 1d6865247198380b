# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Where the way of a ball is cut: wherever something hit it, and nowhere else."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.match.ball.contact_segmentation import BallDetections, segment
from world_model_core.match.ball.motion_segment import BallMotionState
from world_model_core.match.ball.parameters import BallParameters
from world_model_core.match.ball.trajectory import predict_ball
from world_model_core.match.ssl.recording import MessageKind, RecordingReader
from world_model_core.match.ssl.vision_packets import decode_vision

NOISE = 0.0014
PERIOD = 1.0 / 70.0


def read_sights(path):
    """Read all detections of balls of a recording."""
    rows = []
    for message in RecordingReader(path):
        if message.kind is MessageKind.VISION_2014:
            frame = decode_vision(message.data).detection
            balls = frame.balls if frame else ()
            rows.extend((frame.capture_ns, frame.camera_id, ball.x, ball.y) for ball in balls)
    rows.sort(key=lambda row: row[0])
    stamps, cameras, x, y = zip(*rows, strict=True)
    return BallDetections(np.array(stamps), np.stack((x, y), axis=1), np.array(cameras))


def seen(times, places, seed, *, offset=0.0, camera=0):
    """See a ball as a camera does: with noise, an offset, and 5 % of the frames missing."""
    random = np.random.default_rng(seed)
    kept = random.random(len(times)) > 0.05
    noise = random.normal(0.0, NOISE, (len(times), 2))
    stamps = ((times + 1000.0) * 1e9).astype(np.int64)[kept]
    noisy = (places[:, :2] + noise + (offset, 0.0))[kept]
    return BallDetections(stamps, noisy, np.full(len(stamps), camera))


def together(*many):
    """Put the detections of several cameras in order of time."""
    stamps = np.concatenate([detections.stamps_ns for detections in many])
    order = np.argsort(stamps, kind='stable')
    places = np.concatenate([detections.places for detections in many])
    cameras = np.concatenate([detections.cameras for detections in many])
    return BallDetections(stamps[order], places[order], cameras[order])


def kicked(times, speed, direction, start=(0.0, 0.0)):
    """Follow a ball kicked at time 0, which rested before."""
    velocity = speed * np.array((np.cos(direction), np.sin(direction), 0.0))
    trajectory = predict_ball(BallMotionState((*start, 0.0), velocity, speed), BallParameters())
    return trajectory.at(np.maximum(times, 0.0))[0]


def spans(stretches):
    """Give start and end of each [s]."""
    return [(s.start_ns / 1e9 - 1000.0, s.end_ns / 1e9 - 1000.0) for s in stretches]


def test_the_hits_of_a_real_match_are_found(shared_data):
    """A kick at 0.59 s and contacts at 1.18 s and 2.78 s cut the match, and nothing else."""
    detections = read_sights(shared_data('ssl/match_2022_part1.log.gz'))
    stretches = segment(detections)
    start = detections.stamps_ns[0]
    cuts = [(s.start_ns - start) / 1e9 for s in stretches[1:]]
    assert cuts == pytest.approx([0.60, 1.19, 2.78], abs=0.015)
    assert [s.kicked for s in stretches] == [False, True, False, False]


def test_simulated_launches_are_found(shared_data):
    """Each launch, on the spot or elsewhere, begins a stretch, and no false ball is in it."""
    detections = read_sights(shared_data('ssl/sim_straight_realistic.log.gz'))
    launches = [s for s in segment(detections) if s.kicked]
    assert len(launches) == 3
    for launch in launches:
        assert np.abs(np.diff(detections.places[launch.indices], axis=0)).max() < 0.2
        assert launch.end_ns - launch.start_ns > 5.5e9


@given(st.floats(1.0, 6.5), st.floats(-3.1, 3.1), st.integers(0, 2**32 - 1))
def test_a_kick_cuts_and_what_follows_does_not(speed, direction, seed):
    """A kicked ball slides, rolls and rests in one stretch that begins at the kick."""
    times = np.arange(-0.5, 2.5, PERIOD)
    stretches = segment(seen(times, kicked(times, speed, direction), seed))
    assert [s.kicked for s in stretches] == [False, True]
    (_, end), (start, _) = spans(stretches)
    assert end == pytest.approx(0.0, abs=0.05)
    assert start == pytest.approx(0.0, abs=0.05)


@given(st.floats(1.0, 6.5), st.floats(-0.05, 0.05), st.integers(0, 2**32 - 1))
def test_cameras_that_disagree_do_not_cut(speed, offset, seed):
    """A ball that passes from one camera's half into the other's stays in one stretch."""
    times = np.arange(0.01, 2.5, PERIOD)
    places = kicked(times, speed, 0.3, (-1.5, 0.0))
    left, right = places[:, 0] < 0.3, places[:, 0] > -0.3
    detections = together(
        seen(times[left], places[left], seed),
        seen(times[right] + 0.004, places[right], seed + 1, offset=offset, camera=1),
    )
    assert len(segment(detections)) == 1


@given(st.integers(0, 2**32 - 1), st.floats(0.5, 3.0))
def test_false_balls_are_left_out(seed, away):
    """Resting balls elsewhere and spots of one frame do not belong to the moving ball."""
    times = np.arange(0.01, 2.0, PERIOD)
    ball = seen(times, kicked(times, 4.0, 0.0), seed)
    lying = seen(times, np.tile((1.0, away), (len(times), 1)), seed + 1)
    random = np.random.default_rng(seed)
    spots = seen(times[::20], random.uniform(-5.0, -1.0, (len(times[::20]), 2)), seed + 2)
    detections = together(ball, lying, spots)
    (stretch,) = segment(detections)
    assert np.abs(detections.places[stretch.indices][:, 1]).max() < 0.01
    assert len(stretch.indices) == len(ball)


def test_a_ball_out_of_sight_cuts():
    """What happened to a ball that nobody saw for a while is not known."""
    times = np.arange(0.01, 2.0, PERIOD)
    times = times[(times < 1.0) | (times > 1.2)]
    assert len(segment(seen(times, kicked(times, 4.0, 0.0), 1))) == 2


def test_nothing_seen_is_no_stretch():
    """Neither no detections at all nor a few of them make a stretch."""
    assert segment(BallDetections(np.zeros(0, np.int64), np.zeros((0, 2)), np.zeros(0, int))) == ()
    assert segment(BallDetections(np.arange(3) * 10**7, np.zeros((3, 2)), np.zeros(3, int))) == ()

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Commanded kicks, and the ground truth that is fitted from them."""

from __future__ import annotations

import json
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from world_model_core.errors import RecordingError
from world_model_core.evaluation.match.evaluation import evaluate
from world_model_core.evaluation.match.ground_truth import CommandedKick, TruthError, read_kicks
from world_model_core.evaluation.match.ground_truth_fit import fit_truth
from world_model_core.evaluation.match.replay import replay
from world_model_core.match.ball.ball_constants import BallParameters
from world_model_core.match.ball.contact_segmentation import segment
from world_model_core.match.ball.motion_segment import BallMotion
from world_model_core.match.ssl.geometry_values import CameraCalibration, FieldSize, Geometry
from world_model_core.match.ssl.recording import Message, MessageKind
from world_model_core.match.ssl.vision_packets import encode_vision
from world_model_core.match.ssl.vision_values import BallDetection, DetectionFrame, VisionPacket

START_NS = 1_700_000_000 * 10**9
EYES = {0: (-3.0, 0.0, 6.0), 1: (3.0, 0.0, 6.0)}
PARAMETERS = BallParameters(slide_acceleration=-3.4, roll_acceleration=-0.3, switch_ratio=0.66)


def geometry():
    """Return the field and the cameras."""
    field = FieldSize(12.0, 9.0, 1.8, 0.18, 0.3)
    cameras = tuple(
        CameraCalibration(n, 500.0, (0.0, 0.0), 0.0, (0.0, 0.0, 0.0, 1.0), (0.0, 0.0, 0.0), eye)
        for n, eye in EYES.items()
    )
    return Geometry(field, cameras)


def simulate_vision(kick, delay, offset, seed):
    """Simulate two cameras with offsets [m] and a ball that is kicked after a delay [s]."""
    random = np.random.default_rng(seed)
    trajectory = kick.trajectory(PARAMETERS)
    kick_time = (kick.sent_ns - START_NS) / 1e9 + delay
    yield message(START_NS, VisionPacket(None, geometry()))
    for number, time in enumerate(np.arange(0.0, kick_time + 1.8, 1.0 / 140.0)):
        camera = number % 2
        place = (
            np.array((-5.0, -4.0, 0.0))
            if time < kick_time
            else trajectory.at([time - kick_time])[0][0]
        )
        eye = np.array(EYES[camera])
        shown = eye + (place - eye) * eye[2] / (eye[2] - place[2])
        x, y = shown[:2] + random.normal(0.0, 0.0014, 2) + ((-offset, offset)[camera], 0.0)
        stamp_ns = START_NS + round(time * 1e9)
        ball = BallDetection(x, y, None, 1.0, (0.0, 0.0))
        frame = DetectionFrame(number, camera, stamp_ns, stamp_ns + 10**7, (ball,), ())
        yield message(stamp_ns + 10**7, VisionPacket(frame, None))


def message(received_ns, packet):
    """Return a packet as a recorded message."""
    return Message(received_ns, MessageKind.VISION_2014, encode_vision(packet))


@settings(max_examples=15)
@given(
    delay=st.floats(0.01, 0.1),
    speed=st.floats(1.5, 6.5),
    direction=st.floats(-0.6, 0.6),
    offset=st.floats(-0.03, 0.03),
    seed=st.integers(0, 1000),
)
def test_the_time_of_a_kick_is_recovered(delay, speed, direction, offset, seed):
    """To 3 ms, for any carpet and any camera offsets."""
    velocity = (speed * np.cos(direction), speed * np.sin(direction), 0.0)
    kick = CommandedKick(START_NS + 10**9, (-2.0, 0.0, 0.0), velocity)
    replayed = replay(simulate_vision(kick, delay, offset, seed))
    (ball,) = fit_truth(replayed, segment(replayed.detections), [kick])
    assert (ball.kick_ns - kick.sent_ns) / 1e9 == pytest.approx(delay, abs=0.003)
    assert ball.rms < 0.002
    assert ball.end_ns - ball.kick_ns > 1.5e9


@settings(max_examples=8)
@given(st.floats(1.5, 4.0), st.floats(1.0, 3.0), st.integers(0, 1000))
def test_a_chip_is_followed_while_it_flies(vz, vx, seed):
    """Its projections on the carpet give the time, and the true ball is in the air."""
    kick = CommandedKick(START_NS + 10**9, (-2.0, 0.5, 0.0), (vx, 0.2, vz))
    replayed = replay(simulate_vision(kick, 0.03, 0.0, seed))
    (ball,) = fit_truth(replayed, segment(replayed.detections), [kick])
    assert (ball.kick_ns - kick.sent_ns) / 1e9 == pytest.approx(0.03, abs=0.004)
    assert ball.motion_at(ball.kick_ns + 10**8) is BallMotion.FLYING
    assert ball.flight == pytest.approx(2.0 * vz / 9.81)
    assert ball.landing == pytest.approx([-2.0 + vx * ball.flight, 0.5 + 0.2 * ball.flight])


def test_a_kick_that_the_recording_does_not_show_is_left_out():
    """A command long before or after the recorded frames gives no ground truth."""
    kick = CommandedKick(START_NS + 10**9, (-2.0, 0.0, 0.0), (3.0, 0.0, 0.0))
    other = CommandedKick(START_NS + 60 * 10**9, (-2.0, 0.0, 0.0), (3.0, 0.0, 0.0))
    replayed = replay(simulate_vision(kick, 0.03, 0.0, 1))
    found = fit_truth(replayed, segment(replayed.detections), [kick, other])
    assert [ball.kick for ball in found] == [kick]
    assert fit_truth(replayed, segment(replayed.detections), [other]) == ()


def test_a_recording_without_frames_is_rejected():
    """Without frames there is nothing to evaluate."""
    with pytest.raises(RecordingError, match='no vision frame'):
        evaluate([message(START_NS, VisionPacket(None, geometry()))])


@given(st.text() | st.sampled_from(['{}', '""', '[[]]', '[{}]', '[' * 100_000]))
def test_any_text_gives_kicks_or_a_typed_error(text):
    """Any text is read as kicks, or rejected by our own error."""
    with suppress(TruthError):
        assert isinstance(read_kicks(text), tuple)


@pytest.mark.parametrize(
    ('change', 'reason'),
    [({'sent_unix': 1e300}, 'sent_unix: 1e'), ({'vx': float('inf')}, 'not finite')],
)
def test_impossible_numbers_of_kicks_are_rejected(change, reason):
    """An impossible time or position is rejected and named."""
    kick = dict.fromkeys(('sent_unix', 'x', 'y', 'z', 'vx', 'vy', 'vz'), 1.0) | change
    with pytest.raises(TruthError, match=reason):
        read_kicks(json.dumps([kick]))


def test_kicks_are_read_in_order_of_time():
    """Kicks are sorted, whatever the order in the file."""
    fields = {'x': 1, 'y': 2, 'z': 0, 'vx': 3, 'vy': 4, 'vz': 5, 'roll': False}
    text = json.dumps([{'sent_unix': time, **fields} for time in (2.5, 1.5)])
    first, second = read_kicks(text)
    assert (first.sent_ns, second.sent_ns) == (1_500_000_000, 2_500_000_000)
    assert (first.position, first.velocity) == ((1.0, 2.0, 0.0), (3.0, 4.0, 5.0))
    assert first.chipped

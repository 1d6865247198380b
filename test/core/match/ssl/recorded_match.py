# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Recorded datagrams of a rolling ball, from vision and from trackers."""

from __future__ import annotations

from world_model_core.match.ssl.recording import Message, MessageKind
from world_model_core.match.ssl.tracker_packets import encode_tracker
from world_model_core.match.ssl.tracker_values import TrackedBall, TrackedFrame, TrackerPacket
from world_model_core.match.ssl.vision_packets import encode_vision
from world_model_core.match.ssl.vision_values import BallDetection, DetectionFrame, VisionPacket

START_NS = 1_700_000_000 * 10**9
MS = 10**6


def vision(number, geometry=None, recorder_ns=0):
    """Encode a ball that rolls at 1 m/s, captured 10 ms before it is received."""
    capture_ns = START_NS + number * 14 * MS
    ball = BallDetection(0.014 * number, 0.5, None, 1.0, (0.0, 0.0))
    frame = DetectionFrame(number, 2, capture_ns, capture_ns + 8 * MS, (ball,), ())
    data = encode_vision(VisionPacket(frame, geometry))
    return Message(capture_ns + 10 * MS + recorder_ns, MessageKind.VISION_2014, data)


def tracker(number, clock_ns=0, uuid='a', *, recorder_ns=0, visibility=1.0, name=None, off=0.0):
    """
    Encode the same ball of a tracker.

    Its clock and that of the recorder are off by `clock_ns` and `recorder_ns`, its ball by `off`
    [m]; without a `visibility` it has none.
    """
    capture_ns = START_NS + number * 14 * MS
    there = TrackedBall((0.014 * number, 0.5 + off, 0.0), (1.0, 0.0, 0.0), visibility)
    balls = () if visibility is None else (there,)
    frame = TrackedFrame(number, capture_ns + clock_ns, balls, (), None, frozenset())
    data = encode_tracker(TrackerPacket(uuid, name or f'tracker {uuid}', frame))
    received_ns = capture_ns + 10 * MS + recorder_ns
    return Message(received_ns, MessageKind.VISION_TRACKER_2020, data)

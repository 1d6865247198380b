# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Datagrams of a simple match: one ball, one robot, and a clock per sender."""

from __future__ import annotations

from dataclasses import replace

from samples import BALL, FRAME, REFEREE, ROBOT, TRACKED, TRACKED_BALL, TRACKED_ROBOT

from world_model_core.match.ssl.referee_packets import encode_referee
from world_model_core.match.ssl.robot_id import RobotId, Team
from world_model_core.match.ssl.tracker_packets import encode_tracker
from world_model_core.match.ssl.tracker_values import TrackerPacket
from world_model_core.match.ssl.vision_packets import encode_vision
from world_model_core.match.ssl.vision_values import VisionPacket
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND

MS = SECOND // 1000
START = 1_000 * SECOND
BLUE_3 = RobotId(Team.BLUE, 3)


def vision(index, x=0.0, ball=True, clock_ns=0, **changes):
    """Encode frame `index` of a camera at 100 Hz with a ball at (x, 0) and blue/3."""
    capture = START + index * 10 * MS + clock_ns
    frame = replace(
        FRAME,
        frame_number=index,
        capture_ns=capture,
        sent_ns=capture + 5 * MS,
        balls=(replace(BALL, x=x),) if ball else (),
        robots=(replace(ROBOT, x=1.0),),
        **changes,
    )
    return encode_vision(VisionPacket(frame, None))


def tracker(index, x=0.0, uuid='uuid-1', name='TIGERs', clock_ns=0, **changes):
    """Encode frame `index` of a tracker at 100 Hz with a ball at (x, 0) and blue/3."""
    frame = replace(
        TRACKED,
        frame_number=index,
        stamp_ns=START + index * 10 * MS + clock_ns,
        balls=(replace(TRACKED_BALL, position=(x, 0.0, 0.0), velocity=(1.0, 0.0, 0.0)),),
        robots=(replace(TRACKED_ROBOT, position=(2.0, 0.0)),),
    )
    return encode_tracker(TrackerPacket(uuid, name, replace(frame, **changes)))


def referee(index, **changes):
    """Encode packet `index` of a referee that sends every 25 ms."""
    sent = START + index * 25 * MS
    packet = replace(REFEREE, sent_ns=sent, command_ns=sent, command_counter=1)
    packet = replace(packet, blue=replace(packet.blue, name='Bears'), **changes)
    return encode_referee(packet)

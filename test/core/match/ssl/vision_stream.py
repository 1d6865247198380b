# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Frames of several cameras, sent to a match whose output is checked."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from functools import cache

import numpy as np
from samples import BALL, CAMERA, FIELD, FRAME, ROBOT

from world_model_core.match.datagrams import Datagram
from world_model_core.match.match import Match
from world_model_core.match.ssl.geometry_values import Geometry
from world_model_core.match.ssl.tracker_packets import decode_tracker, encode_tracker
from world_model_core.match.ssl.vision_packets import encode_vision
from world_model_core.match.ssl.vision_values import VisionPacket
from world_model_core.match.values import Channel, MatchParameters, SourceMode
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND

MS = SECOND // 1000
# Vision's clock and ours at the start of a stream, and the delay of a frame [ns].
START, LOCAL_START, DELAY = 1000 * SECOND, 1007 * SECOND, 5 * MS
PERIOD = SECOND // 75
# Two cameras, each over one half of the field, 3 m apart.
CAMERAS = (
    replace(CAMERA, camera_id=0, position=(-1.5, 0.0, 5.0)),
    replace(CAMERA, camera_id=1, position=(1.5, 0.0, 5.0)),
)
GEOMETRY = Geometry(FIELD, CAMERAS)
DETECTION_STD = 0.0005
# Types of values without containers.
WITHOUT_ENTRIES = (str, bytes, int, float, type, type(None))


def ball_at(x, y=0.0, z=None):
    """Return a detection of a ball [m]."""
    return replace(BALL, x=x, y=y, z=z)


def robot_at(x, y=0.0, number=3, **changes):
    """Return a detection of a blue robot [m]."""
    return replace(ROBOT, x=x, y=y, number=number, **changes)


def shadow(place, camera):
    """Project a ball (x, y, z) from a camera onto the carpet, shape (2,) [m]."""
    (x, y, z), (cx, cy, cz) = place, camera
    stretch = cz / (cz - z)
    return cx + stretch * (x - cx), cy + stretch * (y - cy)


class VisionStream:
    """
    A match and the frames sent to it; all its changes are checked.

    Parameters
    ----------
    geometry : Geometry or None
        Sent first.

    """

    def __init__(self, geometry=GEOMETRY, mode=SourceMode.VISION):
        self.match = Match(MatchParameters(mode=mode, uuid='own'))
        self.published = []  # (time [ns], changes) of all frames
        self._random = random.Random(1)  # noqa: S311
        self._count = 0
        if geometry is not None:
            self.learn(geometry)

    def learn(self, geometry, now=0):
        """Send a geometry at a time [ns] after the start."""
        packet = encode_vision(VisionPacket(None, geometry))
        return self.match.receive(Datagram(Channel.VISION, packet, LOCAL_START + now))

    def send(self, now, camera, balls=(), robots=(), *, capture=0, sent=0):
        """
        Send a frame captured `now` [ns after the start].

        Its stamps are wrong by `capture` and `sent` [ns].
        """
        self._count += 1
        frame = replace(
            FRAME,
            frame_number=self._count,
            camera_id=camera,
            capture_ns=START + now + capture,
            sent_ns=START + now + DELAY + sent,
            balls=tuple([self._blurred(ball) for ball in balls]),
            robots=tuple([self._blurred(robot) for robot in robots]),
        )
        packet = encode_vision(VisionPacket(frame, None))
        changes = self.match.receive(Datagram(Channel.VISION, packet, LOCAL_START + now + DELAY))
        self.published.append((now, changes))
        check(changes)
        return changes

    def balls(self, since=0):
        """Return time, x, y, vx, vy and the stamp in vision's true clock of each ball."""
        rows = [
            (now, *c.ball.position[:2], *c.ball.velocity[:2], c.ball.stamp_ns - LOCAL_START)
            for now, c in self.published
            if c.ball is not None and now >= since
        ]
        return np.array(rows).reshape(-1, 6).T

    def _blurred(self, thing):
        noise = self._random.gauss
        return replace(
            thing, x=thing.x + noise(0, DETECTION_STD), y=thing.y + noise(0, DETECTION_STD)
        )


def check(changes):
    """Check that all output is finite, with valid covariances, and can be sent."""
    ball, robots, kick = changes.ball, changes.robots, changes.kick
    if ball is not None:
        assert np.isfinite(ball.position).all()
        assert np.isfinite(ball.velocity).all()
        _check_covariances(ball.covariance)
    if robots is not None:
        assert np.isfinite(robots.poses).all()
        assert np.isfinite(robots.velocities).all()
        _check_covariances(robots.covariances)
    if kick is not None:
        assert np.isfinite(kick.velocity).all()
        _check_covariances(kick.covariance)
    if changes.tracked is not None:  # receivers must accept every packet
        decode_tracker(encode_tracker(changes.tracked))


def _check_covariances(covariances):
    assert np.isfinite(covariances).all()
    mirrored = np.swapaxes(covariances, -1, -2)
    # As np.allclose, which takes ten times as long.
    assert (abs(covariances - mirrored) <= 1e-12 + 1e-9 * abs(mirrored)).all()
    # Entries have different units: rounding errors are relative to the largest of them.
    values = np.linalg.eigvalsh(covariances)
    assert (values >= -1e-9 * np.abs(values).max(initial=0.0)).all()


def size(root):
    """Count all entries of the containers and arrays reachable from an object."""
    visited, waiting, total = set(), [root], 0
    while waiting:
        thing = waiting.pop()
        if isinstance(thing, WITHOUT_ENTRIES) or id(thing) in visited:
            continue
        visited.add(id(thing))
        if isinstance(thing, np.ndarray):
            total += thing.size
        elif isinstance(thing, dict):
            total += len(thing)
            waiting.extend((*thing.keys(), *thing.values()))
        elif hasattr(thing, '__len__') and hasattr(thing, '__iter__'):
            total += len(thing)
            waiting.extend(thing)
        waiting.extend(_attributes(thing))
    return total


def _attributes(thing):
    named = [getattr(thing, name) for name in _slots(type(thing)) if hasattr(thing, name)]
    return [*named, *getattr(thing, '__dict__', {}).values()]


@cache
def _slots(kind):
    return [name for base in kind.__mro__ for name in getattr(base, '__slots__', ())]


def pictures(first, last):
    """Yield time [ns] and camera of all frames between two counts of pairs."""
    for index in range(first, last):
        for camera in (0, 1):
            yield index * PERIOD + camera * PERIOD // 2, camera


def height_of(now, climb=4.0, gravity=-9.81):
    """Return the height at `now` [s] of a ball chipped straight up along z [m]."""
    return max(climb * now + 0.5 * gravity * now * now, 0.0) if now > 0.0 else 0.0


def swing(now, amplitude=2.0, rate=0.5):
    """Return position and speed of a ball that oscillates along x, `now` [ns] after the start."""
    phase = rate * now / SECOND
    return amplitude * math.sin(phase), amplitude * rate * math.cos(phase)

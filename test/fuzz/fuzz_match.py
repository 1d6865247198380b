# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Searches, guided by coverage, for frames that make a match fail or publish impossible states.

    pip install atheris && python3 test/fuzz/fuzz_match.py CORPUS_FOLDER -max_total_time=60

The folder is made and seeded; further options are libFuzzer's. An input is a script: each of its
steps advances the time and shows some balls and robots to a camera, perhaps with wrong stamps,
moves cameras, or sends raw bytes.
"""

from __future__ import annotations

import os
import struct
import sys
from dataclasses import replace
from pathlib import Path

import atheris

PROJECT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(PROJECT), str(PROJECT / 'test' / 'core' / 'match' / 'ssl')]

with atheris.instrument_imports(include=['world_model_core']):
    from samples import FIELD
    from vision_stream import (
        CAMERAS,
        LOCAL_START,
        MS,
        PERIOD,
        VisionStream,
        ball_at,
        check,
        robot_at,
        size,
    )

    from world_model_core.match.datagrams import Datagram
    from world_model_core.match.ssl.geometry_values import ChipModel, Geometry, StraightModel
    from world_model_core.match.values import Channel

# Steps of one script, and limit of the entries in a match.
STEPS, MOST_KEPT = 60, 30_000
# Errors of stamps [ns], and times between frames.
SHIFTS = (0, 0, 0, -MS, -100 * MS, 400 * MS, -1000 * MS, -10_000 * MS)
GAPS = (PERIOD // 2, PERIOD // 2, PERIOD, 0, 1000, 60 * MS, 700 * MS, 3000 * MS)
DETECTION = struct.Struct('<4b')  # x, y in decimeters, height or number, and kind


class Script:
    """
    Reads an input step by step.

    Parameters
    ----------
    data : bytes

    """

    def __init__(self, data: bytes) -> None:
        self._data = atheris.FuzzedDataProvider(data)
        self._stream = VisionStream()
        self._now = self._last_ns = 0

    def play(self) -> None:
        """Do all steps; the changes are checked after each."""
        steps = (
            self._show_any,
            self._show_any,
            self._show_any,
            self._roll,
            self._roll,
            self._learn,
            self._send,
        )
        for _ in range(STEPS):
            if not self._data.remaining_bytes():
                break
            steps[self._data.ConsumeIntInRange(0, len(steps) - 1)]()
        if size(self._stream.match) > MOST_KEPT:
            raise AssertionError('the match keeps more entries than the limit')

    def _pick(self, choices):
        return choices[self._data.ConsumeIntInRange(0, len(choices) - 1)]

    def _show(self, balls, robots=()) -> None:
        self._now += self._pick(GAPS)
        capture, sent = self._pick(SHIFTS), self._pick(SHIFTS)
        camera = self._data.ConsumeIntInRange(0, 3)
        self._check(
            self._stream.send(self._now, camera, balls, robots, capture=capture, sent=sent)
        )

    def _check(self, changes) -> None:
        self._stream.published.clear()
        if changes.robots is None:
            return
        if changes.robots.stamp_ns < self._last_ns:
            raise AssertionError('the stamps of robots decrease')
        self._last_ns = changes.robots.stamp_ns
        if changes.ball is not None and abs(changes.ball.velocity).max() > 100.0:
            raise AssertionError('the ball is faster than any kick')

    def _show_any(self) -> None:
        """Show any detections."""
        balls, robots = [], []
        for _ in range(self._data.ConsumeIntInRange(0, 5)):
            x, y, more, kind = DETECTION.unpack(
                self._data.ConsumeBytes(DETECTION.size).ljust(4, b'\0')
            )
            if kind % 3 == 0:
                robots.append(robot_at(0.1 * x, 0.1 * y, more % 16))
            else:
                balls.append(ball_at(0.1 * x, 0.1 * y, None if kind % 3 == 1 else more / 128.0))
        self._show(balls, robots)

    def _roll(self) -> None:
        """Show a rolling ball in some frames, from anywhere."""
        x, y, vx, vy = (self._data.ConsumeFloatInRange(-6.0, 6.0) for _ in range(4))
        for frame in range(self._data.ConsumeIntInRange(1, 12)):
            since = frame * PERIOD / 2e9
            self._show([ball_at(x + since * vx, y + since * vy)], [robot_at(x, y)])

    def _learn(self) -> None:
        """Move a camera and change the constants of the ball."""
        number = self._data.ConsumeIntInRange(0, 3)
        parts = [self._data.ConsumeFloatInRange(0.0, 1.0) for _ in range(4)]
        place = tuple(self._data.ConsumeFloatInRange(-8.0, 8.0) for _ in range(3))
        camera = replace(CAMERAS[0], camera_id=number, position=place)
        sliding, roll = -0.01 - 10.0 * parts[0], -0.01 - parts[1]
        straight, chip = StraightModel(sliding, roll, parts[2]), ChipModel(*parts[1:])
        self._stream.learn(Geometry(FIELD, (camera,), straight, chip), self._now)

    def _send(self) -> None:
        """Send raw bytes."""
        data = self._data.ConsumeBytes(self._data.ConsumeIntInRange(0, 60))
        channel = self._pick(list(Channel))
        changes = self._stream.match.receive(Datagram(channel, data, LOCAL_START + self._now))
        check(changes)


def seed(folder: Path) -> None:
    """Write some scripts to start with."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(8):
        (folder / f'seed_{number}').write_bytes(bytes([number * 31 % 256]) + os.urandom(600))


def play_one(data: bytes) -> None:
    """Play one input; any error ends the search."""
    Script(data).play()


if __name__ == '__main__':
    seed(Path(sys.argv[1]))
    atheris.Setup(sys.argv, play_one)
    atheris.Fuzz()

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Damages the frames of controllers, and lets a world of three agents use what is left of them.

    python test/fuzz/fuzz_controllers.py --frames 1000000

Errors of the stream and of the physics are counted; any other, a frame for which much memory is
allocated, or one that takes long, ends the run.
"""

from __future__ import annotations

import argparse
import random
import struct
import sys
import time
import tracemalloc
from collections import Counter
from pathlib import Path

from rich.progress import track

PROJECT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(PROJECT), str(PROJECT / 'test' / 'core' / 'virtual_world' / 'engine')]

from engine_worlds import arm, thing, world  # noqa: E402 (path above)

from world_model_core.virtual_world.agents.commands import apply  # noqa: E402
from world_model_core.virtual_world.agents.events import HANDLERS, Sound  # noqa: E402
from world_model_core.virtual_world.agents.messages import (  # noqa: E402
    OutgoingMessage,
    OutgoingSound,
    OutgoingText,
)
from world_model_core.virtual_world.agents.turns import AgentTurns  # noqa: E402
from world_model_core.virtual_world.agents.wire import (  # noqa: E402
    FrameReader,
    InvalidFrame,
    WireError,
    encode,
)
from world_model_core.virtual_world.agents.wire_values import Hello, Query, Reply  # noqa: E402
from world_model_core.virtual_world.agents.writes import Write  # noqa: E402
from world_model_core.virtual_world.engine.engine import Engine  # noqa: E402
from world_model_core.virtual_world.engine.errors import DivergedError  # noqa: E402

AGENTS = ('a', 'b', 'c')
# What may be written to any entity.
WRITES = (
    ('position', ((1.0, 2.0, 3.0),)),
    ('orientation', ((0.0, 0.0, 0.6, 0.8),)),
    ('linear_velocity', ((0.1, 0.0, 0.0),)),
    ('angular_velocity', ((0.1, 0.0, 0.0),)),
    ('dynamics', (True,)),
    ('dynamics', (False,)),
    ('gravity', (False,)),
    ('collides', (True,)),
    ('mass', (2.0,)),
    ('wrench', ('', (1.0, 0.0, 0.0), (0.0, 0.0, 0.1), (0.0, 0.0, 0.0))),
    ('joint_angle', ('shoulder', 0.5)),
    ('joint_torque', ('shoulder', 0.5)),
    ('joint_velocity', ('shoulder', 0.5)),
    ('grasp', ('body', 'b')),
    ('release', ('body',)),
    ('connection', ('rope', 'body', 'b', 'body')),
    ('disconnection', ('rope',)),
    ('wheels', (0.1, 0.3)),
    ('wheel_velocities', (1.0, 2.0)),
)
# Values of MessagePack on which readers fail: lengths, numbers at limits, nesting.
PIECES = (
    *(struct.pack('>BI', first, 2**32 - 1) for first in (0xC6, 0xDB, 0xDD, 0xDF, 0xC9)),
    *(struct.pack('>BH', first, 2**16 - 1) for first in (0xC5, 0xDA, 0xDC, 0xDE)),
    *(struct.pack('>Bd', 0xCB, value) for value in (float('nan'), float('inf'), 1e308, -0.0)),
    *(b'\xcf' + b'\xff' * 8, b'\xd3\x80' + bytes(7), b'\xc0', b'\xc2', b'\xc1', b'\x90', b'\x80'),
    *(b'\x91' * 40, b'\x81' * 40, b'\xa1\xff', b'\xa3\xed\xa0\x80', b'\xd4\x01\x00', b'\xa0'),
    *(b'\xa1a', b'\xa1b', b'\xa4body', b'\xa5Write', b'\xa5Reply', b'\xacOutgoingText', b'\xff'),
)
# Longest CPU time of a frame [s], and most memory for it, in bytes for each of its bytes and at
# least.
LONGEST = 2.0
MEMORY_FACTOR, LEAST_MEMORY = 200, 1_000_000
# Frames until the world begins again, and of how many the memory is measured.
RESTART, MEASURED = 2_000, 20


class ControllerFuzzer:
    """
    Plays a world with replies that are damaged and arrive in pieces.

    Parameters
    ----------
    seed : int

    """

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 (no secret)
        self.counters: Counter[str] = Counter()
        self._frames = 0
        self._restart()

    def run(self) -> None:
        """Send a frame, and take a step if all agents have replied."""
        if self._frames % RESTART == 0:
            self._restart()
        measured = self._frames % MEASURED == 0
        self._frames += 1
        name = self._random.choice(AGENTS)
        frame = self._damaged(encode(self._value(name)))
        start = time.process_time()
        if measured:
            tracemalloc.start()
        self._receive(name, frame)
        if measured:
            _, peak = tracemalloc.get_traced_memory()
            tracemalloc.stop()
            if peak > max(MEMORY_FACTOR * len(frame), LEAST_MEMORY):
                raise MemoryError(f'{peak} bytes for {frame[:1000]!r}')
        self._advance()
        if time.process_time() - start > LONGEST:
            raise TimeoutError(f'longer than {LONGEST} s: {frame[:1000]!r}')

    def _restart(self) -> None:
        """Begin a new world."""
        entities = [thing(name, position=(0.3 * i, 0.0, 0.2)) for i, name in enumerate(AGENTS)]
        self._engine = Engine(world(*entities, arm()))
        self._turns = AgentTurns(apply, lockstep=self._random.random() < 0.5)
        self._readers = {name: FrameReader() for name in AGENTS}
        self._numbers = dict.fromkeys(AGENTS, 0)
        for name in AGENTS:
            self._turns.attach(name, tuple(HANDLERS.values()))

    def _value(self, name: str) -> Hello | Query | Reply:
        """Return what a controller may send."""
        draw = self._random
        if draw.random() < 0.1:
            return draw.choice((Hello(name, ('on_action',)), Query(1, 'state', {'name': 'b'})))
        writes = tuple(
            Write(draw.choice((*AGENTS, 'arm')), *draw.choice(WRITES))
            for _ in range(draw.randint(0, 3))
        )
        to = draw.choice((*AGENTS, ''))
        outgoing = (
            OutgoingText(name, to, 'hello', radius=draw.choice((-1.0, 0.5))),
            OutgoingSound(name, to, Sound(bytes(8))),
            OutgoingMessage(name, to, ('x', 'y')),
        )
        seconds = draw.choice((None, -1.0, 0.0, 0.02))
        said = draw.sample(outgoing, draw.randint(0, 2))
        return Reply(self._numbers[name], seconds, writes, tuple(said), ())

    def _damaged(self, frame: bytes) -> bytes:
        """Return a frame with up to three faults; its length is right most of the time."""
        packed = frame[4:]
        for _ in range(self._random.randint(0, 3)):
            start, end = sorted(self._random.randint(0, len(packed)) for _ in range(2))
            end = self._random.choice((start, min(end, start + 1), min(end, start + 9)))
            piece = self._random.choice(
                (*PIECES, self._random.randbytes(1), packed[start:end] * 2, b'')
            )
            packed = packed[:start] + piece + packed[end:]
        length = len(packed) + self._random.choice((0,) * 40 + (1, -1, 2**31))
        return struct.pack('>I', max(length, 0)) + packed

    def _receive(self, name: str, frame: bytes) -> None:
        """Let the world read a frame in two pieces, and use its values."""
        cut = self._random.randint(0, len(frame))
        for piece in (frame[:cut], frame[cut:]):
            try:
                values = self._readers[name].receive_data(piece)
            except WireError:
                self.counters['stream ended'] += 1
                self._readers[name] = FrameReader()
                return
            for value in values:
                self._use(name, value)
        if int.from_bytes(frame[:4], 'big') != len(frame) - 4 and self._random.random() < 0.8:
            # Most of the time, the next frame begins where it should.
            self._readers[name] = FrameReader()

    def _use(self, name: str, value: object) -> None:
        if isinstance(value, Reply):
            self.counters['reply'] += 1
            self._turns.accept(name, value)
        elif isinstance(value, InvalidFrame):
            self.counters['invalid frame'] += 1
            self._turns.refuse(name, value.reason)
        else:
            self.counters['other value'] += 1

    def _advance(self) -> None:
        """End the instant, unless agents are waited for, and begin the next."""
        if self._turns.waiting and self._random.random() < 0.7:
            return
        self._turns.mark_late()
        self._turns.finish(self._engine)
        self.counters.update(self._turns.counts)
        self._turns.counts.clear()
        for name in (*self._turns.unresponsive, *self._turns.left_alone):
            self._turns.detach(name)
            self._turns.attach(name, tuple(HANDLERS.values()))
        try:
            self._engine.step(self._engine.world.step)
        except DivergedError:
            self.counters['physics diverged'] += 1
            self._restart()
        for name, turn in self._turns.begin(self._engine).items():
            encode(turn)
            self._numbers[name] = turn.number


def main() -> None:
    """Fuzz, and print the counters."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--frames', type=int, default=100_000)
    parser.add_argument('--seed', type=int, default=0)
    arguments = parser.parse_args()
    fuzzer = ControllerFuzzer(arguments.seed)
    for _ in track(range(arguments.frames)):
        fuzzer.run()
    for result, number in sorted(fuzzer.counters.items(), key=lambda each: -each[1]):
        print(f'{number:>10} {result}')


if __name__ == '__main__':
    main()

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Searches, guided by coverage, for bytes that make a parser raise an untyped error.

    pip install atheris && python3 test/fuzz/fuzz_ssl.py CORPUS_FOLDER -max_total_time=60

The folder is made and seeded; further options are libFuzzer's. The first byte of an input chooses
the parser. protobuf runs in pure Python, where atheris can measure coverage, unless
PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION is set.
"""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from pathlib import Path

import atheris

os.environ.setdefault('PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION', 'python')
PROJECT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(PROJECT), str(PROJECT / 'test' / 'core' / 'match' / 'ssl')]

with atheris.instrument_imports(include=['google.protobuf', 'world_model_core']):
    from samples import CAMERA, FIELD, FRAME, REFEREE, TRACKED

    from world_model_core.errors import WorldModelError
    from world_model_core.match.ssl.geometry_values import Geometry
    from world_model_core.match.ssl.recording import (
        Message,
        MessageKind,
        RecordingReader,
        RecordingWriter,
    )
    from world_model_core.match.ssl.referee_packets import decode_referee, encode_referee
    from world_model_core.match.ssl.tracker_packets import decode_tracker, encode_tracker
    from world_model_core.match.ssl.tracker_values import TrackerPacket
    from world_model_core.match.ssl.vision_packets import decode_vision, encode_vision
    from world_model_core.match.ssl.vision_values import VisionPacket

SCRATCH = Path(tempfile.mkdtemp()) / 'input.log'


def read_recording(data: bytes) -> None:
    """Read `data` as a recording, plain or compressed."""
    SCRATCH.write_bytes(data)
    list(RecordingReader(SCRATCH))


PARSERS = (decode_vision, decode_tracker, decode_referee, read_recording)


def write_recording() -> bytes:
    """Return the bytes of a short recording."""
    with RecordingWriter(SCRATCH) as writer:
        writer.write(Message(1, MessageKind.VISION_2014, b'datagram'))
    return SCRATCH.read_bytes()


def seed(folder: Path) -> None:
    """Write one good input for each parser."""
    folder.mkdir(parents=True, exist_ok=True)
    inputs = (
        encode_vision(VisionPacket(FRAME, Geometry(FIELD, (CAMERA,)))),
        encode_tracker(TrackerPacket('uuid', 'name', TRACKED)),
        encode_referee(REFEREE),
        write_recording(),
    )
    for number, data in enumerate(inputs):
        (folder / f'seed_{number}').write_bytes(bytes([number]) + data)


def parse_one(data: bytes) -> None:
    """Parse one input; any untyped error ends the search."""
    if data:
        with contextlib.suppress(WorldModelError):
            PARSERS[data[0] % len(PARSERS)](data[1:])


if __name__ == '__main__':
    seed(Path(sys.argv[1]))
    atheris.Setup(sys.argv, parse_one)
    atheris.Fuzz()

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Stops of nodes by SIGINT or SIGTERM at random moments of their first seconds.

Each must end within 2 s with exit code 0 and without an error, also on a busy machine. The signals
are blocked at the start, as by `world_model run`. Where they are not (`ros2 launch`), a signal in
the first 20 to 80 ms, before the first import of the script, meets Python without a handler.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any, NamedTuple

import numpy as np

from benchmarks.match.recording import simulate_match
from benchmarks.runtime.busy_loops import busy_loops
from world_model_core.match.ssl.recording import Message, MessageKind, RecordingWriter
from world_model_core.match.values import Channel
from world_model_nodes.nodes import NODES

STOPS = 1000
LATEST = 5.0  # moment of a signal after the start [s]
LIMIT = 2.0  # time to end after the signal [s]
HANG = 20.0  # a node that has not ended by then is killed [s]
BUSY_LOOPS = 4
AT_ONCE = 2
RECORDED_NS = 1_000_000_000
# Lines that are no error: `[INFO] [1700000000.123] [node]: text` of rclpy.
_REGULAR = re.compile(r'\[(INFO|WARN)\] |\s*$')
_RUN = 'from world_model_nodes.runtime.executables import {0}; {0}()'


class Stop(NamedTuple):
    """One stop: of which node, by which signal, when [s]."""

    node: str
    number: signal.Signals
    moment: float


class Outcome(NamedTuple):
    """How a node ended: exit code, duration [s], errors."""

    code: int
    took: float
    errors: str

    @property
    def is_good(self) -> bool:
        """Whether it ended as it must."""
        return self.code == 0 and not self.errors and self.took < LIMIT


def measure(stops: int = STOPS, seed: int = 0) -> dict[str, Any]:
    """Stop nodes, half of them with busy loops on the machine."""
    draws = Random(seed)  # noqa: S311
    with TemporaryDirectory() as folder:
        log = Path(folder) / 'match.log'
        record_vision(log, RECORDED_NS)
        return {
            'limit [s]': LIMIT,
            'idle': _series(_draw(draws, stops // 2), log),
            f'{BUSY_LOOPS} busy loops': _series(_draw(draws, stops // 2), log, BUSY_LOOPS),
        }


def record_vision(path: Path, duration_ns: int) -> None:
    """Write a recording of the vision packets of a simulated match, for a duration [ns]."""
    with RecordingWriter(path) as writer:
        for datagram in simulate_match(duration_ns):
            if datagram.channel is Channel.VISION:
                kind = MessageKind.VISION_2014
                writer.write(Message(datagram.received_ns, kind, datagram.data))


def _draw(draws: Random, stops: int) -> list[Stop]:
    return [
        Stop(
            draws.choice(tuple(NODES)),
            draws.choice((signal.SIGINT, signal.SIGTERM)),
            draws.uniform(0.0, LATEST),
        )
        for _ in range(stops)
    ]


def _series(stops: list[Stop], log: Path, loops: int = 0) -> dict[str, Any]:
    with busy_loops(loops), ThreadPoolExecutor(AT_ONCE, initializer=_block) as pool:
        outcomes = list(pool.map(partial(_stop, log), stops))
    took = [each.took for each in outcomes]
    bad = [
        f'{stop.node} {stop.number.name} at {stop.moment:.3f} s: exit code {outcome.code}, '
        f'{outcome.took:.2f} s {outcome.errors}'
        for stop, outcome in zip(stops, outcomes, strict=True)
        if not outcome.is_good
    ]
    return {
        'stops': len(outcomes),
        'good': sum(each.is_good for each in outcomes),
        'median, p99 and maximum of the time to end [s]': [
            round(float(value), 2) for value in np.percentile(took, (50, 99, 100))
        ],
        'bad': bad,
    }


def _block() -> None:
    """Block the signals in a thread; the processes that it starts inherit that."""
    signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM))


def _stop(log: Path, stop: Stop) -> Outcome:
    """Start a node, stop it, and wait for its end."""
    arguments = ('-p', f'log:={log}', '-p', 'loop:=true') if stop.node == 'ssl_replay' else ()
    words = (sys.executable, '-c', _RUN.format(stop.node), '--ros-args', *arguments)
    environment = {**os.environ, 'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST'}
    with TemporaryFile() as errors:
        process = subprocess.Popen(  # noqa: S603
            words, env=environment, stdout=subprocess.DEVNULL, stderr=errors
        )
        time.sleep(stop.moment)
        process.send_signal(stop.number)
        sent = time.monotonic()
        try:
            process.wait(HANG)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        took = time.monotonic() - sent
        errors.seek(0)
        lines = errors.read().decode(errors='replace').splitlines()
    unusual = '\n'.join(line for line in lines if not _REGULAR.match(line))
    return Outcome(process.returncode, took, unusual)

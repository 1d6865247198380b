# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Age of what ssl_receiver publishes, with a fifth of a processor and under floods of garbage.

A simulated match of two cameras at 75 Hz is sent over the loopback. The age is that which the
node measures itself, from the kernel's stamp to the return of publish(). Under a flood it is that
of the states published because of vision's own frames; a flood starts 1 s after vision.
"""

from __future__ import annotations

import os
import pickle
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.match.latency import _free_ports
from benchmarks.match.received_match import receive_match, true_places
from benchmarks.match.receiver_age_nodes import ReceiverLog
from benchmarks.match.recording import EPOCH_NS, simulate_match
from world_model_core.match.ssl.wire import WrapperPacket
from world_model_core.match.values import Channel, SourceMode
from world_model_core.simulation.match.parameters import SslMatchParameters
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND
from world_model_nodes.runtime.udp import Endpoint, MulticastSender

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from world_model_core.match.datagrams import Datagram

GROUP = '224.5.23.78'
DURATION_NS = 20 * SECOND
FLOOD_NS = 8 * SECOND
RUNNING, STOPPED = 0.02, 0.08
RATE = 10_000
SIZES = (100, 1400)
# Different datagrams of a flood, which are repeated after 8 s.
GARBAGE_COUNT = 8 * RATE
START_UP = 15.0
FLOOD_START_UP = 2.0
# When a flood has been on for 1 s, since the first datagram of the match [ns].
FLOODED_NS = 2 * SECOND
AGE_P99 = 'age p99 [ms]'


def measure() -> dict[str, Any]:
    """Return the figures of the plain receiver, of the slow one, and under each flood."""
    os.environ['ROS_AUTOMATIC_DISCOVERY_RANGE'] = 'LOCALHOST'
    os.environ['ROS_DOMAIN_ID'] = str(os.getpid() % 100 + 1)
    parameters = SslMatchParameters(cameras=2)
    datagrams = simulate_match(DURATION_NS, parameters)
    return {
        'load of the machine': os.getloadavg()[0],
        'processors': os.cpu_count(),
        'undisturbed': _run(parameters, datagrams, slow=False),
        'a fifth of a processor': _run(parameters, datagrams, slow=True),
        'floods of 10,000 per second': _floods(parameters),
    }


def _run(
    parameters: SslMatchParameters, datagrams: Sequence[Datagram], *, slow: bool
) -> dict[str, Any]:
    """Play a match, and compare the ball with that of the same datagrams without any delay."""
    with _receiver() as (process, endpoints, log):
        ended = threading.Event()
        stopper = threading.Thread(target=_stop_and_go, args=(process, ended))
        if slow:
            stopper.start()
        sent = _play(datagrams, endpoints)
        ended.set()
        if slow:
            stopper.join()
    done = log()
    used = set(done.used)
    kept = [each for each in datagrams if each.channel is not Channel.VISION or each.data in used]
    ideal = receive_match(kept, SourceMode.VISION, parameters)
    live = _errors(done, parameters)
    counts = Counter(each.channel for each in datagrams)
    return {
        **_age_of(done, min(sent), max(sent) + SECOND),
        'frames used': f'{len(done.used)} of {counts[Channel.VISION]}',
        'dropped': {key: value for key, value in done.values.items() if _is_drop(key)},
        'accounted for': _accounted(done, counts),
        'ball rms error [mm]': _rms(live),
        'rms error without the dropped frames [mm]': _rms(ideal.errors),
        'ratio': round(_rms(live) / _rms(ideal.errors), 3),
    }


def _floods(parameters: SslMatchParameters) -> dict[str, Any]:
    datagrams = simulate_match(FLOOD_NS, parameters)
    balls = len(receive_match(datagrams, SourceMode.VISION, parameters).stamps)
    return {
        f'{channel.value}, {kind}, {size} B': _run_flooded(datagrams, balls, channel, kind, size)
        for channel, kind, size in product(Channel, GARBAGE, SIZES)
        if channel is Channel.VISION or kind != 'cameras'
    }


def _run_flooded(
    datagrams: Sequence[Datagram], balls: int, channel: Channel, kind: str, size: int
) -> dict[str, Any]:
    """Play a match with this number of balls to publish, during a flood of one channel."""
    garbage = [GARBAGE[kind](random.Random(n), size) for n in range(GARBAGE_COUNT)]  # noqa: S311
    sent = Counter(each.channel for each in datagrams)
    with _receiver() as (_, endpoints, log), _flood(endpoints[channel], garbage) as flood:
        times = _play(datagrams, endpoints)
        sent[channel] += _end(flood)
    done = log()
    own = {each.data for each in datagrams if each.channel is Channel.VISION}
    begin_ns, end_ns = min(times) + FLOODED_NS, max(times)
    reports = np.array([stamp for stamp in done.reports if begin_ns < stamp < end_ns])
    return {
        **_age_of(done, begin_ns, end_ns, own),
        'age p99 with frames of the flood [ms]': _age_of(done, begin_ns, end_ns)[AGE_P99],
        'ball messages': round(sum(data in own for data, *_ in done.balls) / balls, 4),
        'longest time between reports [s]': round(float(np.diff(reports).max()) / SECOND, 2),
        'sent': {each.value: count for each, count in sent.items()},
        'dropped': {key: value for key, value in done.values.items() if _is_drop(key)},
        'accounted for': _accounted(done, sent),
    }


def _random(source: random.Random, size: int) -> bytes:
    return source.randbytes(size)


def _truncated(source: random.Random, size: int) -> bytes:
    return _cameras(source, 2 * size)[:size]


def _cameras(source: random.Random, size: int) -> bytes:
    """Return a valid frame of any camera, padded by an unknown field to about `size`."""
    packet = WrapperPacket()
    frame = packet.detection
    frame.frame_number, frame.camera_id = source.randrange(2**31), source.randrange(64)
    frame.t_capture = frame.t_sent = EPOCH_NS / SECOND
    ball = frame.balls.add()
    ball.confidence, ball.x, ball.y, ball.pixel_x, ball.pixel_y = 1.0, 0.0, 0.0, 0.0, 0.0
    data = packet.SerializeToString()
    rest = max(0, size - len(data) - 3)
    return data + bytes([0x7A, rest & 127 | 128, rest >> 7]) + bytes(rest)


GARBAGE = {'random': _random, 'truncated': _truncated, 'cameras': _cameras}


@contextmanager
def _receiver() -> Iterator[tuple[subprocess.Popen[bytes], dict[Channel, Endpoint], Any]]:
    """Run a receiver within the context; its log is complete after it."""
    ports = dict(zip(Channel, _free_ports(3), strict=True))
    endpoints = {channel: Endpoint(GROUP, port) for channel, port in ports.items()}
    with tempfile.TemporaryDirectory() as folder:
        path, logs = Path(folder) / 'log', []
        words = ['-p', 'interface:=lo', '-p', 'source:=vision']
        for channel, endpoint in endpoints.items():
            name = channel.value
            words += ['-p', f'{name}_group:={GROUP}', '-p', f'{name}_port:={endpoint.port}']
        command = [sys.executable, '-m', 'benchmarks.match.receiver_age_nodes', 'receive']
        with subprocess.Popen([*command, str(path), '--ros-args', *words]) as process:  # noqa: S603
            _await_port(ports[Channel.VISION])
            try:
                yield process, endpoints, lambda: logs[0]
            finally:
                time.sleep(1.0)
                process.send_signal(signal.SIGCONT)
                process.send_signal(signal.SIGINT)
        logs.append(ReceiverLog(**pickle.loads(path.read_bytes())))  # noqa: S301 (our own)


def _await_port(port: int) -> None:
    """Wait until a socket is bound to the port."""
    deadline = time.monotonic() + START_UP
    while f':{port:04X} ' not in Path('/proc/net/udp').read_text():
        if time.monotonic() > deadline:
            raise TimeoutError(f'the receiver did not start within {START_UP} s')
        time.sleep(0.1)
    time.sleep(1.0)


@contextmanager
def _flood(endpoint: Endpoint, garbage: list[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    """Run a flood, at the latest until the end of the context."""
    with tempfile.NamedTemporaryFile() as file:
        begin = time.monotonic() + FLOOD_START_UP + 1.0  # vision is there first
        file.write(pickle.dumps((*endpoint, RATE, begin, garbage)))
        file.flush()
        command = [sys.executable, '-m', 'benchmarks.match.receiver_age_nodes', 'flood', file.name]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:  # noqa: S603
            time.sleep(FLOOD_START_UP)
            try:
                yield process
            finally:
                process.kill()


def _end(flood: subprocess.Popen[bytes]) -> int:
    """End a flood; return how many datagrams it has sent."""
    flood.terminate()
    return int(flood.communicate()[0])


def _stop_and_go(process: subprocess.Popen[bytes], ended: threading.Event) -> None:
    while not ended.is_set():
        process.send_signal(signal.SIGSTOP)
        time.sleep(STOPPED)
        process.send_signal(signal.SIGCONT)
        time.sleep(RUNNING)


def _play(datagrams: Sequence[Datagram], endpoints: dict[Channel, Endpoint]) -> list[int]:
    """Send each datagram at its time; return the times of sending [ns]."""
    sender, begin_ns, sent = MulticastSender(), time.time_ns(), []
    for datagram in datagrams:
        wait_ns = begin_ns + datagram.received_ns - EPOCH_NS - time.time_ns()
        time.sleep(max(0, wait_ns) / SECOND)
        sender.send(endpoints[datagram.channel], datagram.data)
        sent.append(time.time_ns())
    sender.close()
    return sent


def _age_of(
    log: ReceiverLog, begin_ns: int, end_ns: int, own: AbstractSet[bytes] | None = None
) -> dict[str, Any]:
    """Return the ages of what was published in a time, because of any or of some datagrams."""
    ages = [
        age
        for data, stamp, age in log.ages
        if begin_ns <= stamp <= end_ns and (own is None or data in own)
    ]
    median, p99, largest = np.quantile(ages, (0.5, 0.99, 1.0)) / 1e6
    return {
        'age median [ms]': round(float(median), 2),
        AGE_P99: round(float(p99), 2),
        'age maximum [ms]': round(float(largest), 2),
    }


def _errors(log: ReceiverLog, parameters: SslMatchParameters) -> Any:
    _, stamps, places = zip(*sorted(log.balls, key=lambda each: each[1]), strict=True)
    return np.linalg.norm(np.array(places) - true_places(stamps, parameters), axis=1)


def _rms(errors: Any) -> float:
    return round(1e3 * float(np.sqrt(np.nanmean(errors**2))), 3)


def _is_drop(key: str) -> bool:
    causes = ('kernel', 'full', 'old', 'Error', 'sender', 'duplicate', 'far off', 'trial', 'back')
    return key.endswith(causes)


def _accounted(log: ReceiverLog, sent: Counter[Channel]) -> bool:
    """Return whether the datagrams sent to each channel are those used and the counted drops."""
    causes = ('received', 'queue full', 'too old', 'dropped by the kernel')
    return all(
        count == sum(int(log.values.get(f'{channel.value}.{cause}', 0)) for cause in causes)
        for channel, count in sent.items()
    )

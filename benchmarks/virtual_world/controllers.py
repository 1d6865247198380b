# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Round trip of a turn and its reply between a world and a controller that does nothing.

The baseline is a bare socket pair between two Python processes, with frames of the same lengths,
by turns in the same run. These are wall times: other programs of the machine disturb both alike.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.virtual_world.lived_in import CONTROLLER
from world_model_core.virtual_world.agents.admission import OpenWorld
from world_model_core.virtual_world.agents.events import ActionEvent
from world_model_core.virtual_world.agents.wire import encode
from world_model_core.virtual_world.agents.wire_values import Reply, Turn
from world_model_nodes.runtime.io_thread import IoThread
from world_model_nodes.virtual_world.controller_link import ControllerLink, Joined, Received
from world_model_nodes.virtual_world.controller_listener import ControllerListener, UnixPlace
from world_model_nodes.virtual_world.controller_socket import socket_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROUNDS, TRIPS = 20, 200
STEP_NS = 10_000_000
AGENT, WORLD = 'robot', 'virtual_world'
# Median [ms], and the median as a multiple of that of the socket pair.
TARGETS = {'median [ms]': 0.3, 'times bare': 4.0}
# Answers each frame by one of another length.
ECHO = """
import socket, sys
stream = socket.socket(fileno=int(sys.argv[1]))
length, answer = int(sys.argv[2]), bytes(int(sys.argv[3]))
while len(stream.recv(length, socket.MSG_WAITALL)) == length:
    stream.sendall(answer)
"""


def measure(rounds: int = ROUNDS, trips: int = TRIPS) -> dict[str, Any]:
    """Time round trips through the link and through a bare socket pair."""
    with ExitStack() as stack:
        through, sizes = stack.enter_context(_linked())
        bare = stack.enter_context(_paired(*sizes))
        times: dict[str, list[float]] = {'controller': [], 'socket pair': []}
        # The first round warms up.
        for number in range(rounds + 1):
            for name, make_trip in (('controller', through), ('socket pair', bare)):
                found = [_time(make_trip) for _ in range(trips)]
                times[name] += found if number else []
    results = {name: _summary(found) for name, found in times.items()}
    factor = results['controller']['median [ms]'] / results['socket pair']['median [ms]']
    return {
        **results,
        'bytes of a turn and of a reply': sizes,
        'times bare': factor,
        'targets': TARGETS,
    }


def _time(make_trip: Callable[[], None]) -> float:
    start = time.perf_counter()
    make_trip()
    return 1e3 * (time.perf_counter() - start)


def _summary(times: list[float]) -> dict[str, float]:
    median, late = np.percentile(times, (50.0, 99.0)).tolist()
    return {'median [ms]': median, '99th percentile [ms]': late}


@contextmanager
def _linked() -> Iterator[tuple[Callable[[], None], tuple[int, int]]]:
    """Connect a controller; yield what makes a round trip, and the lengths of its frames."""
    with TemporaryDirectory() as folder:
        environment = {**os.environ, 'XDG_RUNTIME_DIR': folder}
        place = UnixPlace(socket_path(WORLD, environment))
        thread = IoThread('controllers')
        link = ControllerLink(thread, (ControllerListener(place),), lambda: None)
        link.world = OpenWorld(WORLD, 1, STEP_NS / 1e9, frozenset({AGENT}))
        words = ('controller', f'{CONTROLLER}:Null', '--agent', AGENT)
        command = (sys.executable, '-m', 'world_model_nodes.commands', *words)
        process = subprocess.Popen(command, env=environment)  # noqa: S603 (ours)
        try:
            while not isinstance(link.receive(1.0), Joined):
                pass
            number = 0

            def make_trip() -> None:
                nonlocal number
                number += 1
                link.send(AGENT, _turn(number))
                while not isinstance(link.receive(1.0), Received):
                    pass

            sizes = len(encode(_turn(1))), len(encode(Reply(1, -1.0)))
            yield make_trip, sizes
        finally:
            link.close('the benchmark ends')
            thread.close()
            process.terminate()
            process.wait()


def _turn(number: int) -> Turn:
    time_ns = number * STEP_NS
    return Turn(number, time_ns, (ActionEvent(time_ns),))


@contextmanager
def _paired(length: int, answer: int) -> Iterator[Callable[[], None]]:
    """Connect a process that answers frames of a length; yield what makes a round trip."""
    ours, theirs = socket.socketpair()
    words = (str(each) for each in (theirs.fileno(), length, answer))
    command = (sys.executable, '-c', ECHO, *words)
    process = subprocess.Popen(command, pass_fds=(theirs.fileno(),))  # noqa: S603 (ours)
    theirs.close()
    frame = bytes(length)

    def make_trip() -> None:
        ours.sendall(frame)
        ours.recv(answer, socket.MSG_WAITALL)

    make_trip()
    yield make_trip
    ours.close()
    process.wait()

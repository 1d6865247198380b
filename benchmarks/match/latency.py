# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Latency from a datagram on the loopback to the message `ball` in another process.

Three paths take turns in one run: the receiver, woken by a datagram; the same receiver, polling by
a timer as the seed did; and an empty pair, a publisher and the same subscriber, which measures the
latency of ROS.
"""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from functools import partial
from statistics import median, quantiles
from typing import TYPE_CHECKING, Any

import numpy as np
import rclpy
from nav_msgs.msg import Odometry

from benchmarks.match.latency_nodes import PATHS, place_of
from world_model_core.match.ball.estimate import BallState
from world_model_core.match.ssl.robot_id import RobotId, Team
from world_model_core.match.ssl.tracker_packets import encode_tracker
from world_model_core.match.ssl.tracker_values import (
    TrackedBall,
    TrackedFrame,
    TrackedRobot,
    TrackerPacket,
)
from world_model_nodes.match.convert import ball_message
from world_model_nodes.runtime.qos import STREAM
from world_model_nodes.runtime.udp import Endpoint, MulticastSender

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rclpy.node import Node

    # Prepares a numbered ball; the returned function sends it.
    Prepare = Callable[[int], Callable[[], object]]

RATE = 150.0
TURN = 150  # packets per path and turn
TURNS = 20
TARGET = 10.0
GROUP = '224.5.23.77'
START_UP = 30.0
# Time for the last packets to arrive [s].
GRACE = 0.5
# The number of robots in the recorded match of 2022.
ROBOTS = tuple(
    TrackedRobot(RobotId(team, number), (0.5 * number - 2.0, side), 0.0, (0.0, 0.0), 0.0, 1.0)
    for team, side in ((Team.YELLOW, -3.0), (Team.BLUE, 3.0))
    for number in range(8)
)


def measure(turns: int = TURNS) -> dict[str, Any]:
    """Send on the three paths in turns, and compare the latencies."""
    # Separate from other ROS systems.
    os.environ['ROS_AUTOMATIC_DISCOVERY_RANGE'] = 'LOCALHOST'
    os.environ['ROS_DOMAIN_ID'] = str(os.getpid() % 100 + 1)
    with ExitStack() as stack:
        rclpy.init()
        stack.callback(rclpy.try_shutdown)
        node = rclpy.create_node('sender')
        paths: dict[str, Prepare] = {}
        for name in ('woken', 'polled'):
            paths[name] = _receiver(name, stack)
        paths['empty'] = partial(_message, node.create_publisher(Odometry, 'empty/ball', STREAM))
        consumer = stack.enter_context(_process('consumer', stdout=subprocess.PIPE))
        _await_all(node)
        sent = _send_in_turns(paths, turns + 1)  # the first one warms up
        time.sleep(GRACE)
        consumer.send_signal(signal.SIGINT)
        lines = consumer.communicate(timeout=START_UP)[0].decode().splitlines()
    arrived = dict(tuple(map(int, line.split())) for line in lines)
    return _compare({name: numbers[TURN:] for name, numbers in sent.items()}, arrived)


def _receiver(name: str, stack: ExitStack) -> Prepare:
    """Start a receiver on its own ports, with short lives of ball and robots."""
    ports = _free_ports(3)
    parameters = {
        'source': 'tracker',
        'interface': 'lo',
        'tracker_group': GROUP,
        'ball_life': 0.1,
        'robot_life': 0.1,
        **dict(zip(('tracker_port', 'vision_port', 'referee_port'), ports, strict=True)),
    }
    words = [word for item in parameters.items() for word in ('-p', '{}:={}'.format(*item))]
    stack.enter_context(_process(name, '--ros-args', '-r', f'__ns:=/{name}', *words))
    return partial(_datagram, MulticastSender(), Endpoint(GROUP, ports[0]), name)


@contextmanager
def _process(role: str, *arguments: str, **options: Any) -> Iterator[subprocess.Popen[bytes]]:
    """Run one of the nodes within the context."""
    command = [sys.executable, '-m', 'benchmarks.match.latency_nodes', role, *arguments]
    with subprocess.Popen(command, **options) as process:  # noqa: S603 (fixed command)
        try:
            yield process
        finally:
            process.send_signal(signal.SIGINT)


def _free_ports(count: int) -> list[int]:
    """Return free UDP ports."""
    with ExitStack() as stack:
        sockets = [
            stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
            for _ in range(count)
        ]
        for each in sockets:
            each.bind(('', 0))
        return [int(each.getsockname()[1]) for each in sockets]


def _await_all(node: Node) -> None:
    """Wait until publishers and subscriptions of all paths exist."""
    deadline = time.monotonic() + START_UP
    topics = [f'/{path}/ball' for path in PATHS]
    while not all(node.count_publishers(t) and node.count_subscribers(t) for t in topics):
        if time.monotonic() > deadline:
            raise TimeoutError(f'the nodes did not start within {START_UP} s')
        time.sleep(0.1)


def _datagram(
    sender: MulticastSender, endpoint: Endpoint, source: str, number: int
) -> Callable[[], object]:
    """Prepare a tracker datagram with all robots and the ball at rest."""
    ball = TrackedBall((*place_of(number), 0.0), (0.0, 0.0, 0.0), 1.0)
    frame = TrackedFrame(number, time.time_ns(), (ball,), ROBOTS, None, frozenset())
    data = encode_tracker(TrackerPacket(source, source, frame))
    return lambda: sender.send(endpoint, data)


def _message(publisher: Any, number: int) -> Callable[[], object]:
    """Prepare the message that a receiver would publish for the datagram."""
    place = np.array((*place_of(number), 0.0))
    message = ball_message(BallState(time.time_ns(), place, np.zeros(3), np.eye(6)), 'field')
    return lambda: publisher.publish(message)


def _send_in_turns(paths: dict[str, Prepare], turns: int) -> dict[str, list[tuple[int, int]]]:
    """Send, and return number (from 1) and time [ns] of each packet."""
    sent: dict[str, list[tuple[int, int]]] = {name: [] for name in paths}
    random.seed(0)
    number, due = 0, time.monotonic()
    for _ in range(turns):
        for name, prepare in paths.items():
            for _ in range(TURN):
                number += 1
                send = prepare(number)
                # Random intervals, so that the phase of the polling timer has no effect.
                due = max(due, time.monotonic()) + random.uniform(0.5, 1.5) / RATE  # noqa: S311
                time.sleep(max(0.0, due - time.monotonic()))
                sent[name].append((number, time.monotonic_ns()))
                send()
    return sent


def _compare(sent: dict[str, list[tuple[int, int]]], arrived: dict[int, int]) -> dict[str, Any]:
    """Return the latency of each path, and that of the receivers without ROS."""
    delays = {
        name: [(arrived[n] - start_ns) / 1e6 for n, start_ns in numbers if n in arrived]
        for name, numbers in sent.items()
    }
    woken, polled = (
        median(delays[name]) - median(delays['empty']) for name in ('woken', 'polled')
    )
    return {
        'rmw': rclpy.get_rmw_implementation_identifier(),
        'packets per second': RATE,
        'target [times lower excess]': TARGET,
        'paths': {name: _summary(delays[name], len(numbers)) for name, numbers in sent.items()},
        'median excess over the empty pair [ms]': {
            'woken': round(woken, 3),
            'polled': round(polled, 3),
        },
        'polled excess / woken excess': round(polled / woken, 1),
    }


def _summary(delays: list[float], count: int) -> dict[str, float]:
    """Summarize delays [ms]; the medians of turns show the variation of the machine."""
    medians = [median(delays[start : start + TURN]) for start in range(0, len(delays), TURN)]
    return {
        'median [ms]': round(median(delays), 3),
        'p99 [ms]': round(quantiles(delays, n=100)[98], 3),
        'least median of a turn [ms]': round(min(medians), 3),
        'largest median of a turn [ms]': round(max(medians), 3),
        'sent': count,
        'lost': count - len(delays),
    }

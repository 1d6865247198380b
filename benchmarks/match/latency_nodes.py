# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
The processes that the latency benchmark starts: `python -m benchmarks.match.latency_nodes ROLE`.

The number of a datagram travels as the ball's place, so that no clock has to be trusted to find
the message that became of it.
"""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from functools import partial
from typing import Any

import rclpy
from nav_msgs.msg import Odometry
from rclpy.clock import Clock, ClockType
from rclpy.executors import ExternalShutdownException
from rclpy.node import Node

from world_model_nodes.match.ssl_receiver import SslReceiver
from world_model_nodes.runtime.lifecycle import run
from world_model_nodes.runtime.qos import LISTEN

PATHS = ('woken', 'polled', 'empty')
POLL_PERIOD = 0.01
# The digits of a number lie this far apart on the field [m], much more than float32 rounds.
STEP = 0.01
COLUMNS = 1000


def place_of(number: int) -> tuple[float, float]:
    """Write a number as x and y [m] on the field."""
    row, column = divmod(number, COLUMNS)
    return column * STEP, row * STEP


def number_at(x: float, y: float) -> int:
    """Read it again."""
    return round(y / STEP) * COLUMNS + round(x / STEP)


class Unheeded:
    """A guard condition that nobody waits for."""

    def trigger(self) -> None:
        """Wake nobody."""


class PolledReceiver(SslReceiver):
    """The same receiver in the seed's design: a timer looks for what has come."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._arrival = Unheeded()
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._poll = self.create_timer(POLL_PERIOD, self._drain, clock=steady)


class Consumer(Node):  # type: ignore[misc]
    """Notes when the balls of each path arrived."""

    def __init__(self) -> None:
        super().__init__('consumer')
        self.arrivals: dict[int, int] = {}
        for path in PATHS:
            self.create_subscription(Odometry, f'{path}/ball', self._note, LISTEN)

    def _note(self, message: Odometry) -> None:
        now_ns = time.monotonic_ns()
        place = message.pose.pose.position
        self.arrivals.setdefault(number_at(place.x, place.y), now_ns)


def consume() -> None:
    """Listen until SIGINT, then write number and instant [ns] of each arrival, a line each."""
    rclpy.init()
    consumer = Consumer()
    with suppress(KeyboardInterrupt, ExternalShutdownException):
        rclpy.spin(consumer)
    for number, instant in consumer.arrivals.items():
        print(number, instant)


ROLES = {'woken': partial(run, SslReceiver), 'polled': partial(run, PolledReceiver)}

if __name__ == '__main__':
    ROLES.get(sys.argv[1], consume)()

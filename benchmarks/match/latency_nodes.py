# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
The processes that the latency benchmark starts: `python -m benchmarks.match.latency_nodes ROLE`.

The number of a datagram is encoded in the ball's position, so that its message is found without
comparing clocks.
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
# Distance between numbers on the field [m], much more than the rounding of float32.
STEP = 0.01
COLUMNS = 1000


def place_of(number: int) -> tuple[float, float]:
    """Encode a number as x and y [m] on the field."""
    row, column = divmod(number, COLUMNS)
    return column * STEP, row * STEP


def number_at(x: float, y: float) -> int:
    """Decode the number."""
    return round(y / STEP) * COLUMNS + round(x / STEP)


class NullGuardCondition:
    """A guard condition that wakes no executor."""

    def trigger(self) -> None:
        """Do nothing."""


class PolledReceiver(SslReceiver):
    """The same receiver in the seed's design: a timer polls for datagrams."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._arrival = NullGuardCondition()
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._poll = self.create_timer(POLL_PERIOD, self._drain, clock=steady)


class Consumer(Node):  # type: ignore[misc]
    """Records the arrival times of the balls of each path."""

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
    """Receive until SIGINT, then print number and time [ns] of each arrival on a line."""
    rclpy.init()
    consumer = Consumer()
    with suppress(KeyboardInterrupt, ExternalShutdownException):
        rclpy.spin(consumer)
    for number, instant in consumer.arrivals.items():
        print(number, instant)


ROLES = {'woken': partial(run, SslReceiver), 'polled': partial(run, PolledReceiver)}

if __name__ == '__main__':
    ROLES.get(sys.argv[1], consume)()

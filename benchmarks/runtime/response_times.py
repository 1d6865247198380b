# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Response times of the runtime on this machine, each with its nominal value.

Tests do not depend on real time, so that they pass on a busy machine; it is measured here: the
delay of items, the interval of diagnostics, the time until a freed port is used, and the time to
close a receiver.
"""

from __future__ import annotations

import socket
import time
from typing import TYPE_CHECKING, Any

import numpy as np
import rclpy
from diagnostic_msgs.msg import DiagnosticArray
from rclpy.executors import SingleThreadedExecutor

from world_model_core.match.datagram_queues import DatagramQueues
from world_model_core.match.values import Channel
from world_model_nodes.runtime.diagnostics import PERIOD, Diagnostics, Report
from world_model_nodes.runtime.pacing import Pacer
from world_model_nodes.runtime.qos import STREAM
from world_model_nodes.runtime.udp import RETRY_PERIOD, Endpoint, MulticastReceiver

if TYPE_CHECKING:
    from collections.abc import Callable

ENDPOINT = Endpoint('239.255.231.254', 25_999)
ITEMS, INTERVAL_NS = 200, 5_000_000
REPORTS = 5


def measure() -> dict[str, Any]:
    """Measure all response times."""
    rclpy.init()
    node = rclpy.create_node('response_times')
    executor = SingleThreadedExecutor()
    executor.add_node(node)
    lateness = _pacing(node, executor)
    intervals = _diagnostics(node, executor)
    executor.shutdown()
    node.destroy_node()
    rclpy.try_shutdown()
    return {
        'delivery of a paced item after its time, p50 and p99 [ms]': [
            round(float(value), 2) for value in np.percentile(lateness, (50, 99)) / 1e6
        ],
        'period of diagnostics [s]': PERIOD,
        'intervals of diagnostics [s]': [round(each, 3) for each in intervals],
        'period of retries of a port in use [s]': RETRY_PERIOD,
        'use of a freed port after [s]': round(_freed_port(), 3),
        'closing a receiver takes [s]': round(_closing(), 4),
    }


def _spin(executor: SingleThreadedExecutor, condition: Callable[[], bool]) -> None:
    while not condition():
        executor.spin_once(timeout_sec=0.02)


def _pacing(node: Any, executor: SingleThreadedExecutor) -> list[int]:
    """Return the delay of each item [ns]."""
    late: list[int] = []
    start_ns = 0
    pacer = Pacer(
        node, lambda stamp, _: late.append(time.monotonic_ns() - start_ns - stamp), lambda: None
    )
    pacer.load((index * INTERVAL_NS, None) for index in range(ITEMS))
    start_ns = time.monotonic_ns()
    pacer.run()
    _spin(executor, lambda: len(late) == ITEMS)
    pacer.close()
    return late


def _diagnostics(node: Any, executor: SingleThreadedExecutor) -> list[float]:
    """Return the intervals between reports [s]."""
    received: list[float] = []
    node.create_subscription(
        DiagnosticArray, '/diagnostics', lambda _: received.append(time.monotonic()), STREAM
    )
    Diagnostics(node, Report)
    _spin(executor, lambda: len(received) > REPORTS)
    return [float(each) for each in np.diff(received)]


def _freed_port() -> float:
    """Return the time from the release of a port to its use by the receiver [s]."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as held:
        held.bind(('', ENDPOINT.port))
        receiver = MulticastReceiver(
            {Channel.VISION: ENDPOINT}, 'lo', DatagramQueues(0), lambda: None
        )
    freed = time.monotonic()
    while receiver.status[Channel.VISION].error:
        time.sleep(0.001)
    took = time.monotonic() - freed
    receiver.close()
    return took


def _closing() -> float:
    """Return the time to close a receiver [s]."""
    receiver = MulticastReceiver({Channel.VISION: ENDPOINT}, 'lo', DatagramQueues(0), lambda: None)
    began = time.monotonic()
    receiver.close()
    return time.monotonic() - began

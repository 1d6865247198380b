# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A ROS graph, node processes and an example scene for tests of nodes; tests never sleep."""

from __future__ import annotations

import gc
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Any

import pytest
import rclpy
from rclpy.executors import SingleThreadedExecutor

from world_model_core.bundle.scene.scene_document import scene_document
from world_model_core.bundle.sensors.scene_frames import scene_frames
from world_model_core.examples.village.example import example_bundle
from world_model_nodes.runtime.qos import STREAM
from world_model_nodes.runtime.udp import Endpoint, MulticastSender

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rclpy.node import Node

# Time limit of a condition on a busy machine [s].
TIME_LIMIT = 120.0


class StallFreeClock:
    """
    A clock that leaves out the time for which the machine did not run the test.

    A source of a match times out after 80 ms. On a busy machine the test may be suspended for
    longer than that between two turns of its loop: this clock then advances by one turn.
    """

    LONGEST_TURN_NS = 20_000_000

    def __init__(self) -> None:
        self._last_ns = time.monotonic_ns()
        self._now_ns = time.time_ns()

    def now_ns(self) -> int:
        """Return the time [ns]."""
        return self._now_ns

    def turn(self) -> None:
        """Advance by the real time since the last turn, at most by LONGEST_TURN_NS."""
        now_ns = time.monotonic_ns()
        self._now_ns += min(now_ns - self._last_ns, self.LONGEST_TURN_NS)
        self._last_ns = now_ns


class Graph:
    """The nodes of one test, spun by the test while it waits."""

    def __init__(self) -> None:
        self.clock = StallFreeClock()
        self._executor = SingleThreadedExecutor()
        self.nodes: list[Node] = []
        self.probe = self.add(rclpy.create_node('probe'))

    def add(self, node: Any) -> Any:
        """Add a node to the executor."""
        self._executor.add_node(node)
        self.nodes.append(node)
        return node

    def remove(self, node: Any) -> None:
        """Destroy a node."""
        self._executor.remove_node(node)
        self.nodes.remove(node)
        node.destroy_node()

    def listen(self, kind: Any, topic: str, qos: Any = STREAM) -> list[Any]:
        """Subscribe to a topic; return the list that collects its messages."""
        messages: list[Any] = []
        self.probe.create_subscription(kind, topic, messages.append, qos)
        return messages

    def publisher(self, kind: Any, topic: str, qos: Any = STREAM) -> Any:
        """Make a publisher and wait for its first subscriber."""
        made = self.probe.create_publisher(kind, topic, qos)
        self.wait_until(made.get_subscription_count)
        return made

    def call(self, kind: Any, name: str, request: Any) -> Any:
        """Call a service and return its response."""
        client = self.probe.create_client(kind, name)
        self.wait_until(client.service_is_ready)
        future = client.call_async(request)
        self.wait_until(future.done)
        return future.result()

    def run(self, coroutine: Any) -> None:
        """Run a coroutine while the test waits."""

        async def run() -> None:
            await coroutine

        self._executor.create_task(run)

    def wait_until(self, condition: Callable[[], Any], limit: float = TIME_LIMIT) -> Any:
        """Spin until `condition` holds, and return its value."""
        deadline = time.monotonic() + limit
        while not (answer := condition()):
            assert time.monotonic() < deadline, f'waited {limit} s in vain'
            self._executor.spin_once(timeout_sec=0.02)
            self.clock.turn()
        return answer

    def close(self) -> None:
        """Destroy all nodes and the executor."""
        for node in tuple(self.nodes):
            self.remove(node)
        self._executor.shutdown()


@pytest.fixture
def graph(ros_environment: None) -> Iterator[Graph]:  # noqa: ARG001 (set before the context)
    """Make a context and an executor for one test."""
    yield from _graph()


@pytest.fixture(scope='module')
def shared_graph(shared_ros_environment: None) -> Iterator[Graph]:  # noqa: ARG001 (as above)
    """Make a context and an executor for all tests of a module."""
    yield from _graph()


def _graph() -> Iterator[Graph]:
    rclpy.init()
    made = Graph()
    yield made
    made.close()
    rclpy.try_shutdown()
    # A node is in a reference cycle with its callbacks and keeps its DDS participant until it is
    # collected. Participants of earlier tests would stay active in this process, and Fast DDS may
    # hang when one of them is destroyed while it discovers another one.
    gc.collect()


@pytest.fixture
def endpoint(endpoints: Iterator[Endpoint]) -> Endpoint:
    """Return a free multicast group and port."""
    return next(endpoints)


@pytest.fixture
def sender() -> Iterator[MulticastSender]:
    """Make a sender on the loopback interface."""
    made = MulticastSender()
    yield made
    made.close()


@pytest.fixture
def running(ros_environment: None) -> Callable[..., Any]:  # noqa: ARG001 (processes inherit it)
    """Return a function that runs a node as a process, which is killed at the end of the test."""
    return _running


@pytest.fixture
def running_code(ros_environment: None) -> Callable[..., Any]:  # noqa: ARG001 (as above)
    """Return a function that runs code as a process, which is killed at the end of the test."""
    return _running_code


@contextmanager
def _running(executable: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    code = f'from world_model_nodes.runtime.executables import {executable}; {executable}()'
    with _running_code(code, *arguments) as process:
        yield process


@contextmanager
def _running_code(code: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(  # noqa: S603 (this very interpreter)
        (sys.executable, '-c', code, '--ros-args', *arguments),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        timer = Timer(TIME_LIMIT, process.kill)
        timer.start()
        try:
            yield process
        finally:
            timer.cancel()
            process.kill()


@pytest.fixture
def often(monkeypatch):
    """Let nodes publish their diagnostics ten times per second."""
    monkeypatch.setattr('world_model_nodes.runtime.diagnostics.PERIOD', 0.1)


@pytest.fixture(scope='session')
def village():
    """Make the example scene in memory; tests must not change it."""
    return example_bundle()


@pytest.fixture(scope='session')
def village_document(village):
    """Return the scene document that world_bundle publishes for the example."""
    optical = scene_frames(village.tf_static, village.calibration, 'base_link').optical
    return scene_document(village, Path('/not/here'), 1, optical)

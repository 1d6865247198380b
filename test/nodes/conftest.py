# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""ROS for tests of nodes: a domain and multicast ports that no other test has, and no sleeping."""

from __future__ import annotations

import os
import socket
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

import world_model_nodes
from world_model_nodes.qos import STREAM
from world_model_nodes.udp import Endpoint, MulticastSender

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rclpy.node import Node

SOURCE = Path(world_model_nodes.__file__).resolve().parents[1]
TIME_LIMIT = 15.0
# Above the ports that DDS takes for the domains up to here, below those that the kernel gives out.
DOMAINS = range(1, 40)
FIRST_PORT, PORTS_PER_DOMAIN = 20_000, 256


class Graph:
    """The nodes of one test, spun by the test itself while it waits."""

    def __init__(self) -> None:
        self._executor = SingleThreadedExecutor()
        self.nodes: list[Node] = []
        self.probe = self.add(rclpy.create_node('probe'))

    def add(self, node: Any) -> Any:
        """Spin `node` from now on."""
        self._executor.add_node(node)
        self.nodes.append(node)
        return node

    def remove(self, node: Any) -> None:
        """Destroy `node`."""
        self._executor.remove_node(node)
        self.nodes.remove(node)
        node.destroy_node()

    def listen(self, kind: Any, topic: str, qos: Any = STREAM) -> list[Any]:
        """Gather what is said on `topic`."""
        heard: list[Any] = []
        self.probe.create_subscription(kind, topic, heard.append, qos)
        return heard

    def publisher(self, kind: Any, topic: str, qos: Any = STREAM) -> Any:
        """Make a publisher that somebody listens to."""
        made = self.probe.create_publisher(kind, topic, qos)
        self.wait_until(made.get_subscription_count)
        return made

    def call(self, kind: Any, name: str, request: Any) -> Any:
        """Ask a service."""
        client = self.probe.create_client(kind, name)
        self.wait_until(client.service_is_ready)
        future = client.call_async(request)
        self.wait_until(future.done)
        return future.result()

    def wait_until(self, condition: Callable[[], Any], limit: float = TIME_LIMIT) -> Any:
        """Spin until `condition` holds, and return what it says."""
        deadline = time.monotonic() + limit
        while not (answer := condition()):
            assert time.monotonic() < deadline, f'waited {limit} s in vain'
            self._executor.spin_once(timeout_sec=0.02)
        return answer

    def close(self) -> None:
        """Destroy all of it."""
        for node in tuple(self.nodes):
            self.remove(node)
        self._executor.shutdown()


@pytest.fixture(scope='session')
def domain() -> Iterator[int]:
    """Hold a ROS domain that no other test process of this machine has."""
    with socket.socket(socket.AF_UNIX) as lock:
        for number in DOMAINS:
            try:
                lock.bind(f'\0world_model test domain {number}')
            except OSError:
                continue
            yield number
            return
    pytest.fail(f'{len(DOMAINS)} test processes run already')


@pytest.fixture
def ros_environment(domain: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep every ROS process of a test in its domain, on this machine, on our source."""
    monkeypatch.setenv('ROS_DOMAIN_ID', str(domain))
    monkeypatch.setenv('ROS_LOCALHOST_ONLY', '1')
    paths = [str(SOURCE), *filter(None, [os.environ.get('PYTHONPATH')])]
    monkeypatch.setenv('PYTHONPATH', os.pathsep.join(paths))


@pytest.fixture
def graph(ros_environment: None) -> Iterator[Graph]:  # noqa: ARG001 (set before the context)
    """Give a test its own context and executor."""
    rclpy.init()
    made = Graph()
    yield made
    made.close()
    rclpy.try_shutdown()


@pytest.fixture(scope='session')
def endpoints(domain: int) -> Iterator[Endpoint]:
    """Hand out multicast groups and ports, none of them twice."""
    first = FIRST_PORT + domain * PORTS_PER_DOMAIN
    return (
        Endpoint(f'239.255.{domain}.{1 + number}', first + number)
        for number in range(PORTS_PER_DOMAIN - 2)
    )


@pytest.fixture
def endpoint(endpoints: Iterator[Endpoint]) -> Endpoint:
    """Take one multicast group and port."""
    return next(endpoints)


@pytest.fixture
def sender() -> Iterator[MulticastSender]:
    """Send on the loopback."""
    made = MulticastSender()
    yield made
    made.close()


@pytest.fixture
def running(ros_environment: None) -> Callable[..., Any]:  # noqa: ARG001 (processes inherit it)
    """Run a node of ours as a process; killed when it outlives its test."""
    return _running


@contextmanager
def _running(executable: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    code = f'from world_model_nodes.{executable} import main; main()'
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

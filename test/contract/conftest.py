# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""ROS for contract tests: a domain of their own, and waiting for conditions."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest
import rclpy
from rclpy.executors import SingleThreadedExecutor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rclpy.node import Node


@pytest.fixture
def node(monkeypatch: pytest.MonkeyPatch) -> Iterator[Node]:
    """Make a node, on this machine alone, in a domain that no other test process has."""
    monkeypatch.setenv('ROS_AUTOMATIC_DISCOVERY_RANGE', 'LOCALHOST')
    rclpy.init(domain_id=1 + os.getpid() % 101)
    node = rclpy.create_node('contract')
    yield node
    node.destroy_node()
    rclpy.try_shutdown()


@pytest.fixture
def spin_until(node: Node) -> Iterator[Callable[[Callable[[], bool]], None]]:
    """Spin the node until a condition holds, at most 10 s."""
    executor = SingleThreadedExecutor()
    executor.add_node(node)

    def spin(condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 10.0
        while not condition():
            assert time.monotonic() < deadline, 'waited 10 s in vain'
            executor.spin_once(timeout_sec=0.1)

    yield spin
    executor.shutdown()

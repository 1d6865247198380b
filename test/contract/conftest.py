# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""ROS for contract tests: a domain for each process, and waiting for conditions."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
import rclpy
from rclpy.executors import SingleThreadedExecutor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rclpy.node import Node

TIME_LIMIT = 60.0


@pytest.fixture
def node(ros_environment: None) -> Iterator[Node]:  # noqa: ARG001 (set before the context)
    """Create a node in the ROS domain of this test process."""
    rclpy.init()
    node = rclpy.create_node('contract')
    yield node
    node.destroy_node()
    rclpy.try_shutdown()


@pytest.fixture
def spin_until(node: Node) -> Iterator[Callable[[Callable[[], bool]], None]]:
    """Spin the node until a condition holds, at most TIME_LIMIT."""
    executor = SingleThreadedExecutor()
    executor.add_node(node)

    def spin(condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + TIME_LIMIT
        while not condition():
            assert time.monotonic() < deadline, f'the condition did not hold within {TIME_LIMIT} s'
            executor.spin_once(timeout_sec=0.1)

    yield spin
    executor.shutdown()

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Receives what all nodes report on /diagnostics."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from diagnostic_msgs.msg import DiagnosticArray

from world_model_core.view.health import STALE, NodeHealth
from world_model_nodes.runtime.qos import LISTEN

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rclpy.node import Node

# Most nodes whose reports are kept; the one that has been silent for longest is dropped.
MOST_NODES = 1000


class _Status(NamedTuple):
    level: int
    message: str
    received: float
    values: Mapping[str, str]


class HealthListener:
    """
    Keeps the last diagnostic status of each node.

    Parameters
    ----------
    node : Node
        The node that subscribes.

    """

    def __init__(self, node: Node) -> None:
        self._statuses: dict[str, _Status] = {}
        self._node = node
        self._subscription = node.create_subscription(
            DiagnosticArray, '/diagnostics', self._receive, LISTEN
        )

    def health(self) -> dict[str, NodeHealth]:
        """Return level, message and age of the status of each node."""
        now = monotonic()
        return {
            node: NodeHealth(status.level, status.message, now - status.received)
            for node, status in self._statuses.items()
        }

    def values(self) -> dict[str, Mapping[str, str]]:
        """Return the values of the status of each node."""
        return {node: status.values for node, status in self._statuses.items()}

    def close(self) -> None:
        """Destroy the subscription."""
        self._node.destroy_subscription(self._subscription)

    def _receive(self, message: DiagnosticArray) -> None:
        for status in message.status:
            level = min(int.from_bytes(status.level, 'little'), STALE)
            values = {each.key: each.value for each in status.values}
            # The order is that of the last reports.
            self._statuses.pop(status.name, None)
            self._statuses[status.name] = _Status(level, status.message, monotonic(), values)
        while len(self._statuses) > MOST_NODES:
            del self._statuses[next(iter(self._statuses))]

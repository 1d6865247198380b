# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Reads the age of what ssl_receiver publishes from /diagnostics."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from diagnostic_msgs.msg import DiagnosticArray
from rclpy.clock import Clock, ClockType

from world_model_core.match.output_age import AgeSummary
from world_model_core.time import NANOSECONDS_PER_SECOND
from world_model_nodes.match.match_diagnostics import AGE_KEYS
from world_model_nodes.runtime.qos import LISTEN

if TYPE_CHECKING:
    from diagnostic_msgs.msg import DiagnosticStatus
    from rclpy.node import Node

# The receiver reports once per second; after three missing reports the age is unknown [ns].
LIFE_NS = 3 * NANOSECONDS_PER_SECOND


class OutputAgeListener:
    """
    Subscribes to /diagnostics, and keeps the latest ages of the receiver in a node's namespace.

    Parameters
    ----------
    node : Node

    """

    def __init__(self, node: Node) -> None:
        self._namespace = node.get_namespace().rstrip('/') + '/'
        self._clock = Clock(clock_type=ClockType.STEADY_TIME)
        self._age: AgeSummary | None = None
        self._received_ns = 0
        node.create_subscription(DiagnosticArray, '/diagnostics', self._receive, LISTEN)

    @property
    def age(self) -> AgeSummary | None:
        """Ages of the last second; None while nothing is published."""
        is_current = int(self._clock.now().nanoseconds) - self._received_ns < LIFE_NS
        return self._age if is_current else None

    def _receive(self, message: DiagnosticArray) -> None:
        for status in message.status:
            age = self._read(status)
            if age is not None:
                self._age, self._received_ns = age, int(self._clock.now().nanoseconds)

    def _read(self, status: DiagnosticStatus) -> AgeSummary | None:
        """Return the ages in a status; None if it is of another node, or unreadable."""
        values = {pair.key: pair.value for pair in status.values}
        if not status.name.startswith(self._namespace) or not values.keys() >= set(AGE_KEYS):
            return None
        try:
            age = AgeSummary(*(float(values[key]) for key in AGE_KEYS))
        except ValueError:
            return None
        return age if all(map(math.isfinite, age)) else None

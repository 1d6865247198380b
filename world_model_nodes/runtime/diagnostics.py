# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""State of a node on /diagnostics, published once per second of real time."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from rclpy.clock import Clock, ClockType

from world_model_nodes.runtime.protection import protect
from world_model_nodes.runtime.qos import STREAM

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rclpy.node import Node

PERIOD = 1.0
# Error of a node that waits for simulated time.
NO_CLOCK = 'use_sim_time is set, but no time has been received on /clock'


@dataclass(frozen=True, slots=True)
class Report:
    """
    State of a node: errors, warnings and values.

    The level is ERROR with errors, WARN with warnings only, and OK otherwise.
    """

    errors: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    values: Mapping[str, Any] = field(default_factory=dict)

    @property
    def level(self) -> bytes:
        """Level of diagnostic_msgs/DiagnosticStatus."""
        if self.errors:
            return bytes(DiagnosticStatus.ERROR)
        return bytes(DiagnosticStatus.WARN if self.warnings else DiagnosticStatus.OK)

    @property
    def message(self) -> str:
        """All errors and warnings in one line, or "ok"."""
        return '; '.join((*self.errors, *self.warnings)) or 'ok'

    def joined(self, other: Report) -> Report:
        """Return all errors, warnings and values of two reports."""
        return Report(
            self.errors + other.errors,
            self.warnings + other.warnings,
            {**self.values, **other.values},
        )


class Diagnostics:
    """
    Publishes a report every second of real time, also while simulated time is paused.

    The values include the messages that rclpy itself could not read; see `protect`.

    Parameters
    ----------
    node : Node
        The node that is reported; its full name is the name of the status.
    report : callable
        Returns the report to publish.

    """

    def __init__(self, node: Node, report: Callable[[], Report]) -> None:
        self._node = node
        self._report = report
        self._drops = protect(node)
        self._publisher = node.create_publisher(DiagnosticArray, '/diagnostics', STREAM)
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._timer = node.create_timer(PERIOD, self.publish, clock=steady)

    def publish(self) -> None:
        """Publish the report now."""
        report = self._report()
        values = {**report.values, **self._drops.counts}
        status = DiagnosticStatus(
            level=report.level,
            name=self._node.get_fully_qualified_name(),
            message=report.message,
            values=[KeyValue(key=key, value=str(value)) for key, value in values.items()],
        )
        message = DiagnosticArray(status=[status])
        message.header.stamp = self._node.get_clock().now().to_msg()
        self._publisher.publish(message)

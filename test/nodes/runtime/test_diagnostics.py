# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The diagnostics of a node on /diagnostics."""

from __future__ import annotations

import pytest
import rclpy
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from rclpy.parameter import Parameter

from world_model_nodes.runtime.diagnostics import Diagnostics, Report


@pytest.mark.parametrize(
    ('report', 'level', 'message'),
    [
        (Report(), DiagnosticStatus.OK, 'ok'),
        (Report(warnings=('dim',)), DiagnosticStatus.WARN, 'dim'),
        (Report(errors=('dark',)), DiagnosticStatus.ERROR, 'dark'),
        (Report(('dark', 'cold'), ('dim',)), DiagnosticStatus.ERROR, 'dark; cold; dim'),
    ],
)
def test_the_worst_line_decides(report, level, message):
    """Errors come before warnings, in the level and in the message."""
    assert (report.level, report.message) == (level, message)


def test_a_report_comes_every_second_under_the_full_name(graph):
    """The status has the node's name with its namespace, and its values are text."""
    reports = graph.listen(DiagnosticArray, '/diagnostics')
    node = graph.add(rclpy.create_node('lamp', namespace='/house'))
    Diagnostics(node, lambda: Report(values={'bulbs': 3}))
    graph.wait_until(lambda: reports)
    (status,) = reports[0].status
    assert status.name == '/house/lamp'
    assert [(pair.key, pair.value) for pair in status.values] == [('bulbs', '3')]
    graph.wait_until(lambda: len(reports) == 2)
    (timer,) = node.timers
    assert timer.timer_period_ns == 1_000_000_000


def test_reports_are_published_without_clock(graph, monkeypatch):
    """Reports are also published when /clock is missing."""
    monkeypatch.setattr('world_model_nodes.runtime.diagnostics.PERIOD', 0.05)
    reports = graph.listen(DiagnosticArray, '/diagnostics')
    simulated = [Parameter('use_sim_time', value=True)]
    node = graph.add(rclpy.create_node('lamp', parameter_overrides=simulated))
    Diagnostics(node, Report)
    graph.wait_until(lambda: reports)
    assert reports[0].header.stamp.sec == 0

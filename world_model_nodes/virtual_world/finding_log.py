# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Log lines for what was left out of a world, or repaired."""

from __future__ import annotations

from typing import TYPE_CHECKING

from world_model_core.findings import Severity

if TYPE_CHECKING:
    from rclpy.node import Node

    from world_model_core.findings import Findings

# `world_model world info` shows all of them.
MOST_LINES = 20


def log_findings(node: Node, findings: Findings) -> None:
    """Log the findings that are more than information, as warnings."""
    lines = [each for each in findings.all if each.rule.severity is not Severity.INFO]
    for finding in lines[:MOST_LINES]:
        place = ' '.join(filter(None, (finding.file, finding.where)))
        node.get_logger().warning(f'{place}: {finding.rule.code}: {finding.message()}')
    if len(lines) > MOST_LINES:
        node.get_logger().warning(f'and {len(lines) - MOST_LINES} more findings')

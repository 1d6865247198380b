# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Health of nodes, as they report it on /diagnostics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ['LEVELS', 'STALE', 'NodeHealth', 'worst_node']

# By the level of a diagnostic_msgs/DiagnosticStatus.
LEVELS = ('ok', 'WARN', 'ERROR', 'STALE')
STALE = 3
# A node reports its health once a second; after three missing reports it counts as stale [s].
HEALTH_LIFE = 3.0


@dataclass(frozen=True, slots=True)
class NodeHealth:
    """The last diagnostic status of a node, and its age [s]."""

    level: int
    message: str
    age: float

    @property
    def current(self) -> NodeHealth:
        """The same status, or STALE once it is too old."""
        if self.age <= HEALTH_LIFE:
            return self
        return NodeHealth(STALE, f'silent for {self.age:.0f} s; last: {self.message}', self.age)

    @property
    def is_paused(self) -> bool:
        """Whether the node is a simulator that warns that it is paused."""
        return 'paused' in self.message.split('; ')

    @property
    def line(self) -> str:
        """Level and message on one line."""
        return f'{LEVELS[self.level]} {" ".join(self.message.split())}'


def worst_node(health: Mapping[str, NodeHealth]) -> tuple[str, NodeHealth, int]:
    """
    Return the node with the highest level, its present status, and the number of bad nodes.

    Parameters
    ----------
    health : mapping of str to NodeHealth
        By node, not empty.

    """
    current = {node: reported.current for node, reported in health.items()}
    node, worst = max(current.items(), key=lambda each: each[1].level)
    return node, worst, sum(status.level > 0 for status in current.values())

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Counts of dropped messages by cause, with a rate-limited warning for each cause."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from rclpy.node import Node

# Shortest time between two warnings after the first one of a cause [s].
WARN_PERIOD = 10.0
# Longest description of a drop: it may quote a message of any size [characters].
LONGEST = 500


class DropCounters:
    """
    Counts dropped messages and logs why they were dropped.

    Parameters
    ----------
    node : Node
        The node whose logger is used.
    refuse : callable, optional
        Called with the topic, the cause and the source of each drop; a cause begins with its
        topic and a dot. Usually `InputAges.refuse`.

    Attributes
    ----------
    counts : Counter
        Number of drops by cause, published in /diagnostics.
    refuse : callable or None
        May be replaced.

    """

    def __init__(self, node: Node, refuse: Callable[[str, str, str], None] | None = None) -> None:
        self._logger, self.refuse = node.get_logger(), refuse
        self.counts: Counter[str] = Counter()

    def add(self, cause: str, detail: object = '', count: int = 1, source: str = '') -> None:
        """
        Count drops of one cause and log a warning.

        Parameters
        ----------
        cause : str
        detail : object
            Description of this drop.
        count : int
            Number of parts of one message that are dropped.
        source : str
            Sender of the message, if its topic has several.

        """
        described = str(detail)[:LONGEST]
        text = f'dropped ({cause}: {described})' if described else f'dropped ({cause})'
        if cause in self.counts:
            self._logger.warning(text, throttle_duration_sec=WARN_PERIOD)
        else:
            text += '; totals are in /diagnostics'
            self._logger.warning(text)
        self.counts[cause] += count
        if self.refuse is not None:
            topic, _, why = cause.partition('.')
            self.refuse(topic, ': '.join(filter(None, (why, described))), source)

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What a node could not use: counted by cause, the first of each cause logged, then some."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rclpy.node import Node

# A stream that errs must not bury all else in the log [s].
WARN_PERIOD = 10.0


class Refusals:
    """
    Keeps account.

    Parameters
    ----------
    node : Node
        Whose log is written to.

    Attributes
    ----------
    counts : Counter
        By cause, as /diagnostics shows it.

    """

    def __init__(self, node: Node) -> None:
        self._logger = node.get_logger()
        self.counts: Counter[str] = Counter()

    def add(self, cause: str, detail: object = '', count: int = 1) -> None:
        """Count something refused; `detail` says more of this one."""
        text = f'{cause}: {detail}' if detail else cause
        if cause in self.counts:
            self._logger.warning(text, throttle_duration_sec=WARN_PERIOD)
        else:
            text += ' (the first one; /diagnostics counts them)'
            self._logger.warning(text)
        self.counts[cause] += count

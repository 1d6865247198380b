# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Late stamps of a camera's frames, drawn from recorded ones in blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from world_model_core.time import to_nanoseconds

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

# Frames of a block, about a second: stamps are late in bursts of about ten frames.
BLOCK = 73


class StampDelays:
    """
    Draws the delays of successive stamps as blocks of consecutive recorded ones.

    Parameters
    ----------
    recorded : sequence of float
        Delays of consecutive frames [s]; none for exact stamps.
    random : Generator
        Source of the starts of the blocks.

    """

    def __init__(self, recorded: Sequence[float], random: np.random.Generator) -> None:
        self._recorded = [to_nanoseconds(delay) for delay in recorded]
        self._random = random
        self._block: list[int] = []

    def draw(self) -> int:
        """Return the delay of the next stamp [ns]."""
        if not self._recorded:
            return 0
        if not self._block:
            start = int(self._random.integers(len(self._recorded)))
            turned = self._recorded[start:] + self._recorded[:start]
            self._block = turned[:BLOCK][::-1]
        return self._block.pop()

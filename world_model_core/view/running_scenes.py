# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Which scenes are shown: those that run, and for a while those that have stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from world_model_core.time import to_nanoseconds

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

__all__ = ['RunningScenes']

# A scenario that starts again within this time keeps its scene [s].
LINGER = 5.0


class RunningScenes:
    """Keeps when each scene was last seen to run."""

    def __init__(self) -> None:
        self._last_ns: dict[str, int] = {}

    def update(self, running: AbstractSet[str], now_ns: int) -> frozenset[str]:
        """
        Return the scenes to show.

        Parameters
        ----------
        running : set of str
            Scenes whose scenarios run.
        now_ns : int
            Time on a clock that does not go back [ns].

        """
        self._last_ns |= dict.fromkeys(running, now_ns)
        oldest_ns = now_ns - to_nanoseconds(LINGER)
        self._last_ns = {name: last for name, last in self._last_ns.items() if last >= oldest_ns}
        return frozenset(self._last_ns)

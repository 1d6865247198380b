# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Detection of time that was set back, from stamps in the order of their sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Hashable

__all__ = ['JUMP_BACK_NS', 'TimeOrder']

# A larger step back of a source is a restarted replay, not an adjusted clock [ns].
JUMP_BACK_NS = NANOSECONDS_PER_SECOND // 10
# No sender may fill the memory with its addresses.
MOST_SOURCES = 256


class TimeOrder:
    """
    Compares the stamps of each source with earlier stamps of that source.

    The stamps of one source are taken in order by one clock, so that they decrease only if the
    clock is set back. Stamps of different sources are never compared: how late a stamp is
    processed depends on the load of the machine.
    """

    def __init__(self) -> None:
        self._newest_ns: dict[Hashable, int] = {}

    def goes_back(self, source: Hashable, stamp_ns: int) -> bool:
        """Add the stamp of a source; return whether time was set back since its newest one."""
        if len(self._newest_ns) >= MOST_SOURCES:
            self._newest_ns.clear()
        newest_ns = self._newest_ns.get(source, stamp_ns)
        back = stamp_ns < newest_ns - JUMP_BACK_NS
        if back:
            self._newest_ns.clear()
        self._newest_ns[source] = stamp_ns if back else max(stamp_ns, newest_ns)
        return back

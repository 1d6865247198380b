# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Datagrams that arrive twice: once per network path, or stored twice by a recorder.

Copies are equal to the byte, and no two packets are: each detection, tracked frame and referee
packet has its sender's time and count. (A tracker's time alone would not do: in the 2022 recording
some frames have the time of the frame before.) A geometry sent again says nothing new.
"""

from __future__ import annotations

from collections import deque


class DuplicateFilter:
    """
    Remembers the last few datagrams of one kind.

    Parameters
    ----------
    capacity : int
        How many. 64 are 0.1 s of eight cameras: more than two paths lie apart, and less than a
        recording that is played in a loop, which must not be taken for its own duplicate.

    """

    def __init__(self, capacity: int = 64) -> None:
        self._capacity = capacity
        self._order: deque[bytes] = deque()
        self._known: set[bytes] = set()

    def seen(self, datagram: bytes) -> bool:
        """Tell whether `datagram` is among the last ones, and remember it."""
        if datagram in self._known:
            return True
        if len(self._order) == self._capacity:
            self._known.remove(self._order.popleft())
        self._order.append(datagram)
        self._known.add(datagram)
        return False

    def reset(self) -> None:
        """Forget everything, as after a jump back in time."""
        self._order.clear()
        self._known.clear()

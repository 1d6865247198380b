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
    Detects repeated datagrams among the last ones of a channel.

    Parameters
    ----------
    capacity : int
        Number of datagrams kept. 64 are 0.1 s of eight cameras: longer than the delay between
        two network paths, and shorter than a recording in a loop, which is no duplicate.

    """

    def __init__(self, capacity: int = 64) -> None:
        self._capacity = capacity
        self._order: deque[bytes] = deque()
        self._known: set[bytes] = set()

    def is_duplicate(self, datagram: bytes) -> bool:
        """Return whether `datagram` is among the last ones, and store it."""
        if datagram in self._known:
            return True
        if len(self._order) == self._capacity:
            self._known.remove(self._order.popleft())
        self._order.append(datagram)
        self._known.add(datagram)
        return False

    def reset(self) -> None:
        """Forget all datagrams, as after a jump back in time."""
        self._order.clear()
        self._known.clear()

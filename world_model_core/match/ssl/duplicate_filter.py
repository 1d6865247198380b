# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Rejection of datagrams that arrive twice: by two network paths, or stored twice by a recorder.

Copies are equal in all bytes. Different packets are not equal: each detection frame, tracked frame
and referee packet has its sender's time and a counter. The time of a tracker alone is not
sufficient: in the 2022 recording some frames have the time of the previous frame. A repeated
geometry contains no new information.
"""

from __future__ import annotations

from collections import deque

__all__ = ['DuplicateFilter']


class DuplicateFilter:
    """
    Detects repeated datagrams among the last ones of a channel.

    Parameters
    ----------
    capacity : int
        Number of stored datagrams. 64 datagrams are 0.1 s of eight cameras: longer than the delay
        between two network paths, and shorter than a recording that is replayed in a loop.

    """

    def __init__(self, capacity: int = 64) -> None:
        self._capacity = capacity
        self._order: deque[bytes] = deque()
        self._known: set[bytes] = set()

    def is_duplicate(self, datagram: bytes) -> bool:
        """Return whether `datagram` equals one of the stored datagrams, and store it."""
        if datagram in self._known:
            return True
        if len(self._order) == self._capacity:
            self._known.remove(self._order.popleft())
        self._order.append(datagram)
        self._known.add(datagram)
        return False

    def forget(self, datagram: bytes) -> None:
        """Forget a datagram that was not used, so that its copy can be."""
        if datagram in self._known:
            self._known.remove(datagram)
            self._order.remove(datagram)

    def reset(self) -> None:
        """Forget all datagrams, as after a jump back in time."""
        self._order.clear()
        self._known.clear()

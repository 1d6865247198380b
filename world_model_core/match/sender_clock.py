# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The clock of a sender, as the median offset of its packets from the local clock."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import deque

from world_model_core.time import NANOSECONDS_PER_SECOND

__all__ = ['SenderClock', 'tracker_clock']

# Number of packets of which the clock offset is the median.
WINDOW = 64
# A clock offset that changes by more than this means that the sender's clock was set [ns].
JUMP_NS = 500_000_000
# Packets that must agree on a new offset: a single wrong stamp must not change the clock.
PACKETS_TO_CONFIRM = 3
# A tracker whose clock offset is this close to vision's uses vision's clock [ns].
SAME_CLOCK_NS = NANOSECONDS_PER_SECOND // 10


class SenderClock:
    """
    Estimates the offset of the local clock to a sender's clock, as a median over packets.

    Unlike a mean or a minimum, the median tolerates delayed packets and a simulated local clock
    that moves in steps.

    Attributes
    ----------
    jumps : int
        How often the sender's clock was set.

    """

    def __init__(self) -> None:
        self._samples: deque[int] = deque()
        self._ordered: list[int] = []  # the same samples, sorted: the median is in the middle
        self._outliers: list[int] = []
        self._offset_ns: int | None = None
        self.jumps = 0

    @property
    def known(self) -> bool:
        """Whether a packet has been observed."""
        return self._offset_ns is not None

    @property
    def offset_ns(self) -> int:
        """Local minus sender's time [ns]; 0 before the first packet."""
        return self._offset_ns or 0

    def observe(self, sender_ns: int, received_ns: int) -> bool:
        """
        Add the two times of a packet.

        Parameters
        ----------
        sender_ns, received_ns : int
            Time of sending [ns, sender's clock] and of reception [ns, local clock].

        Returns
        -------
        bool
            False for a packet whose offset is far from that of the others, until enough packets
            agree that the sender's clock was set.

        """
        sample = received_ns - sender_ns
        if self._offset_ns is not None and abs(sample - self._offset_ns) > JUMP_NS:
            return self._check_jump(sample)
        self._outliers.clear()
        self._add(sample)
        return True

    def to_local(self, sender_ns: int) -> int:
        """Convert a time of the sender's clock to the local clock [ns]."""
        return sender_ns + self.offset_ns

    def to_sender(self, local_ns: int) -> int:
        """Convert a time of the local clock to the sender's clock [ns]."""
        return local_ns - self.offset_ns

    def _check_jump(self, sample: int) -> bool:
        self._outliers = [s for s in self._outliers if abs(s - sample) <= JUMP_NS]
        self._outliers.append(sample)
        if len(self._outliers) < PACKETS_TO_CONFIRM:
            return False
        self._samples.clear()
        self._ordered.clear()
        for outlier in self._outliers:
            self._add(outlier)
        self._outliers.clear()
        self.jumps += 1
        return True

    def _add(self, sample: int) -> None:
        """Replace the oldest sample by a new one and update the median."""
        if len(self._samples) == WINDOW:
            del self._ordered[bisect_left(self._ordered, self._samples.popleft())]
        self._samples.append(sample)
        insort(self._ordered, sample)
        self._offset_ns = self._ordered[(len(self._ordered) - 1) // 2]


def tracker_clock(own: SenderClock, vision: SenderClock) -> SenderClock:
    """
    Return the clock by which the times of a tracker are converted.

    If a tracker uses vision's clock, the offset of its packets includes its own delay. The packets
    of vision have their time of sending, so the offset of vision is better.
    """
    same = vision.known and abs(own.offset_ns - vision.offset_ns) < SAME_CLOCK_NS
    return vision if same else own

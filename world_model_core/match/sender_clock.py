# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""How a sender's clock relates to ours."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import deque

WINDOW = 64
# Senders whose clocks differ from what they were by more than this have been set [ns].
JUMP_NS = 500_000_000
# So many packets must agree on a new offset: one wrong stamp is no new clock.
PACKETS_TO_BELIEVE = 3
# A picture is sent within this after its capture [ns].
LONGEST_DELAY_NS = 500_000_000
# Nor is it sent earlier than so long before it [ns]: filters that followed a stamp of the future
# would wait for all other pictures to catch up.
MOST_AHEAD_NS = 100_000_000


def follows(sent_ns: int, capture_ns: int) -> bool:
    """Tell whether a picture may have been sent then, both of one clock; else a stamp is wrong."""
    return -MOST_AHEAD_NS <= sent_ns - capture_ns <= LONGEST_DELAY_NS


class SenderClock:
    """
    The offset local minus sender's clock, as the median over the last packets.

    The median bears what a mean or a minimum does not: packets held up on the way, and a
    simulated local clock that moves in steps.
    """

    def __init__(self) -> None:
        self._samples: deque[int] = deque()
        self._ordered: list[int] = []  # the same, by size: the median is in its middle
        self._strangers: list[int] = []
        self._offset_ns: int | None = None
        self.jumps = 0

    @property
    def known(self) -> bool:
        """Whether a packet has been seen."""
        return self._offset_ns is not None

    @property
    def offset_ns(self) -> int:
        """Local minus sender's time [ns]; 0 before the first packet."""
        return self._offset_ns or 0

    def observe(self, sender_ns: int, received_ns: int) -> bool:
        """
        Take a packet's two times in.

        Parameters
        ----------
        sender_ns, received_ns : int
            When the sender says it sent it, when we received it [ns, each its own clock].

        Returns
        -------
        bool
            Whether the packet's time can be used: False for one far off the others, until
            enough of them agree that the sender's clock was set.

        """
        sample = received_ns - sender_ns
        if self._offset_ns is not None and abs(sample - self._offset_ns) > JUMP_NS:
            return self._consider(sample)
        self._strangers.clear()
        self._add(sample)
        return True

    def to_local(self, sender_ns: int) -> int:
        """Express an instant of the sender's clock in ours [ns]."""
        return sender_ns + self.offset_ns

    def to_sender(self, local_ns: int) -> int:
        """Express an instant of our clock in the sender's [ns]."""
        return local_ns - self.offset_ns

    def _consider(self, sample: int) -> bool:
        self._strangers = [s for s in self._strangers if abs(s - sample) <= JUMP_NS]
        self._strangers.append(sample)
        if len(self._strangers) < PACKETS_TO_BELIEVE:
            return False
        self._samples.clear()
        self._ordered.clear()
        for stranger in self._strangers:
            self._add(stranger)
        self._strangers.clear()
        self.jumps += 1
        return True

    def _add(self, sample: int) -> None:
        """Let the oldest sample go, the new one in, and take the median anew."""
        if len(self._samples) == WINDOW:
            del self._ordered[bisect_left(self._ordered, self._samples.popleft())]
        self._samples.append(sample)
        insort(self._ordered, sample)
        self._offset_ns = self._ordered[(len(self._ordered) - 1) // 2]

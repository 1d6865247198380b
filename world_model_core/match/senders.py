# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Clocks of the senders, and the selection of the tracker."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from world_model_core.match.ssl.values import TrackerPacket

WINDOW = 64
# A clock offset that changes by more than this means that the sender's clock was set [ns].
JUMP_NS = 500_000_000
# Packets that must agree on a new offset: a single wrong stamp must not change the clock.
PACKETS_TO_CONFIRM = 3
# Largest plausible time from the capture of a frame to its sending [ns].
LONGEST_DELAY_NS = 500_000_000
# Largest plausible time by which a capture stamp is ahead of the sending [ns]. A filter that
# accepted a stamp from the future would ignore all frames until then.
MOST_AHEAD_NS = 100_000_000


def is_plausible_delay(sent_ns: int, capture_ns: int) -> bool:
    """Return whether the sending of a frame plausibly follows its capture, both in one clock."""
    return -MOST_AHEAD_NS <= sent_ns - capture_ns <= LONGEST_DELAY_NS


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


class TrackerSelector:
    """
    Selects one tracker and keeps it until it is silent for longer than a timeout.

    Parameters
    ----------
    wanted : str
        Name or uuid of the only tracker to accept; empty for the first one received.
    timeout_ns : int
        Silence after which another tracker may be selected [ns].

    """

    def __init__(self, wanted: str, timeout_ns: int) -> None:
        self._wanted = wanted
        self._timeout_ns = timeout_ns
        self._received_ns = 0
        self.uuid: str | None = None
        self.name = ''

    def accepts(self, packet: TrackerPacket, received_ns: int) -> bool:
        """
        Return whether a packet is from the selected tracker; select its sender if none is.

        Returns
        -------
        bool
            False for a packet of any other tracker.

        """
        if self._wanted and self._wanted not in (packet.source_name, packet.uuid):
            return False
        if not self.is_active(received_ns):
            self.uuid, self.name = packet.uuid, packet.source_name
        if packet.uuid != self.uuid:
            return False
        self._received_ns = received_ns
        return True

    def is_active(self, now_ns: int) -> bool:
        """Return whether a tracker is selected and was received within the timeout."""
        return self.uuid is not None and now_ns - self._received_ns <= self._timeout_ns

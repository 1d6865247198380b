# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Senders' clocks, and the rejection of late packets, wrong stamps and packets out of order."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import deque
from typing import TYPE_CHECKING

from world_model_core.match.values import Channel
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections import Counter

    from world_model_core.match.ssl.vision_values import DetectionFrame

__all__ = ['PacketTiming', 'SenderClock', 'tracker_clock']

# Number of packets of which the clock offset is the median.
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


# A tracker whose clock offset is this close to vision's uses vision's clock [ns].
SAME_CLOCK_NS = NANOSECONDS_PER_SECOND // 10


def is_plausible_delay(sent_ns: int, capture_ns: int) -> bool:
    """Return whether the sending of a frame plausibly follows its capture, both in one clock."""
    return -MOST_AHEAD_NS <= sent_ns - capture_ns <= LONGEST_DELAY_NS


class PacketTiming:
    """
    Checks the stamps of received packets with one estimated clock per channel.

    Parameters
    ----------
    counters : Counter of str
        Counts rejected packets and clock jumps, by channel and cause.

    Attributes
    ----------
    clocks : dict of Channel to SenderClock

    """

    def __init__(self, counters: Counter[str]) -> None:
        self._counters = counters
        self.clocks = {channel: SenderClock() for channel in Channel}
        self._newest_ns = dict.fromkeys(Channel, 0)

    def restart(self, channel: Channel) -> None:
        """Forget the clock of a channel whose sender has changed."""
        self.clocks[channel] = SenderClock()
        self._newest_ns[channel] = 0

    def is_in_time(self, frame: DetectionFrame, received_ns: int) -> bool:
        """
        Return whether a vision frame arrived in time, and add it to the clock of vision.

        Late frames are rejected. If the two stamps contradict each other, only the capture time is
        used. Frames out of order are accepted: the cameras' frames arrive in any order.
        """
        if is_plausible_delay(frame.sent_ns, frame.capture_ns):
            return self._observe(Channel.VISION, frame.sent_ns, received_ns)
        if not self._observe(Channel.VISION, frame.capture_ns, received_ns):
            return False
        if is_plausible_delay(received_ns, self.clocks[Channel.VISION].to_local(frame.capture_ns)):
            return True
        self._counters['vision.stamp far off'] += 1
        return False

    def is_newest(self, channel: Channel, sender_ns: int, received_ns: int) -> bool:
        """
        Return whether a packet is the newest of its channel, and add it to the sender's clock.

        A newest stamp that is in the future is ignored.
        """
        if not self._observe(channel, sender_ns, received_ns):
            return False
        newest = self._newest_ns[channel]
        now_ns = self.clocks[channel].to_sender(received_ns)
        if sender_ns < newest <= now_ns + NANOSECONDS_PER_SECOND:
            self._counters[f'{channel.value}.out of order'] += 1
            return False
        self._newest_ns[channel] = sender_ns
        return True

    def _observe(self, channel: Channel, sender_ns: int, received_ns: int) -> bool:
        """Add a packet to its sender's clock; return False if its stamp is far off."""
        clock = self.clocks[channel]
        jumps = clock.jumps
        usable = clock.observe(sender_ns, received_ns)
        if not usable:
            self._counters[f'{channel.value}.stamp far off'] += 1
        elif clock.jumps > jumps:
            self._counters[f'{channel.value}.clock jumped'] += 1
            self._newest_ns[channel] = 0
        return usable


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

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The rejection of late packets, of wrong stamps and of packets out of order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from world_model_core.match.sender_clock import SenderClock
from world_model_core.match.values import Channel
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections import Counter

    from world_model_core.match.ssl.vision_values import DetectionFrame

__all__ = ['LatePacketFilter']

# Largest plausible time from the capture of a frame to its sending [ns].
LONGEST_DELAY_NS = 500_000_000
# Largest plausible time by which a capture stamp is ahead of the sending [ns]. A filter that
# accepted a stamp from the future would ignore all frames until then.
MOST_AHEAD_NS = 100_000_000


def is_plausible_delay(sent_ns: int, capture_ns: int) -> bool:
    """Return whether the sending of a frame plausibly follows its capture, both in one clock."""
    return -MOST_AHEAD_NS <= sent_ns - capture_ns <= LONGEST_DELAY_NS


class LatePacketFilter:
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

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Bounded queues of received datagrams: what is dropped, and what is processed next."""

from __future__ import annotations

from collections import Counter, deque
from typing import TYPE_CHECKING, NamedTuple

from world_model_core.errors import PacketError
from world_model_core.match.ssl.datagram_outline import camera_of, check_outline
from world_model_core.match.time_order import TimeOrder
from world_model_core.match.values import Channel

if TYPE_CHECKING:
    from collections.abc import Callable

    from world_model_core.match.datagrams import Datagram, SenderAddress

__all__ = ['DatagramQueues']

# Most datagrams that wait of one camera, or of one sender to another channel: 0.4 s at 75 Hz.
LENGTH = 32
# Most datagrams that wait in one channel, of all its senders and cameras.
CHANNEL_LENGTH = 64
# A sender has the last place until this many datagrams have arrived after it filled a channel.
FLOOD_LENGTH = 1000
MOST_FLOODS = 256
# Without a maximum age nothing may be lost: this many datagrams are 10 s of a match.
UNLIMITED_LENGTH = 1 << 12


def inspect_datagram(datagram: Datagram) -> int | None:
    """Return the camera of a vision frame, otherwise None; raise PacketError for garbage."""
    if datagram.channel is Channel.VISION:
        return camera_of(datagram.data)
    check_outline(datagram.data)
    return None


class _Source(NamedTuple):
    """What has a queue of its own."""

    channel: Channel
    sender: SenderAddress
    camera: int | None


class _Entry(NamedTuple):
    """A queued datagram; entries are compared by time, then by order of arrival."""

    era: int
    received_ns: int
    number: int
    datagram: Datagram


class _Flood(NamedTuple):
    """A sender whose datagrams have filled a channel."""

    channel: Channel
    sender: SenderAddress


class DatagramQueues:
    """
    One queue for each camera of vision, and for each sender to another channel.

    Datagrams of all queues are taken in the order of their reception. A full queue drops its
    oldest datagram; a full channel drops the oldest one of the sender that has most in it, and
    what else this sender has waits until no other sender has any. A flood therefore takes neither
    place nor time from others.

    Parameters
    ----------
    max_age_ns : int
        Vision frames that have waited for longer are dropped [ns]; 0: nothing is dropped by age,
        and queues are practically unlimited.
    inspect : callable
        Returns the camera of a datagram, or None; raises PacketError for a datagram to reject.

    Attributes
    ----------
    counters : Counter of str
        Dropped datagrams by channel and cause. An invalid datagram is counted as Match does.
    errors : dict of Channel to str
        The latest invalid datagram of each channel.

    """

    def __init__(
        self, max_age_ns: int, inspect: Callable[[Datagram], int | None] = inspect_datagram
    ) -> None:
        self._max_age_ns = max_age_ns
        self._inspect = inspect
        self._length = LENGTH if max_age_ns else UNLIMITED_LENGTH
        self._channel_length = CHANNEL_LENGTH if max_age_ns else UNLIMITED_LENGTH
        self._queues: dict[_Source, deque[_Entry]] = {}
        self._waiting: Counter[Channel] = Counter()
        self._floods: dict[_Flood, int] = {}
        self._order = TimeOrder()
        self._era = self._number = 0
        self.counters: Counter[str] = Counter()
        self.errors: dict[Channel, str] = {}

    def __len__(self) -> int:
        """Return the number of datagrams that wait."""
        return self._waiting.total()

    def add(self, datagram: Datagram) -> bool:
        """Add a datagram; return False if it was dropped because it is invalid."""
        channel = datagram.channel
        try:
            camera = self._inspect(datagram)
        except PacketError as error:
            self._count(channel, 'received')
            self._count(channel, type(error).__name__)
            self.errors[channel] = f'{channel.value}: {error}'
            return False
        # Datagrams from before a jump back have the larger stamps, but are older.
        self._era += self._order.goes_back(channel, datagram.received_ns)
        self._number += 1
        source = _Source(channel, datagram.sender, camera)
        self._make_room(source)
        entry = _Entry(self._era, datagram.received_ns, self._number, datagram)
        self._queues.setdefault(source, deque()).append(entry)
        self._waiting[channel] += 1
        return True

    def take(self, now_ns: int) -> Datagram | None:
        """
        Return the oldest datagram that is not too old to be processed; None if none waits.

        Parameters
        ----------
        now_ns : int
            Current time [ns], of the clock of `received_ns`.

        """
        while self._queues:
            source = min(self._queues, key=self._priority)
            datagram = self._pop(source)
            if not self._is_too_old(source, now_ns - datagram.received_ns):
                return datagram
            self._count(source.channel, 'too old')
        return None

    def _is_too_old(self, source: _Source, age_ns: int) -> bool:
        """Only frames of vision age: filters use each of them, and of others the newest."""
        return source.camera is not None and 0 < self._max_age_ns < age_ns

    def _make_room(self, source: _Source) -> None:
        """Drop the oldest datagram of a full queue, or of the largest sender of a full channel."""
        if len(self._queues.get(source, ())) >= self._length:
            self._drop(source)
        elif self._waiting[source.channel] >= self._channel_length:
            sender = self._largest_sender(source.channel)
            self._note_flood(_Flood(source.channel, sender))
            queues = (s for s in self._queues if s[:2] == (source.channel, sender))
            self._drop(min(queues, key=self._head))

    def _largest_sender(self, channel: Channel) -> SenderAddress:
        loads: Counter[SenderAddress] = Counter()
        for source, queue in self._queues.items():
            if source.channel is channel:
                loads[source.sender] += len(queue)
        return max(loads, key=loads.__getitem__)

    def _drop(self, source: _Source) -> None:
        self._pop(source)
        self._count(source.channel, 'queue full')

    def _pop(self, source: _Source) -> Datagram:
        """Take the oldest datagram of a queue; empty queues are not kept."""
        queue = self._queues[source]
        datagram = queue.popleft().datagram
        if not queue:
            del self._queues[source]
        self._waiting[source.channel] -= 1
        return datagram

    def _note_flood(self, flood: _Flood) -> None:
        """Give a sender the last place for some time, counted in datagrams of all senders."""
        if len(self._floods) >= MOST_FLOODS:  # no sender may fill the memory with its addresses
            self._floods.clear()
        self._floods[flood] = self._number + FLOOD_LENGTH

    def _priority(self, source: _Source) -> tuple[bool, _Entry]:
        flood_end = self._floods.get(_Flood(source.channel, source.sender), 0)
        return flood_end > self._number, self._head(source)

    def _head(self, source: _Source) -> _Entry:
        return self._queues[source][0]

    def _count(self, channel: Channel, cause: str) -> None:
        self.counters[f'{channel.value}.{cause}'] += 1

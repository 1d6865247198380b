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


class _Flow(NamedTuple):
    """What has a queue of its own: the datagrams of a sender to a channel."""

    channel: Channel
    sender: SenderAddress


class _Entry(NamedTuple):
    """A queued datagram; entries are compared by time, then by order of arrival."""

    era: int
    received_ns: int
    number: int
    camera: int | None
    datagram: Datagram


class DatagramQueues:
    """
    One queue for each sender to a channel, with a limited number of frames of each camera.

    Datagrams of all queues are taken in the order of their reception. A camera that has too many
    frames loses the oldest; a full channel drops the oldest datagram of the sender that has most
    in it, and what else this sender has waits until no other sender has any. A flood therefore
    takes neither place nor time from others.

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
        self._queues: dict[_Flow, deque[_Entry]] = {}
        self._waiting: Counter[Channel] = Counter()
        self._frames: Counter[tuple[_Flow, int | None]] = Counter()
        self._floods: dict[_Flow, int] = {}
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
        flow = _Flow(channel, datagram.sender)
        self._make_room(flow, camera)
        entry = _Entry(self._era, datagram.received_ns, self._number, camera, datagram)
        self._queues.setdefault(flow, deque()).append(entry)
        self._waiting[channel] += 1
        self._frames[flow, camera] += 1
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
            flow = min(self._queues, key=self._priority)
            entry = self._pop(flow)
            if not self._is_too_old(entry, now_ns):
                return entry.datagram
            self._count(flow.channel, 'too old')
        return None

    def _is_too_old(self, entry: _Entry, now_ns: int) -> bool:
        """Only frames of vision age: filters use each of them, and of others the newest."""
        return entry.camera is not None and 0 < self._max_age_ns < now_ns - entry.received_ns

    def _make_room(self, flow: _Flow, camera: int | None) -> None:
        """Drop the oldest frame of a full camera, or of the largest sender of a full channel."""
        if self._frames[flow, camera] >= self._length:
            cameras = [entry.camera for entry in self._queues[flow]]
            self._drop(flow, cameras.index(camera))
        elif self._waiting[flow.channel] >= self._channel_length:
            largest = self._largest_flow(flow.channel)
            self._note_flood(largest)
            self._drop(largest)

    def _largest_flow(self, channel: Channel) -> _Flow:
        flows = (flow for flow in self._queues if flow.channel is channel)
        return max(flows, key=lambda flow: len(self._queues[flow]))

    def _drop(self, flow: _Flow, index: int = 0) -> None:
        self._pop(flow, index)
        self._count(flow.channel, 'queue full')

    def _pop(self, flow: _Flow, index: int = 0) -> _Entry:
        """Remove an entry of a queue; nothing is kept of empty queues and cameras."""
        queue = self._queues[flow]
        entry = queue[index]
        del queue[index]
        if not queue:
            del self._queues[flow]
        self._waiting[flow.channel] -= 1
        self._frames[flow, entry.camera] -= 1
        if not self._frames[flow, entry.camera]:
            del self._frames[flow, entry.camera]
        return entry

    def _note_flood(self, flow: _Flow) -> None:
        """Give a sender the last place for some time, counted in datagrams of all senders."""
        if len(self._floods) >= MOST_FLOODS:  # no sender may fill the memory with its addresses
            self._floods.clear()
        self._floods[flow] = self._number + FLOOD_LENGTH

    def _priority(self, flow: _Flow) -> tuple[bool, _Entry]:
        return self._floods.get(flow, 0) > self._number, self._queues[flow][0]

    def _count(self, channel: Channel, cause: str) -> None:
        self.counters[f'{channel.value}.{cause}'] += 1

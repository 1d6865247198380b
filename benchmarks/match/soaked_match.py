# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
A receiver in compressed time: queues and Match, fed with datagrams by their stamps.

Simulated time passes while a datagram is processed, namely the CPU time that this takes. Age and
drops are therefore those of a receiver that has one core of this machine to itself.
"""

from __future__ import annotations

import gc
import sys
import time
from collections import Counter
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from world_model_core.match.datagram_queues import DatagramQueues
from world_model_core.match.match import Match
from world_model_core.match.ssl.tracker_packets import encode_tracker
from world_model_core.match.values import Channel, MatchParameters

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from world_model_core.match.datagrams import Datagram

MAX_AGE_NS = 50_000_000
# Time between ticks without datagrams, as of ssl_receiver [ns].
TICK_NS = 20_000_000
QUEUE_CAUSES = ('queue full', 'too old')


class CompressedReceiver:
    """
    The queues and the match of ssl_receiver, in simulated time.

    Parameters
    ----------
    clock : callable
        Returns the time that processing has taken so far [ns]; by default CPU time.

    Attributes
    ----------
    sent : Counter of Channel
        Datagrams that were received.
    worst_age_ns : int
        The largest time from the reception of a datagram to the end of its processing [ns].

    """

    def __init__(self, clock: Callable[[], int] = time.thread_time_ns) -> None:
        self.match = Match(MatchParameters(uuid='soak'))
        self.queues = DatagramQueues(MAX_AGE_NS)
        self.sent: Counter[Channel] = Counter()
        self.worst_age_ns = 0
        self._clock = clock
        self._free_ns = 0  # when the previous work is done

    def receive(self, datagram: Datagram) -> None:
        """Do all work that begins before the datagram arrives, then queue the datagram."""
        self._work_until(datagram.received_ns)
        self.sent[datagram.channel] += 1
        self.queues.add(datagram)

    def drain(self) -> None:
        """Process all that waits; the next datagram may have any time."""
        while self.queues:
            self._process()
        self._free_ns = 0

    def lost(self) -> dict[str, int]:
        """Return the datagrams of each channel that were neither used nor counted as dropped."""
        return {
            channel.value: self.sent[channel] - self._accounted(channel) for channel in Channel
        }

    def _accounted(self, channel: Channel) -> int:
        counters, dropped = self.match.counters, self.queues.counters
        invalid = dropped[f'{channel.value}.received']
        drops = sum(dropped[f'{channel.value}.{cause}'] for cause in QUEUE_CAUSES)
        return counters[f'{channel.value}.received'] + invalid + drops

    def _work_until(self, now_ns: int) -> None:
        while self.queues and self._free_ns <= now_ns:
            self._process()
        while 0 < self._free_ns <= now_ns - TICK_NS:
            self._free_ns += TICK_NS
            self.match.tick(self._free_ns)

    def _process(self) -> None:
        begin_ns = self._clock()
        datagram = self.queues.take(self._free_ns)
        if datagram is None:
            return
        tracked = self.match.receive(datagram).tracked
        if tracked is not None:
            encode_tracker(tracked)
        spent_ns = self._clock() - begin_ns
        self._free_ns = max(self._free_ns, datagram.received_ns) + spent_ns
        self.worst_age_ns = max(self.worst_age_ns, self._free_ns - datagram.received_ns)


class Footprint(NamedTuple):
    """Resident memory [KiB], objects of the garbage collector, allocated blocks of Python."""

    memory: int
    objects: int
    blocks: int


def footprint() -> Footprint:
    """Return what this process occupies after a collection of garbage."""
    gc.collect()
    return Footprint(resident_memory('self'), len(gc.get_objects()), sys.getallocatedblocks())


def resident_memory(process: int | str) -> int:
    """Return the resident memory of a process [KiB]."""
    for line in Path(f'/proc/{process}/status').read_text(encoding='utf-8').splitlines():
        if line.startswith('VmRSS:'):
            return int(line.split()[1])
    return 0


def growth(values: Sequence[int]) -> float:
    """
    Return the growth of a quantity after the warm-up, as a fraction.

    The first fifth is the warm-up. The medians of the next and of the last fifth are compared.
    """
    fifth = max(len(values) // 5, 1)
    return median(values[-fifth:]) / median(values[fifth : 2 * fifth] or values) - 1.0

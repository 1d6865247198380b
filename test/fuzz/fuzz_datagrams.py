# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Sends random datagrams through queues and match, or through the real socket, and counts them.

    python test/fuzz/fuzz_datagrams.py --datagrams 10000000
    python test/fuzz/fuzz_datagrams.py --datagrams 1000000 --socket

An exception ends the run, and so does a datagram that is neither used nor counted as dropped.
"""

from __future__ import annotations

import argparse
import socket
import sys
import threading
import time
from collections import Counter
from itertools import islice
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

PROJECT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(PROJECT), str(PROJECT / 'test' / 'core' / 'match' / 'ssl')]

from fuzzed_datagrams import fuzzed, fuzzed_datagrams, stalling_clock  # noqa: E402 (path above)

from benchmarks.match.soaked_match import CompressedReceiver  # noqa: E402
from world_model_core.match.datagram_queues import DatagramQueues  # noqa: E402
from world_model_core.match.match import Match  # noqa: E402
from world_model_core.match.values import Channel, MatchParameters  # noqa: E402
from world_model_nodes.runtime.udp import Endpoint, MulticastReceiver, MulticastSender  # noqa: E402

GROUP = '224.5.23.78'
MAX_AGE_NS = 50_000_000
# Causes for which datagrams are dropped before the match.
QUEUE_CAUSES = ('received', 'queue full', 'too old')
# Longest time until the last datagrams are counted [s].
LATEST = 10.0
# Steps of the progress bar.
STEP = 1000


def fuzz_process(count, seed, show):
    """Receive datagrams in compressed time; return all counters, and what was lost."""
    receiver = CompressedReceiver(stalling_clock(seed))
    for datagram in shown(fuzzed_datagrams(seed), count, show):
        receiver.receive(datagram)
    receiver.drain()
    return receiver.match.counters + receiver.queues.counters, receiver.lost()


class SocketFuzzer:
    """Sender and receiver on free ports of the loopback, and a match."""

    def __init__(self):
        self.match = Match(MatchParameters())
        self._sent = Counter()
        self._woken = threading.Event()
        self._endpoints = {channel: Endpoint(GROUP, free_port()) for channel in Channel}
        self._receiver = MulticastReceiver(
            self._endpoints, 'lo', DatagramQueues(MAX_AGE_NS), self._woken.set
        )

    def run(self, count, seed, show):
        """Send as fast as a thread can, and receive; return all counters, and what was lost."""
        sending = threading.Thread(target=self._send, args=(count, seed, show), daemon=True)
        sending.start()
        while sending.is_alive():
            self._take()
        end = time.monotonic() + LATEST
        while any(self._lost().values()) and time.monotonic() < end:
            self._take()
        kernel = {
            f'{channel.value}.dropped by the kernel': status.kernel_drops
            for channel, status in self._receiver.status.items()
        }
        counters = self.match.counters + self._receiver.dropped + Counter(kernel)
        lost = self._lost()
        self._receiver.close()
        return counters, lost

    def _send(self, count, seed, show):
        sender = MulticastSender()
        for channel, data, _ in shown(fuzzed(seed), count, show):
            sender.send(self._endpoints[channel], data)
            self._sent[channel] += 1
        sender.close()

    def _take(self):
        self._woken.wait(0.01)
        self._woken.clear()
        for datagram in self._receiver.take():
            self.match.receive(datagram)

    def _lost(self):
        """Return the datagrams of each channel that were neither used nor counted."""
        dropped, status = self._receiver.dropped, self._receiver.status
        return {
            channel.value: self._sent[channel]
            - self.match.counters[f'{channel.value}.received']
            - sum(dropped[f'{channel.value}.{cause}'] for cause in QUEUE_CAUSES)
            - status[channel].kernel_drops
            for channel in Channel
        }


def shown(items, count, show):
    """Yield the first items and show their number."""
    for number, item in enumerate(islice(items, count), 1):
        yield item
        if number % STEP == 0:
            show(number)


def free_port():
    """Return a free UDP port."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as opened:
        opened.bind(('', 0))
        return opened.getsockname()[1]


def main():
    """Fuzz, print the counters and end with 1 if a datagram was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--datagrams', type=int, default=100_000)
    parser.add_argument('--seed', type=int, default=0)
    parser.add_argument('--socket', action='store_true', help='send through the loopback')
    arguments = parser.parse_args()
    fuzz = SocketFuzzer().run if arguments.socket else fuzz_process
    with Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task('datagrams', total=arguments.datagrams)
        counters, lost = fuzz(
            arguments.datagrams,
            arguments.seed,
            lambda number: progress.update(task, completed=number),
        )
    for cause, number in sorted(counters.items()):
        print(f'{number:>10} {cause}')
    print(f'neither used nor counted: {lost}')
    sys.exit(any(lost.values()))


if __name__ == '__main__':
    main()

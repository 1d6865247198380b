# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
The processes that receiver_age starts: `python -m benchmarks.match.receiver_age_nodes ROLE FILE`.

`receive` runs ssl_receiver and writes a log to FILE at its end. `flood` sends the datagrams that
it reads from FILE until SIGTERM, and prints how many it has sent.
"""

from __future__ import annotations

import pickle
import signal
import sys
import threading
import time
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.match.received_match import position_of
from world_model_core.match.values import Channel
from world_model_nodes.match.ssl_receiver import SslReceiver
from world_model_nodes.runtime.lifecycle import run
from world_model_nodes.runtime.udp import Endpoint, MulticastSender

if TYPE_CHECKING:
    from world_model_core.match.datagrams import Datagram
    from world_model_core.match.values import MatchChanges
    from world_model_nodes.runtime.diagnostics import Report

# Datagrams that a flood sends at once.
BURST = 50


@dataclass
class ReceiverLog:
    """
    What a receiver did.

    Attributes
    ----------
    used : list of bytes
        Datagrams of vision that were passed to the match.
    balls : list of (bytes, int, (float, float))
        Datagram, time by the clock of vision [ns] and place [m] of each ball that was published.
    ages : list of (bytes, int, int)
        Datagram, time and age of each publication [ns].
    reports : list of int
        Times of the reports to /diagnostics [ns].
    values : dict
        Values of the last report.

    """

    used: list[bytes] = field(default_factory=list)
    balls: list[tuple[bytes, int, tuple[float, float]]] = field(default_factory=list)
    ages: list[tuple[bytes, int, int]] = field(default_factory=list)
    reports: list[int] = field(default_factory=list)
    values: dict[str, Any] = field(default_factory=dict)


class LoggingReceiver(SslReceiver):
    """The receiver, which keeps a log."""

    def __init__(self, **kwargs: Any) -> None:
        self.log = ReceiverLog()
        self._latest = b''
        super().__init__(**kwargs)
        self._add_age, self._ages.add = self._ages.add, self._note_age  # type: ignore[method-assign]

    def acquire(self) -> None:
        """Open the sockets, and log what the match receives."""
        super().acquire()
        self._receive, self._match.receive = self._match.receive, self._note  # type: ignore[method-assign]

    def release(self) -> None:
        """Write the log."""
        self.log.values = dict(self._report().values)
        Path(sys.argv[2]).write_bytes(pickle.dumps(vars(self.log)))
        super().release()

    def _note(self, datagram: Datagram) -> MatchChanges:
        self._latest = datagram.data
        changes = self._receive(datagram)
        if datagram.channel is Channel.VISION:
            self.log.used.append(datagram.data)
            if changes.ball is not None:
                self.log.balls.append((datagram.data, *position_of(changes, self._match)))
        return changes

    def _note_age(self, received_ns: int, published_ns: int) -> None:
        self._add_age(received_ns, published_ns)
        self.log.ages.append((self._latest, published_ns, published_ns - received_ns))

    def _report(self) -> Report:
        self.log.reports.append(time.time_ns())
        return super()._report()


def flood() -> None:
    """Send datagrams of the file from its time on until SIGTERM; print how many were sent."""
    group, port, rate, begin, datagrams = pickle.loads(Path(sys.argv[2]).read_bytes())  # noqa: S301 (ours)
    ended, endless, sent = threading.Event(), cycle(datagrams), 0
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    sender, endpoint = MulticastSender(), Endpoint(group, port)
    while not ended.wait(max(0.0, begin + sent / rate - time.monotonic())):
        for data in islice(endless, BURST):
            sender.send(endpoint, data)
        sent += BURST
    print(sent)


if __name__ == '__main__':
    if sys.argv[1] == 'flood':
        flood()
    else:
        run(LoggingReceiver)

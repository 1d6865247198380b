# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""One thread for the sockets and pipes of a node: it waits for them, and calls who uses them."""

from __future__ import annotations

import heapq
import os
import selectors
import time
from collections import deque
from itertools import count
from threading import Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

READ, WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE


class IoThread:
    """
    Waits for files to be ready.

    Only `call` and `close` may be used in other threads.

    Parameters
    ----------
    name : str
        Of the thread.

    """

    def __init__(self, name: str) -> None:
        self._selector = selectors.DefaultSelector()
        self._tasks: deque[Callable[[], None]] = deque()
        self._timers: list[tuple[float, int, Callable[[], None]]] = []
        self._numbers = count()
        self._wake = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._selector.register(self._wake, READ, lambda _: os.eventfd_read(self._wake))
        self._ends = False
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def call(self, function: Callable[[], None]) -> None:
        """Call a function soon, in this thread; from any thread."""
        self._tasks.append(function)
        os.eventfd_write(self._wake, 1)

    def call_later(self, seconds: float, function: Callable[[], None]) -> None:
        """Call a function after some time [s]."""
        heapq.heappush(self._timers, (time.monotonic() + seconds, next(self._numbers), function))

    def watch(self, file: Any, events: int, callback: Callable[[int], None]) -> None:
        """
        Call back whenever a file is ready; a later call changes the events.

        Parameters
        ----------
        file : int or object with fileno()
        events : int
            READ, WRITE or both; 0: not to be watched.
        callback : callable
            Receives the events that are ready.

        """
        watched = self._selector.get_map().get(file)
        if watched is None:
            if events:
                self._selector.register(file, events, callback)
        elif watched.events == events:
            return
        elif events:
            self._selector.modify(file, events, callback)
        else:
            self._selector.unregister(file)

    def close(self) -> None:
        """End the thread after the calls that were asked for; from any other thread."""
        self.call(self._end)
        self._thread.join()
        self._selector.close()
        os.close(self._wake)

    def _end(self) -> None:
        self._ends = True

    def _run(self) -> None:
        while not self._ends:
            for key, events in self._selector.select(self._time_left()):
                # An earlier callback may have ended the watch.
                if key.fd in self._selector.get_map():
                    key.data(events)
            while self._tasks:
                self._tasks.popleft()()
            while self._timers and self._timers[0][0] <= time.monotonic():
                heapq.heappop(self._timers)[2]()

    def _time_left(self) -> float | None:
        """Return the time until the next timer [s]; None without any."""
        return max(0.0, self._timers[0][0] - time.monotonic()) if self._timers else None

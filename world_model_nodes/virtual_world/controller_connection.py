# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A connection to one controller: values in and out, with bounded buffers."""

from __future__ import annotations

import socket
from threading import Lock
from typing import TYPE_CHECKING, Protocol

from world_model_core.virtual_world.agents.wire import (
    MOST_FRAME_BYTES,
    FrameReader,
    WireError,
    encode,
)
from world_model_nodes.runtime.io_thread import READ, WRITE

if TYPE_CHECKING:
    from world_model_core.virtual_world.agents.wire import InvalidFrame
    from world_model_core.virtual_world.agents.wire_values import WireValue
    from world_model_nodes.runtime.io_thread import IoThread

# Bytes that are read at once.
READ_BYTES = 2**18
# Longest frame of who has not been admitted.
MOST_HELLO_BYTES = 10_000
# Values that wait to be handled before no more is read: a controller waits for each answer.
MOST_UNHANDLED = 8
# Bytes that wait to be sent: a turn, and an answer of the largest size.
MOST_UNSENT = 2 * MOST_FRAME_BYTES
# Time in which the other end may read the last value [s].
FAREWELL = 2.0


class ConnectionUser(Protocol):
    """What a connection calls, in the I/O thread."""

    def received(self, connection: Connection, value: WireValue | InvalidFrame) -> None:
        """Handle a value."""

    def lost(self, connection: Connection, reason: str) -> None:
        """Forget a connection that the other end, or an error, has ended."""


class Connection:
    """
    Sends and receives values; `send` and `handled` may be called in any thread.

    Parameters
    ----------
    thread : IoThread
    opened : socket
        Connected.
    peer : str
        Who is at the other end.
    user : ConnectionUser

    Attributes
    ----------
    peer : str

    """

    def __init__(
        self, thread: IoThread, opened: socket.socket, peer: str, user: ConnectionUser
    ) -> None:
        opened.setblocking(False)
        self.peer = peer
        self._thread, self._socket, self._user = thread, opened, user
        self._reader = FrameReader(MOST_HELLO_BYTES)
        self._lock = Lock()
        self._unsent = bytearray()
        # One thread changes each of them: the I/O thread, and the one that handles the values.
        self._kept_count = self._handled_count = 0
        self._waits_for_handling = False
        self._ended = self._closed = False

    def open(self) -> None:
        """Begin to receive."""
        self._watch()

    def admit(self) -> None:
        """Receive frames of any size from now on; in the I/O thread."""
        self._reader.most_bytes = MOST_FRAME_BYTES

    def send(self, value: WireValue) -> None:
        """
        Send a value now, as far as the other end reads, and the rest later.

        Raises
        ------
        WireError
            The value cannot be sent.

        """
        frame = encode(value)
        with self._lock:
            if self._ended:
                return
            begins = not self._unsent
            sent = self._send_now(frame) if begins else 0
            self._unsent += memoryview(frame)[sent:]
            left = len(self._unsent)
        if left and begins:
            self._thread.call(self._watch)
        if left > MOST_UNSENT:
            self._thread.call(lambda: self._lose('it does not read'))

    def kept(self) -> None:
        """Count a value that waits to be handled; in the I/O thread."""
        self._kept_count += 1

    def handled(self) -> None:
        """Count a kept value that was handled, so that the next ones are read."""
        self._handled_count += 1
        if self._waits_for_handling:
            self._thread.call(self._watch)

    def end(self, last: WireValue) -> None:
        """Send a last value, and close when it was read; in the I/O thread."""
        self.send(last)
        with self._lock:
            self._ended = True
        self._watch()
        self._thread.call_later(FAREWELL, self.close)

    def close(self) -> None:
        """Close now; in the I/O thread."""
        if self._closed:
            return
        self._thread.watch(self._socket, 0, self._on_ready)
        with self._lock:
            self._ended = self._closed = True
            self._unsent.clear()
            self._socket.close()

    def _watch(self) -> None:
        """Wait for what can be done next."""
        if self._closed:
            return
        if self._ended and not self._unsent:
            self._shut_down()
        unhandled = self._kept_count - self._handled_count
        self._waits_for_handling = unhandled >= MOST_UNHANDLED
        events = 0 if self._waits_for_handling and not self._ended else READ
        if self._unsent:
            events |= WRITE
        self._thread.watch(self._socket, events, self._on_ready)

    def _on_ready(self, events: int) -> None:
        if events & WRITE:
            with self._lock:
                del self._unsent[: self._send_now(self._unsent)]
            self._watch()
        if events & READ and not self._closed:
            self._receive()

    def _receive(self) -> None:
        try:
            data = self._socket.recv(READ_BYTES)
        except BlockingIOError:
            return
        except OSError as error:
            self._lose(f'connection broke: {error.strerror}')
            return
        if not data:
            self._lose('it closed the connection')
            return
        if self._ended:
            return
        try:
            values = self._reader.receive_data(data)
        except WireError as error:
            self._lose(str(error))
            return
        for value in values:
            self._user.received(self, value)
        self._watch()

    def _send_now(self, data: bytes | bytearray) -> int:
        """Send what the other end takes at once, and return its length."""
        try:
            return self._socket.send(data)
        except BlockingIOError:
            return 0
        except OSError:
            # Reading finds out, too.
            return len(data)

    def _shut_down(self) -> None:
        """Close our direction: the last value arrives before the end."""
        try:
            self._socket.shutdown(socket.SHUT_WR)
        except OSError:
            self.close()

    def _lose(self, reason: str) -> None:
        if not self._closed:
            is_news = not self._ended
            self.close()
            if is_news:
                self._user.lost(self, reason)

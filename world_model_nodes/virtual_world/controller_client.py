# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A controller's end of the connection to its world."""

from __future__ import annotations

import sys
from collections import deque
from typing import TYPE_CHECKING, Any

from world_model_core.virtual_world.agents.events import AgentError
from world_model_core.virtual_world.agents.wire import FrameReader, InvalidFrame, WireError, encode
from world_model_core.virtual_world.agents.wire_values import Goodbye, Query, Result

if TYPE_CHECKING:
    import socket
    from collections.abc import Mapping

    from world_model_core.virtual_world.agents.wire_values import WireValue

READ_BYTES = 2**18


class WorldEndedError(BaseException):
    """
    The connection has ended; the message says why.

    A handler that catches every Exception does not catch it.
    """


class QueryError(AgentError):
    """The world refuses a query."""


class ControllerClient:
    """
    Exchanges values with a world: a Link of core.

    Parameters
    ----------
    opened : socket
        Connected.

    """

    def __init__(self, opened: socket.socket) -> None:
        self._socket = opened
        self._reader = FrameReader()
        self._waiting: deque[WireValue] = deque()
        self._queries = 0

    def send(self, value: WireValue) -> None:
        """
        Send a value.

        Raises
        ------
        WireError
            The value cannot be sent.
        WorldEndedError

        """
        frame = encode(value)
        try:
            self._socket.sendall(frame)
        except OSError as error:
            raise WorldEndedError(f'the connection broke: {error.strerror}') from error

    def receive(self) -> WireValue:
        """
        Wait for the next value.

        Raises
        ------
        WorldEndedError

        """
        while not self._waiting:
            self._read()
        return self._waiting.popleft()

    def query(self, method: str, arguments: Mapping[str, object]) -> Any:
        """
        Return the answer of the world to a query.

        Raises
        ------
        QueryError
            The world refuses it.
        WireError
            An argument cannot be sent.
        WorldEndedError

        """
        self._queries += 1
        number = self._queries
        self.send(Query(number, method, arguments))
        while (result := self._take_result(number)) is None:
            self._read()
        if result.error:
            raise QueryError(result.error)
        return result.value

    def log(self, text: str) -> None:
        """Write a line to the log."""
        sys.stderr.write(f'{text}\n')

    def forget(self) -> None:
        """Close this end of the connection without a word: another process has it, too."""
        self._socket.close()

    def close(self, reason: str) -> None:
        """Say goodbye and close."""
        try:
            self._socket.settimeout(0.5)
            self._socket.sendall(encode(Goodbye(reason)))
        except OSError:
            pass
        self._socket.close()

    def _take_result(self, number: int) -> Result | None:
        """Return a result that has come; turns wait, as the handler is not finished."""
        for value in self._waiting:
            if isinstance(value, Result) and value.number == number:
                self._waiting.remove(value)
                return value
            if isinstance(value, Goodbye):
                raise WorldEndedError(value.reason)
        return None

    def _read(self) -> None:
        try:
            data = self._socket.recv(READ_BYTES)
        except OSError as error:
            raise WorldEndedError(f'the connection broke: {error.strerror}') from error
        if not data:
            raise WorldEndedError('the world has ended')
        try:
            values = self._reader.receive_data(data)
        except WireError as error:
            raise WorldEndedError(str(error)) from error
        for value in values:
            if isinstance(value, InvalidFrame):
                raise WorldEndedError(f'the world sent a frame that is none: {value.reason}')
            self._waiting.append(value)

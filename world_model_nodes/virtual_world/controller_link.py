# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The server of controllers: who may act for which agent, and what they send."""

from __future__ import annotations

from collections import Counter
from functools import partial
from queue import Empty, SimpleQueue
from threading import Event
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from world_model_core.virtual_world.agents.admission import (
    RefusedHelloError,
    check_agent,
    check_greeting,
)
from world_model_core.virtual_world.agents.wire import InvalidFrame
from world_model_core.virtual_world.agents.wire_values import (
    Goodbye,
    Hello,
    Query,
    Refused,
    Reply,
)
from world_model_nodes.virtual_world.controller_connection import Connection

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Sequence

    from world_model_core.virtual_world.agents.admission import OpenWorld
    from world_model_core.virtual_world.agents.wire_values import WireValue
    from world_model_nodes.runtime.io_thread import IoThread
    from world_model_nodes.virtual_world.controller_listener import ControllerListener

# Connections without a Hello; of more, the oldest one is refused.
MOST_STRANGERS = 64
# Time between a connection and its Hello [s].
GREETING = 10.0


class Joined(NamedTuple):
    """A controller has come, with the handlers that it has."""

    agent: str
    handlers: tuple[str, ...]
    peer: str


class Left(NamedTuple):
    """A controller has gone, for a reason."""

    agent: str
    reason: str


class Received(NamedTuple):
    """A controller has sent a value, or a frame that is none."""

    agent: str
    value: Query | Reply | InvalidFrame


News: TypeAlias = Joined | Left | Received


class ControllerLink:
    """
    Accepts controllers, and exchanges values with them.

    Parameters
    ----------
    thread : IoThread
        Does the waiting.
    listeners : sequence of ControllerListener
    notify : callable
        Called in that thread when there is news.

    Attributes
    ----------
    world : OpenWorld, optional
        What controllers may act in; replaced as a whole, at any time. None: they are refused.

    """

    def __init__(
        self,
        thread: IoThread,
        listeners: Sequence[ControllerListener],
        notify: Callable[[], None],
    ) -> None:
        self.world: OpenWorld | None = None
        self._listeners, self._notify = listeners, notify
        self._news: SimpleQueue[tuple[Connection | None, News]] = SimpleQueue()
        self._refusals: Counter[str] = Counter()
        # Tokens of connections before their Hello, and agents of those after it.
        self._strangers: dict[Connection, str] = {}
        self._names: dict[Connection, str] = {}
        self._agents: dict[str, Connection] = {}
        self._thread = thread
        for listener in listeners:
            thread.call(partial(listener.open, thread, self._accept))

    @property
    def errors(self) -> tuple[str, ...]:
        """Why controllers cannot connect."""
        return tuple(each.error for each in self._listeners if each.error)

    @property
    def refusals(self) -> dict[str, int]:
        """Number of connections that were refused, by cause."""
        return dict(self._refusals)

    @property
    def has_news(self) -> bool:
        """Whether `receive` would return news at once."""
        return not self._news.empty()

    def receive(self, timeout: float = 0.0) -> News | None:
        """Return the next news, after at most a time [s]; None: there is none."""
        try:
            connection, news = self._news.get(timeout > 0.0, timeout)
        except Empty:
            return None
        if connection is not None and isinstance(news, Received):
            connection.handled()
        return news

    def send(self, agent: str, value: WireValue) -> None:
        """
        Send a value to a controller, unless it has gone; from any thread.

        Raises
        ------
        WireError
            The value cannot be sent.

        """
        connection = self._agents.get(agent)
        if connection is not None:
            connection.send(value)

    def abandon(self, agent: str, reason: str) -> None:
        """Report that no controller comes for an agent, in the I/O thread."""
        if agent not in self._agents:
            self._news.put((None, Left(agent, reason)))
            self._notify()

    def disconnect(self, agent: str, reason: str) -> None:
        """End the connection of a controller, for a reason."""
        self._thread.call(partial(self._disconnect, agent, reason))

    def close(self, reason: str) -> None:
        """End all connections, and accept none."""
        done = Event()
        self._thread.call(partial(self._close, reason, done))
        done.wait()

    def received(self, connection: Connection, value: WireValue | InvalidFrame) -> None:
        """Handle a value, in the I/O thread."""
        agent = self._names.get(connection)
        if agent is None:
            self._greet(connection, value)
        elif isinstance(value, Query | Reply | InvalidFrame):
            connection.kept()
            self._tell(connection, Received(agent, value))
        elif isinstance(value, Goodbye):
            self._forget(connection, value.reason)
            connection.close()
        else:
            self._forget(connection, f'it sent a {type(value).__name__}')
            connection.end(Goodbye(f'a controller cannot send a {type(value).__name__}'))

    def lost(self, connection: Connection, reason: str) -> None:
        """Forget a connection that has ended, in the I/O thread."""
        if self._strangers.pop(connection, None) is not None:
            self._refusals['no hello'] += 1
        self._forget(connection, reason)

    def _accept(self, opened: socket.socket, peer: str, token: str) -> None:
        """Begin a connection; `token` is what its Hello must have."""
        connection = Connection(self._thread, opened, peer, self)
        self._strangers[connection] = token
        connection.open()
        if len(self._strangers) > MOST_STRANGERS:
            self._refuse(next(iter(self._strangers)), 'no hello', 'others came meanwhile')
        self._thread.call_later(GREETING, partial(self._check_greeting, connection))

    def _check_greeting(self, connection: Connection) -> None:
        if connection in self._strangers:
            self._refuse(connection, 'no hello', f'no Hello within {GREETING:g} s')

    def _greet(self, connection: Connection, hello: WireValue | InvalidFrame) -> None:
        """Attach a controller, or refuse it."""
        if not isinstance(hello, Hello):
            self._refuse(connection, 'no hello', 'the first message must be a Hello')
            return
        taken = {agent: each.peer for agent, each in self._agents.items()}
        try:
            check_greeting(hello, self._strangers[connection])
            if (world := self.world) is not None:
                check_agent(hello, world, taken)
        except RefusedHelloError as error:
            self._refuse(connection, error.cause, str(error))
            return
        del self._strangers[connection]
        if world is None:
            # Not refused: a controller may wait for the next world.
            connection.end(Goodbye('no world is loaded'))
        else:
            self._admit(connection, hello, world)

    def _admit(self, connection: Connection, hello: Hello, world: OpenWorld) -> None:
        connection.admit()
        self._names[connection], self._agents[hello.agent] = hello.agent, connection
        connection.send(world.welcome(hello.agent))
        self._tell(connection, Joined(hello.agent, hello.handlers, connection.peer))

    def _refuse(self, connection: Connection, cause: str, reason: str) -> None:
        self._refusals[cause] += 1
        del self._strangers[connection]
        connection.end(Refused(reason))

    def _forget(self, connection: Connection, reason: str) -> None:
        agent = self._names.pop(connection, None)
        if agent is not None:
            del self._agents[agent]
            self._tell(connection, Left(agent, reason))

    def _disconnect(self, agent: str, reason: str) -> None:
        connection = self._agents.get(agent)
        if connection is not None:
            self._forget(connection, reason)
            connection.end(Goodbye(reason))

    def _tell(self, connection: Connection, news: News) -> None:
        self._news.put((connection, news))
        self._notify()

    def _close(self, reason: str, done: Event) -> None:
        for listener in self._listeners:
            listener.close()
        for connection in (*self._strangers, *self._names):
            connection.end(Goodbye(reason))
            connection.close()
        done.set()

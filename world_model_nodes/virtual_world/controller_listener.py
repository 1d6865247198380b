# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Sockets on which a world waits for controllers."""

from __future__ import annotations

import fcntl
import os
import socket
from typing import TYPE_CHECKING, Protocol

from world_model_core.errors import ConfigurationError
from world_model_nodes.runtime.io_thread import READ
from world_model_nodes.virtual_world.controller_socket import check_folder, peer_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import TypeAlias

    from world_model_nodes.runtime.io_thread import IoThread

    # Receives each connection, who is at its other end, and the token that its Hello must have.
    Accept: TypeAlias = Callable[[socket.socket, str, str], None]

# Time after which a socket that could not be opened is tried again [s].
RETRY = 1.0
# No delay of small messages; a host that has vanished is noticed after 15 s.
TCP_OPTIONS = (
    (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),
    (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1),
    (socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, 5),
    (socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, 5),
    (socket.IPPROTO_TCP, socket.TCP_KEEPCNT, 2),
)
# Connections that may wait to be accepted.
BACKLOG = 128


class Place(Protocol):
    """Where a socket listens."""

    token: str

    def open(self) -> socket.socket:
        """
        Open a listening socket.

        Raises
        ------
        ConfigurationError, OSError

        """

    def close(self) -> None:
        """Remove what the socket has left."""


class UnixPlace:
    """
    A socket in a folder of this user alone.

    A lock beside it belongs to the process that listens, and ends with it in any case.

    Parameters
    ----------
    path : Path

    """

    token = ''

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock: int | None = None

    def __str__(self) -> str:
        """Return the path."""
        return str(self._path)

    def open(self) -> socket.socket:
        """Open the socket, and remove that of a process that has died."""
        check_folder(self._path.parent)
        self._take_lock()
        try:
            self._path.unlink(missing_ok=True)
            return _listening(socket.AF_UNIX, str(self._path))
        except OSError:
            self._release_lock()
            raise

    def close(self) -> None:
        """Remove the socket; the lock stays, as others may wait for it."""
        if self._lock is not None:
            self._path.unlink(missing_ok=True)
            self._release_lock()

    def _take_lock(self) -> None:
        file = os.open(self._path.with_suffix('.lock'), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(file)
            raise ConfigurationError(
                'another node of this name and ROS domain has the socket'
            ) from error
        self._lock = file

    def _release_lock(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


class TcpPlace:
    """
    A TCP port, for controllers that know a token.

    Parameters
    ----------
    host : str
        Address of an interface of this machine.
    port : int
    token : str

    """

    def __init__(self, host: str, port: int, token: str) -> None:
        self._address = (host, port)
        self.token = token

    def __str__(self) -> str:
        """Return host and port."""
        return f'{self._address[0]}:{self._address[1]}'

    def open(self) -> socket.socket:
        """Open the socket."""
        return _listening(socket.AF_INET, self._address)

    def close(self) -> None:
        """Nothing is left."""


class ControllerListener:
    """
    Listens at a place, and tries again each second while that fails; used in the I/O thread.

    Parameters
    ----------
    place : Place

    Attributes
    ----------
    error : str
        Why it does not listen; empty: it does.

    """

    def __init__(self, place: Place) -> None:
        self._place = place
        self._socket: socket.socket | None = None
        self._closed = False
        self.error = ''

    def open(self, thread: IoThread, accept: Accept) -> None:
        """Begin to listen, now or later."""
        if self._closed:
            return
        try:
            opened = self._place.open()
        except (ConfigurationError, OSError) as error:
            self.error = f'controllers cannot connect to {self._place}: {error}'
            thread.call_later(RETRY, lambda: self.open(thread, accept))
            return
        self.error, self._socket, self._thread = '', opened, thread
        self._watch(accept)

    def close(self) -> None:
        """Listen no longer."""
        self._closed = True
        if self._socket is not None:
            self._thread.watch(self._socket, 0, lambda _: None)
            self._socket.close()
            self._socket = None
            self._place.close()

    def _watch(self, accept: Accept) -> None:
        if self._socket is not None:
            self._thread.watch(self._socket, READ, lambda _: self._accept(accept))

    def _accept(self, accept: Accept) -> None:
        assert self._socket is not None  # noqa: S101 (it is watched)
        try:
            opened, _ = self._socket.accept()
        except OSError:
            # Most likely no descriptor is left: the socket would stay ready.
            self._thread.watch(self._socket, 0, lambda _: None)
            self._thread.call_later(RETRY, lambda: self._watch(accept))
            return
        try:
            if opened.family == socket.AF_INET:
                for level, option, value in TCP_OPTIONS:
                    opened.setsockopt(level, option, value)
            peer = peer_of(opened)
        except OSError:
            # It has gone already.
            opened.close()
            return
        accept(opened, peer, self._place.token)


def _listening(family: socket.AddressFamily, address: str | tuple[str, int]) -> socket.socket:
    opened = socket.socket(family)
    try:
        if family == socket.AF_INET:
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind(address)
        opened.listen(BACKLOG)
        opened.setblocking(False)
    except OSError:
        opened.close()
        raise
    return opened

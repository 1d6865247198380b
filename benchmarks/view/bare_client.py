# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Bare WebSocket clients of the window, which have no browser."""

from __future__ import annotations

import re
from contextlib import ExitStack, contextmanager
from importlib.metadata import version
from threading import Thread
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from urllib.request import urlopen

import msgspec.msgpack
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

if TYPE_CHECKING:
    from collections.abc import Iterator

CAMERA = {
    'wxyz': (1.0, 0.0, 0.0, 0.0),
    'position': (0.0, 0.0, 1.0),
    'fov': 1.0,
    'near': 0.01,
    'far': 1000.0,
    'image_height': 720,
    'image_width': 1280,
    'look_at': (0.0, 0.0, 0.0),
    'up_direction': (0.0, 0.0, 1.0),
}


class BareClient:
    """
    A client that reads all that it is sent, or nothing at all.

    Parameters
    ----------
    link : str
        With the token, as the viewer prints it.
    reads : bool

    """

    def __init__(self, link: str, *, reads: bool) -> None:
        self._socket = _connect(link, reads=reads)
        # The viewer counts who has a camera as a page.
        self.send('ViewerCameraMessage', **CAMERA)
        self.received = 0
        self.ended = False
        if reads:
            Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        try:
            for message in self._socket:
                self.received += len(message)
        except ConnectionClosed:
            pass
        self.ended = True

    def send(self, name: str, **fields: object) -> None:
        """Send a message as a page does."""
        self._socket.send(msgspec.msgpack.encode({'type': name, **fields}))

    def close(self) -> None:
        """Close the socket without a word."""
        self._socket.socket.close()


def _connect(link: str, *, reads: bool) -> ClientConnection:
    """Exchange the token of a link for the cookie, and open a WebSocket."""
    with urlopen(link) as answer:  # noqa: S310 (http, printed by the viewer)
        cookie = answer.headers['Set-Cookie'].partition(';')[0]
        path = re.search(r'url=([^"]+)"', answer.read().decode())
    if path is None:
        raise RuntimeError('the page of the link leads nowhere')
    host = urlsplit(link).netloc
    return connect(
        f'ws://{host}{path[1]}',
        origin=f'http://{host}',  # type: ignore[arg-type]
        subprotocols=[f'viser-v{version("viser")}'],  # type: ignore[list-item]
        additional_headers={'Cookie': cookie},
        max_size=None,
        # The viewer alone finds out who has stopped reading.
        ping_interval=None,
        # Who does not read answers no ping either.
        max_queue=16 if reads else 1,
    )


@contextmanager
def bare_clients(link: str, reading: int, silent: int) -> Iterator[list[BareClient]]:
    """Connect clients, of which the last ones never read."""
    with ExitStack() as stack:
        clients = [BareClient(link, reads=number < reading) for number in range(reading + silent)]
        for client in clients:
            stack.callback(client.close)
        yield clients

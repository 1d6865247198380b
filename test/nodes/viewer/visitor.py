# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A browser's requests to the server of the window, made by hand."""

from __future__ import annotations

import http.client
import socket

import msgspec
import viser
import zstandard
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

TOKEN = 'a-token'  # noqa: S105
PROTOCOL = f'viser-v{viser.__version__}'


class Visitor:
    """Requests of one browser to one server; it keeps the cookie."""

    def __init__(self, server, host='127.0.0.1', address='127.0.0.1'):
        self.port = server.get_port()
        self.host, self.address = host, address
        self.cookie = self.path = ''

    @property
    def origin(self):
        """Return the page's own origin."""
        return f'http://{self.host}:{self.port}'

    def get(self, target, **headers):
        """Return the answer to a request."""
        connection = http.client.HTTPConnection(self.address, self.port, timeout=60)
        host = headers.pop('Host', f'{self.host}:{self.port}')
        connection.request('GET', target, headers={'Host': host, **headers})
        answer = connection.getresponse()
        answer.body = answer.read()
        connection.close()
        return answer

    def enter(self):
        """Exchange the token for the cookie."""
        fields = self.get(f'/?token={TOKEN}').getheader('Set-Cookie').split('; ')
        self.cookie = fields[0]
        self.path = fields[1].removeprefix('Path=')
        return self

    def open(self, origin=None, cookie=None, protocol=PROTOCOL, **options):
        """Open a WebSocket."""
        return connect(
            f'ws://{self.host}:{self.port}{self.path}',
            sock=socket.create_connection((self.address, self.port)),
            origin=self.origin if origin is None else origin or None,
            subprotocols=[protocol],
            additional_headers={'Cookie': self.cookie if cookie is None else cookie},
            open_timeout=60,
            max_size=None,
            **options,
        )

    def handshake(self):
        """Return what a client sends to open a WebSocket."""
        return (
            f'GET {self.path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\n'
            f'Origin: {self.origin}\r\nCookie: {self.cookie}\r\n'
            'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n'
            f'Sec-WebSocket-Key: {"A" * 22}==\r\nSec-WebSocket-Protocol: {PROTOCOL}\r\n\r\n'
        ).encode()

    def status(self, **options):
        """Return the HTTP status of an attempt to open a WebSocket; 101: it was opened."""
        try:
            self.open(**options).close()
        except InvalidStatus as error:
            return error.response.status_code
        return 101


def packed(kind, **fields):
    """Return a message as a page sends it."""
    return msgspec.msgpack.encode({'type': kind, **fields})


def received(client, name):
    """Wait for a message about a node of the scene."""
    decompress = zstandard.ZstdDecompressor().decompress
    while True:
        window = client.recv(timeout=60)
        inner, compressed = (int.from_bytes(window[at : at + 8], 'little') for at in (0, 8))
        data = decompress(window[16 : 16 + compressed], max_output_size=inner)
        if any(each.get('name') == name for each in msgspec.msgpack.decode(data)['messages']):
            return True


def ended(client):
    """Wait until the server has closed the connection; return the code of it."""
    try:
        while True:
            client.recv(timeout=60)
    except ConnectionClosed as error:
        return error.rcvd.code

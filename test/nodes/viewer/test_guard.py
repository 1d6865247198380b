# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Attacks on the server of the window, with real sockets; another version of viser must fail."""

from __future__ import annotations

import http.client
import threading

import pytest

from world_model_core.errors import ConfigurationError

viser = pytest.importorskip('viser', reason='the window is shown by viser')

import msgspec  # noqa: E402
from websockets.exceptions import ConnectionClosed, InvalidStatus  # noqa: E402
from websockets.sync.client import connect  # noqa: E402

from world_model_nodes.viewer.guard import guarded_server  # noqa: E402

TOKEN = 'a-token'  # noqa: S105
PROTOCOL = f'viser-v{viser.__version__}'


class Visitor:
    """Requests of one browser to one server; it keeps the cookie."""

    def __init__(self, server, host='127.0.0.1'):
        self.port = server.get_port()
        self.host = host
        self.cookie = self.path = ''

    @property
    def origin(self):
        """Return the page's own origin."""
        return f'http://{self.host}:{self.port}'

    def get(self, target, **headers):
        """Return the answer to a request."""
        connection = http.client.HTTPConnection('127.0.0.1', self.port, timeout=60)
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
            f'ws://127.0.0.1:{self.port}{self.path}',
            origin=self.origin if origin is None else origin or None,
            subprotocols=[protocol],
            additional_headers={'Cookie': self.cookie if cookie is None else cookie},
            open_timeout=60,
            **options,
        )

    def status(self, **options):
        """Return the HTTP status of an attempt to open a WebSocket; 101: it was opened."""
        try:
            self.open(**options).close()
        except InvalidStatus as error:
            return error.response.status_code
        return 101


def packed(name, **fields):
    """Return a message as a page sends it."""
    return msgspec.msgpack.encode({'type': name, **fields})


def ended(client):
    """Wait until the server has closed the connection; return the code of it."""
    try:
        while True:
            client.recv(timeout=60)
    except ConnectionClosed as error:
        return error.rcvd.code


@pytest.fixture(scope='module')
def server():
    """Run a server for all tests of this file."""
    made = guarded_server('127.0.0.1', 0, TOKEN)
    yield made
    made.stop()


@pytest.fixture
def visitor(server):
    """Return a browser that has opened the link."""
    return Visitor(server).enter()


def test_the_page_and_its_websocket_open_with_the_cookie(visitor):
    """Who has opened the link sees viser's page and receives its messages."""
    page = visitor.get(visitor.path + '/', Cookie=visitor.cookie)
    assert page.status == 200
    assert b'<html' in page.body
    with visitor.open() as client:
        assert client.recv(timeout=60)


@pytest.mark.parametrize(
    'origin',
    [
        '',
        'null',
        'http://evil.example',
        'https://127.0.0.1:{port}',
        'http://127.0.0.1:1',
        'http://localhost:{port}',
        'http://127.0.0.1.evil.example:{port}',
        'http://127.0.0.1:{port}.evil.example',
    ],
)
def test_websockets_of_other_pages_are_refused(visitor, origin):
    """A foreign page, one on another port of this machine, and a program without an origin."""
    assert visitor.status(origin=origin.format(port=visitor.port)) == 403


def test_websockets_without_the_cookie_are_refused(visitor):
    """No cookie, the token in its place, and the cookie of another server."""
    assert visitor.status(cookie='') == 403
    assert visitor.status(cookie=f'world_model_view={TOKEN}') == 403
    assert visitor.status(cookie=visitor.cookie[:-1]) == 403
    assert visitor.status(cookie=f'other=1; {visitor.cookie}') == 101


def test_wrong_tokens_get_no_cookie_and_no_page(visitor):
    """Also not a beginning of the token, nor two tokens of which one is right."""
    for query in ('', '?token=', '?token=a-toke', '?token=wrong&token=a-token', '?token=%ff'):
        answer = visitor.get('/' + query)
        assert answer.status == 403
        assert answer.getheader('Set-Cookie') is None
        assert b'script' not in answer.body
    assert visitor.get(visitor.path).status == 403
    assert visitor.get('/index.html', Cookie=visitor.cookie).status == 404


@pytest.mark.parametrize('host', ['evil.example', 'evil.example:{port}', '', '127.0.0.1@evil'])
def test_foreign_hosts_are_refused(visitor, host):
    """A name that was rebound to this machine opens nothing, even with the token."""
    host = host.format(port=visitor.port)
    assert visitor.get(f'/?token={TOKEN}', Host=host).status == 403
    rebound = Visitor.__new__(Visitor)
    rebound.__dict__.update(visitor.__dict__, host=host)
    assert rebound.get(visitor.path, Cookie=visitor.cookie).status == 403


def test_an_ssh_tunnel_from_another_port_works(server):
    """The browser's address is then loopback with another port, in Host and Origin alike."""
    for host in ('localhost', '127.0.0.1', '[::1]'):
        visitor = Visitor(server, host).enter()
        tunnel = {'Host': f'{host}:9999', 'Origin': f'http://{host}:9999'}
        assert visitor.get(visitor.path, Cookie=visitor.cookie, **tunnel).status == 200


def test_a_public_tunnel_is_never_opened(server, visitor, monkeypatch):
    """Neither the method nor the message of a client opens one."""
    opened = []
    monkeypatch.setattr('viser._viser.ViserTunnel', lambda *args: opened.append(args))
    assert server.request_share_url() is None
    before = server.refused['share']
    with visitor.open() as client:
        client.send(packed('ShareUrlRequest'))
        client.send(b'not msgpack')
        assert ended(client) == 1007
    assert server.refused['share'] == before + 1
    assert opened == []


def test_a_taken_port_is_an_error_that_names_it(server):
    """Viser itself would move to the next port."""
    port, threads = server.get_port(), threading.active_count()
    with pytest.raises(ConfigurationError, match=f'port {port} of 127.0.0.1 is taken'):
        guarded_server('127.0.0.1', port, TOKEN)
    assert threading.active_count() == threads


def test_viser_prints_nothing(capfd):
    """Neither when the server starts nor when it stops."""
    server = guarded_server('127.0.0.1', 0, TOKEN)
    visitor = Visitor(server).enter()
    assert visitor.status() == 101
    assert visitor.status(protocol='viser-v0.0.1') == 400
    server.stop()
    assert capfd.readouterr() == ('', '')

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Who gets to the page, with real sockets; another version of viser must not undo it."""

from __future__ import annotations

import socket
import threading
from contextlib import nullcontext

import pytest

from world_model_core.errors import ConfigurationError

pytest.importorskip('viser', reason='the window is shown by viser')

from visitor import TOKEN, Visitor

from world_model_nodes.viewer import guard
from world_model_nodes.viewer.access import host_name
from world_model_nodes.viewer.guard import guarded_server


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


def test_a_taken_port_is_an_error_that_names_it(server):
    """Viser itself would move to the next port."""
    port, threads = server.get_port(), threading.active_count()
    with pytest.raises(ConfigurationError, match=f'port {port} of 127.0.0.1 is taken'):
        guarded_server('127.0.0.1', port, TOKEN)
    assert threading.active_count() == threads


def test_a_viser_that_does_not_serve_by_websockets_is_stopped(monkeypatch):
    """A version that served without the guard is noticed at once."""
    monkeypatch.setattr(guard._Guard, 'replacing_serve', lambda _guard: nullcontext())
    with pytest.raises(RuntimeError, match='without the guard'):
        guarded_server('127.0.0.1', 0, TOKEN)


def test_viser_prints_nothing(capfd):
    """Neither when the server starts nor when it stops."""
    server = guarded_server('127.0.0.1', 0, TOKEN)
    visitor = Visitor(server).enter()
    assert visitor.status() == 101
    assert visitor.status(protocol='viser-v0.0.1') == 400
    server.stop()
    assert capfd.readouterr() == ('', '')


def test_headers_reveal_no_versions_and_forbid_frames(visitor):
    """Also those of refusals and of the exchange; the token is never sent on as a referrer."""
    answers = (
        visitor.get('/'),
        visitor.get(f'/?token={TOKEN}'),
        visitor.get(visitor.path, Cookie=visitor.cookie),
    )
    for answer in answers:
        assert answer.getheader('Server') is None
        assert not any(
            'ython' in value or 'websockets' in value for value in answer.headers.values()
        )
        assert answer.getheader('Referrer-Policy') == 'no-referrer'
        assert answer.getheader('X-Frame-Options') == 'DENY'
        assert "frame-ancestors 'none'" in answer.getheader('Content-Security-Policy')
        assert answer.getheader('Access-Control-Allow-Origin') is None
    assert {'HttpOnly', 'SameSite=Strict'} <= {*answers[1].getheader('Set-Cookie').split('; ')}


@pytest.mark.parametrize('address', ['127.0.0.2', '::1', '0.0.0.0'])  # noqa: S104 (tested)
def test_the_page_opens_at_another_address(address):
    """With it the page's own address is accepted, also where all addresses are served."""
    try:
        server = guarded_server(address, 0, TOKEN)
    except ConfigurationError:
        pytest.skip(f'this machine has no {address}')
    reached = '127.0.0.2' if address == '0.0.0.0' else address  # noqa: S104 (tested)
    visitor = Visitor(server, host_name(reached), reached).enter()
    assert visitor.status() == 101
    assert visitor.status(origin=f'http://192.0.2.1:{visitor.port}') == 403
    assert visitor.get(f'/?token={TOKEN}', Host='192.0.2.1').status == 403
    shown = socket.gethostname() if address == '0.0.0.0' else address  # noqa: S104 (tested)
    assert server.link == f'http://{host_name(shown)}:{visitor.port}/?token={TOKEN}'
    server.stop()


@pytest.mark.parametrize(
    ('address', 'port', 'message'),
    [
        ('192.0.2.1', 0, "address '192.0.2.1', port 0: "),
        ('no.such.host.invalid', 0, "address 'no.such.host.invalid', port 0: "),
        ('127.0.0.1', 70000, 'port 70000 must be from 0 to 65535'),
    ],
)
def test_what_cannot_be_served_is_an_error(address, port, message):
    """The message names address or port."""
    with pytest.raises(ConfigurationError, match=message):
        guarded_server(address, port, TOKEN)

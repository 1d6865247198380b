# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What the guard leaves to the browser: cookies, and what pages of others may do."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import pytest

pytest.importorskip('viser', reason='the window is shown by viser')

from world_model_nodes.viewer.guard import guarded_server

SHOWN = 'window.__viserMutable?.nodeRefFromName["/box"] !== undefined'
# Ways in which a page tries to reach another one; each returns what it got.
CONNECT = """address => new Promise(resolve => {
    const socket = new WebSocket(address, ['viser-v' + '%s']);
    socket.onopen = () => resolve('open');
    socket.onerror = () => resolve('refused');
})"""
FETCH = """address => fetch(address, {credentials: 'include'}).then(
    answer => answer.text(), () => 'refused')"""
FRAME = """address => new Promise(resolve => {
    const frame = document.body.appendChild(document.createElement('iframe'));
    frame.onload = () => resolve(frame.contentDocument === null ? 'refused' : 'open');
    frame.src = address;
})"""
WORKER = """address => new Promise(resolve => {
    const script = `onmessage = event => {
        const socket = new WebSocket(event.data);
        socket.onopen = () => postMessage('open');
        socket.onerror = () => postMessage('refused');
    }`;
    const worker = new Worker(URL.createObjectURL(new Blob([script])));
    worker.onmessage = event => resolve(event.data);
    worker.postMessage(address);
})"""


class Stranger(ThreadingHTTPServer):
    """The web server of another user of this machine; it keeps the requests that it gets."""

    daemon_threads = True

    def __init__(self):
        super().__init__(('127.0.0.1', 0), _Page)
        self.requests = []
        threading.Thread(target=self.serve_forever, daemon=True).start()


class _Page(BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.requests.append((self.path, dict(self.headers)))
        self.send_response(200)
        self.send_header('Content-Type', 'text/html')
        self.end_headers()
        self.wfile.write(b'<!doctype html><title>stranger</title><body></body>')

    def log_message(self, *_arguments):
        """Print nothing."""


@pytest.fixture(scope='module')
def server():
    """Run a server with a box."""
    made = guarded_server('127.0.0.1', 0, 'a-token')
    made.scene.add_box('/box', (255, 0, 0))
    yield made
    made.stop()


@pytest.fixture
def stranger():
    """Run another web server."""
    made = Stranger()
    yield made
    made.shutdown()
    made.server_close()


@pytest.fixture(scope='module')
def page(server, open_page):
    """Open the link; the page is closed before the server, as it would report its end."""
    opened = open_page(server.link)
    opened.wait_until(SHOWN)
    return opened


def relay(target):
    """Forward connections from another port, as ssh does; return the socket that listens."""
    listening = socket.create_server(('127.0.0.1', 0))

    def forward(source, sink):
        with suppress(OSError):
            while data := source.recv(1 << 16):
                sink.sendall(data)
        with suppress(OSError):
            sink.shutdown(socket.SHUT_WR)

    def accept():
        with suppress(OSError):
            while True:
                near, far = listening.accept()[0], socket.create_connection(target)
                for ends in ((near, far), (far, near)):
                    threading.Thread(target=forward, args=ends, daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    return listening


def test_a_reload_keeps_the_page_and_no_script_sees_token_or_cookie(page):
    """The token is in the address for a moment only."""
    assert 'a-token' not in page.evaluate('location.href + document.cookie + document.referrer')
    assert page.evaluate('document.cookie') == ''
    page.do(lambda tab: tab.reload())
    page.wait_until(SHOWN)


@pytest.mark.parametrize('host', ['127.0.0.1', 'evil.test'])
def test_pages_of_others_in_the_same_browser_get_nothing(page, server, stranger, host):
    """Neither on another port of the same address, where browsers send the same cookies."""
    import viser  # noqa: PLC0415 (skipped above without it)

    own = urlsplit(page.evaluate('location.href'))
    ours, before = f'{own.scheme}://{own.netloc}{own.path}', server.refused['origin']

    def attack(tab):
        other = tab.context.new_page()
        other.goto(f'http://{host}:{stranger.server_port}/')
        results = [
            other.evaluate(CONNECT % viser.__version__, ours.replace('http', 'ws', 1).rstrip('/')),
            other.evaluate(FETCH, ours),
            other.evaluate(FRAME, ours),
            other.evaluate(FRAME, server.link),
        ]
        other.close()
        return results

    assert page.do(attack) == ['refused'] * 4
    assert server.refused['origin'] > before
    assert stranger.requests
    assert not any('world_model' in str(request) for request in stranger.requests)


def test_the_page_and_its_workers_reach_no_other_server(page, stranger):
    """A link can name a server to which viser's page would connect, and show its panels."""
    own = page.evaluate('location.origin + location.pathname')
    elsewhere = f'127.0.0.1:{stranger.server_port}/'

    def visit(tab):
        other = tab.context.new_page()
        other.goto(own)
        results = [
            other.evaluate(FETCH, f'http://{elsewhere}'),
            other.evaluate(WORKER, f'ws://{elsewhere}'),
        ]
        other.close()
        return results

    assert page.do(visit) == ['refused'] * 2
    assert stranger.requests == []


def test_a_rebound_name_opens_nothing(page, server):
    """A name of another site that leads to this machine."""
    rebound = server.link.replace('127.0.0.1', 'evil.test')

    def visit(tab):
        other = tab.context.new_page()
        status = other.goto(rebound).status
        other.close()
        return status

    assert page.do(visit) == 403


def test_the_page_works_through_a_tunnel(server, open_page):
    """At another port and by another name of loopback, as with ssh -L 9090:localhost:8080."""
    own = urlsplit(server.link)
    with relay(('127.0.0.1', own.port)) as listening:
        port = listening.getsockname()[1]
        tunneled = open_page(f'http://localhost:{port}/?{own.query}')
        tunneled.wait_until(SHOWN)
        clients = len(server.get_clients())
        tunneled.close()
    assert clients

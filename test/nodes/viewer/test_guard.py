# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Attacks on the server of the window, with real sockets; another version of viser must fail."""

from __future__ import annotations

import http.client
import queue
import socket
import threading
import time
from contextlib import ExitStack

import numpy as np
import pytest

from world_model_core.errors import ConfigurationError

viser = pytest.importorskip('viser', reason='the window is shown by viser')

import msgspec  # noqa: E402
import zstandard  # noqa: E402
from websockets.exceptions import ConnectionClosed, InvalidStatus  # noqa: E402
from websockets.sync.client import connect  # noqa: E402

from world_model_nodes.viewer import guard  # noqa: E402
from world_model_nodes.viewer.access import host_name  # noqa: E402
from world_model_nodes.viewer.guard import guarded_server  # noqa: E402

TOKEN = 'a-token'  # noqa: S105
PROTOCOL = f'viser-v{viser.__version__}'


UPLOAD = {
    'source_component_uuid': 'a', 'transfer_uuid': 'b', 'filename': 'hello.wav',
    'mime_type': 'audio/wav', 'part_count': 2, 'size_bytes': 8,
}  # fmt: skip
CAMERA = {
    'wxyz': (1, 0, 0, 0), 'position': (1, 0, 0), 'fov': 0.7, 'near': 0.1, 'far': 100,
    'image_height': 720, 'image_width': 1280, 'look_at': (0, 0, 0), 'up_direction': (0, 0, 1),
}  # fmt: skip


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


@pytest.mark.parametrize(
    ('sent', 'code'),
    [
        (b'not msgpack', 1007),
        ('a text', 1003),
        (bytes(10_000_001), 1009),
        (packed('FileTransferStartUpload', **UPLOAD | {'size_bytes': 10**9}), 1009),
        (packed('RemoveSceneNodeMessage', name='/box'), 1008),
    ],
)
def test_a_bad_message_ends_its_client_only(server, visitor, sent, code):
    """Another client goes on to receive what changes."""
    with visitor.open() as good, visitor.open() as bad:
        bad.send(sent)
        assert ended(bad) == code
        name = f'/box{code}'
        server.scene.add_box(name, (255, 0, 0))
        assert received(good, name)


def test_uploads_up_to_the_limit_arrive(server, visitor):
    """In parts, as pages send them; one that is larger than announced does not."""
    files = queue.Queue()
    button = server.gui.add_upload_button('sound')
    button.on_upload(lambda event: files.put(event.target.value.content))
    fields = UPLOAD | {'source_component_uuid': button._impl.uuid}
    part = {name: fields[name] for name in ('source_component_uuid', 'transfer_uuid')}
    with visitor.open() as client:
        client.send(packed('ViewerCameraMessage', **CAMERA))
        client.send(packed('FileTransferStartUpload', **fields))
        client.send(packed('FileTransferPart', **part, part_index=0, content=b'12345'))
        client.send(packed('FileTransferPart', **part, part_index=1, content=b'678'))
        assert files.get(timeout=60) == b'12345678'
        client.send(packed('FileTransferPart', **part, part_index=0, content=b'9'))
        assert ended(client) == 1009
    button.remove()


def test_a_client_that_never_reads_is_dropped_and_delays_nobody(visitor, server, monkeypatch):
    """Its memory is bounded: of many large updates, at most the last and one in transit wait."""
    monkeypatch.setattr(guard, 'STALLED', 0.2)
    before = server.refused['stalled']
    cloud = server.scene.add_point_cloud('/cloud', np.zeros((10, 3)), (255, 0, 0))
    buffer = server._websock_server.get_message_buffer()
    lazy = socket.socket()
    lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    lazy.connect(('127.0.0.1', visitor.port))
    with lazy, visitor.open() as reader:
        lazy.sendall(visitor.handshake())
        kept, number = len(buffer.message_from_id), 0
        deadline = time.monotonic() + 60.0
        while server.refused['stalled'] == before:
            assert time.monotonic() < deadline
            number += 1
            cloud.points = np.full((100_000, 3), number)
            server.scene.add_box('/number', (255, 0, 0), position=(number, 0, 0))
            assert received(reader, '/number')
            assert len(buffer.message_from_id) <= kept + 10
        server.scene.add_box('/after', (255, 0, 0))
        assert received(reader, '/after')
    cloud.remove()


def test_connections_are_limited(visitor, server, monkeypatch):
    """Strangers cannot use up the descriptors of the node; an open page stays."""
    monkeypatch.setattr(guard, 'MOST_CONNECTIONS', 5)
    with visitor.open() as page, ExitStack() as stack:
        for _ in range(5):
            stack.enter_context(socket.create_connection(('127.0.0.1', visitor.port)))
        with pytest.raises((ConnectionError, http.client.HTTPException)):
            visitor.get(f'/?token={TOKEN}')
        server.scene.add_box('/open', (255, 0, 0))
        assert received(page, '/open')


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


def test_what_was_removed_is_forgotten(monkeypatch):
    """Also while no client connects: things that come and go would fill the memory."""
    monkeypatch.setattr(guard, 'FORGET_PERIOD', 0.05)
    server = guarded_server('127.0.0.1', 0, TOKEN)
    buffer = server._websock_server.get_message_buffer()
    kept = len(buffer.message_from_id)
    for number in range(100):
        server.scene.add_box(f'/box{number}', (255, 0, 0)).remove()
    deadline = time.monotonic() + 60.0
    while len(buffer.message_from_id) > kept + 10:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    server.stop()

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Clients that misuse the server of the window, with real sockets."""

from __future__ import annotations

import http.client
import queue
import socket
import time
from contextlib import ExitStack

import numpy as np
import pytest

pytest.importorskip('viser', reason='the window is shown by viser')

from visitor import TOKEN, Visitor, ended, packed, received

from world_model_nodes.viewer import guard
from world_model_nodes.viewer.guard import guarded_server

UPLOAD = {
    'source_component_uuid': 'a', 'transfer_uuid': 'b', 'filename': 'hello.wav',
    'mime_type': 'audio/wav', 'part_count': 2, 'size_bytes': 8,
}  # fmt: skip
CAMERA = {
    'wxyz': (1, 0, 0, 0), 'position': (1, 0, 0), 'fov': 0.7, 'near': 0.1, 'far': 100,
    'image_height': 720, 'image_width': 1280, 'look_at': (0, 0, 0), 'up_direction': (0, 0, 1),
}  # fmt: skip


def wait_until(condition):
    """Wait until a function returns true."""
    deadline = time.monotonic() + 60.0
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


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


def test_values_that_a_panel_cannot_have_are_counted(server, visitor, capfd):
    """They neither reach the panel nor fill the log, and the client stays."""
    slider = server.gui.add_slider('speed', 0.1, 10.0, 0.1, 1.0)
    before = server.refused['message value']
    with visitor.open() as client:
        for value in ('fast', None, [1], {'a': 1}):
            updates = {'uuid': slider._impl.uuid, 'updates': {'value': value}}
            client.send(packed('GuiUpdateMessage', **updates))
        updates['updates'] = {'value': 2.0}
        client.send(packed('GuiUpdateMessage', **updates))
        wait_until(lambda: slider.value == 2.0)
        wait_until(lambda: server.refused['message value'] == before + 4)
    assert capfd.readouterr() == ('', '')
    slider.remove()


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


def test_what_was_removed_is_forgotten(monkeypatch):
    """Also while no client connects: things that come and go would fill the memory."""
    monkeypatch.setattr(guard, 'FORGET_PERIOD', 0.05)
    server = guarded_server('127.0.0.1', 0, TOKEN)
    buffer = server._websock_server.get_message_buffer()
    kept = len(buffer.message_from_id)
    for number in range(100):
        server.scene.add_box(f'/box{number}', (255, 0, 0)).remove()
    wait_until(lambda: len(buffer.message_from_id) <= kept + 10)
    server.stop()

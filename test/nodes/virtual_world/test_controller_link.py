# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The server of controllers withstands whatever connects to it."""

from __future__ import annotations

import os
import socket
import tempfile
import time
from pathlib import Path

import pytest

from world_model_core.errors import ConfigurationError
from world_model_core.virtual_world.agents.admission import MOST_CONTROLLERS, OpenWorld
from world_model_core.virtual_world.agents.wire import FrameReader, InvalidFrame, encode
from world_model_core.virtual_world.agents.wire_values import (
    Goodbye,
    Hello,
    Query,
    Refused,
    Reply,
    Result,
    Turn,
    Welcome,
)
from world_model_nodes.runtime.io_thread import IoThread
from world_model_nodes.virtual_world import controller_link
from world_model_nodes.virtual_world.controller_connection import MOST_UNHANDLED
from world_model_nodes.virtual_world.controller_link import (
    ControllerLink,
    Joined,
    Left,
    Received,
)
from world_model_nodes.virtual_world.controller_listener import (
    ControllerListener,
    TcpPlace,
    UnixPlace,
)
from world_model_nodes.virtual_world.controller_socket import (
    check_folder,
    read_token,
    socket_path,
)

TOKEN = 'a token of some length'  # noqa: S105 (of this test)
ENTITIES = frozenset(('ann', 'bob', *(f'agent {number}' for number in range(1000))))
WORLD = OpenWorld('hall', 1, 0.01, ENTITIES, 0.02, original_modes=True)
# Time limit on a busy machine [s].
LIMIT = 60.0


class Peer:
    """A program at the other end of a connection."""

    def __init__(self, opened):
        self.socket = opened
        opened.settimeout(LIMIT)
        self._reader = FrameReader()
        self._values = []

    def send(self, *values):
        """Send values."""
        self.socket.sendall(b''.join(encode(value) for value in values))
        return self

    def receive(self):
        """Return the next value; None: the connection has ended."""
        while not self._values:
            data = self.socket.recv(2**16)
            if not data:
                return None
            self._values += self._reader.receive_data(data)
        return self._values.pop(0)


class Server:
    """A link that listens in a folder and on a TCP port."""

    def __init__(self, folder):
        self.path = folder / 'world.sock'
        with socket.create_server(('127.0.0.1', 0)) as free:
            self.port = free.getsockname()[1]
        self.listeners = [
            ControllerListener(UnixPlace(self.path)),
            ControllerListener(TcpPlace('127.0.0.1', self.port, TOKEN)),
        ]
        self._thread = IoThread('controllers')
        self.link = ControllerLink(self._thread, self.listeners, lambda: None)
        self.link.world = WORLD
        self._peers = []

    def connect(self, *values):
        """Connect, and send values."""
        opened = socket.socket(socket.AF_UNIX)
        _until(lambda: opened.connect_ex(str(self.path)) == 0)
        self._peers.append(Peer(opened))
        return self._peers[-1].send(*values)

    def connect_tcp(self, *values):
        """Connect by TCP, and send values."""
        opened = socket.socket()
        _until(lambda: opened.connect_ex(('127.0.0.1', self.port)) == 0)
        self._peers.append(Peer(opened))
        return self._peers[-1].send(*values)

    def join(self, agent):
        """Connect for an agent, and take the news of it."""
        peer = self.connect(Hello(agent, ('on_action',)))
        assert isinstance(peer.receive(), Welcome)
        assert isinstance(self.news(), Joined)
        return peer

    def news(self):
        """Return the next news."""
        return self.link.receive(LIMIT)

    def close(self):
        """Close everything."""
        self.link.close('the world has ended')
        self._thread.close()
        for peer in self._peers:
            peer.socket.close()


def _until(condition):
    deadline = time.monotonic() + LIMIT
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.001)


@pytest.fixture
def folder():
    """Return a private folder whose name is short enough for sockets."""
    with tempfile.TemporaryDirectory(prefix='wm_') as name:
        yield Path(name)


@pytest.fixture
def server(folder):
    """Return a server that is closed at the end."""
    made = Server(folder)
    yield made
    made.close()


def test_values_go_both_ways(server):
    """A controller joins, replies and asks; the world sends and says goodbye."""
    peer = server.connect(Hello('ann', ('on_init', 'on_action')))
    assert peer.receive() == Welcome('ann', 'hall', 1, 0.01, 0.02, original_modes=True)
    assert server.news() == Joined('ann', ('on_init', 'on_action'), f'process {os.getpid()}')
    server.link.send('ann', Turn(1, 0, ()))
    assert peer.receive() == Turn(1, 0, ())
    peer.send(Query(1, 'distance', {'camera': 1}), Reply(1, 0.5))
    assert server.news() == Received('ann', Query(1, 'distance', {'camera': 1}))
    assert server.news() == Received('ann', Reply(1, 0.5))
    server.link.send('bob', Turn(1, 0, ()))  # has no controller
    peer.send(Goodbye('enough'))
    assert server.news() == Left('ann', 'enough')
    again = server.join('ann')
    server.link.disconnect('ann', 'another world')
    assert again.receive() == Goodbye('another world')
    assert again.receive() is None
    assert server.news() == Left('ann', 'another world')


def test_an_end_of_the_world_reaches_all(folder):
    """Also who has not said hello; the socket is removed."""
    server = Server(folder)
    peers = [server.join('ann'), server.connect()]
    # Its turn comes after that of the connection before it.
    assert isinstance(server.connect(Hello('nobody', ())).receive(), Refused)
    server.link.close('over')
    assert [peer.receive() for peer in peers] == [Goodbye('over')] * 2
    assert not server.path.exists()
    server._thread.close()


@pytest.mark.parametrize(
    ('hello', 'reason'),
    [
        (Hello('carl', ()), "no entity has the name 'carl'; there are"),
        (Hello('ann', ('on_lunch',)), "'on_lunch' is not a handler"),
        (Hello('ann', (), '', 7), 'the controller has version 7 of the protocol'),
        (Reply(1), 'the first message must be a Hello'),
    ],
)
def test_wrong_greetings_are_refused_with_a_reason(server, hello, reason):
    """The reason names what is there."""
    peer = server.connect(hello)
    assert reason in peer.receive().reason
    assert peer.receive() is None
    assert sum(server.link.refusals.values()) == 1


def test_an_agent_has_one_controller(server):
    """A second one is refused with the process of the first; after its end another may come."""
    first = server.join('ann')
    refused = server.connect(Hello('ann', ())).receive()
    assert refused == Refused(f"process {os.getpid()} already acts for 'ann'")
    first.socket.close()
    assert server.news() == Left('ann', 'it closed the connection')
    server.join('ann')


def test_tcp_needs_the_token(server):
    """Without it nothing is said about the world."""
    refused = server.connect_tcp(Hello('carl', (), 'wrong')).receive()
    assert refused == Refused('the token is wrong')
    assert isinstance(server.connect_tcp(Hello('ann', (), TOKEN)).receive(), Welcome)
    assert server.news().peer.startswith('127.0.0.1:')


def test_bytes_of_anybody_end_one_connection_at_most(server):
    """Frames that are too long or not whole; an invalid one is news, as the next may be valid."""
    ann, bob = server.join('ann'), server.join('bob')
    ann.socket.sendall(b'\xff\xff\xff\xff')
    assert server.news() == Left('ann', 'frame has 4294967295 bytes; the limit is 64000000')
    assert ann.receive() is None
    bob.socket.sendall(b'\0\0\0\x01\xc1' + encode(Reply(1)))
    assert isinstance(server.news().value, InvalidFrame)
    assert server.news() == Received('bob', Reply(1))
    half = encode(Reply(2, 0.5))
    bob.socket.sendall(half[:7])
    bob.socket.close()
    assert server.news() == Left('bob', 'it closed the connection')
    carl = server.join('ann').send(Result(1))
    assert server.news().reason == 'it sent a Result'
    assert carl.receive() == Goodbye('a controller cannot send a Result')
    stranger = server.connect()
    stranger.socket.sendall(b'GET / HTTP/1.1\r\n\r\n')
    assert stranger.receive() is None


def test_who_floods_waits_and_who_does_not_read_is_disconnected(server, monkeypatch):
    """Neither fills the memory of the world."""
    ann, bob = server.join('ann'), server.join('bob')
    query = encode(Query(1, 'x' * 100_000))
    ann.socket.setblocking(False)
    sent = 0
    # It ends when all buffers are full.
    deadline = time.monotonic() + LIMIT
    while time.monotonic() < deadline:
        try:
            sent += ann.socket.send(query[sent % len(query) :])
        except BlockingIOError:
            if server.link._news.qsize() >= MOST_UNHANDLED:
                break
    assert sent < 100 * len(query)
    while server.link.receive(0.0):
        pass
    monkeypatch.setattr('world_model_nodes.virtual_world.controller_connection.MOST_UNSENT', 10**6)
    result = Result(1, b'x' * 100_000)
    for _ in range(50):
        server.link.send('bob', result)
    while (news := server.news()) != Left('bob', 'it does not read'):
        assert news.agent == 'ann'
    assert isinstance(bob.receive(), Result)


def test_1000_entities_have_256_controllers(server):
    """Who comes beyond is told so; there is room again when one leaves."""
    peers = [server.join(f'agent {number}') for number in range(MOST_CONTROLLERS)]
    refused = server.connect(Hello('ann', ())).receive()
    assert refused == Refused('the world has 256 controllers, the most that it can have')
    peers[0].socket.close()
    assert isinstance(server.news(), Left)
    server.join('ann')


def test_strangers_need_little(server, monkeypatch):
    """Before its Hello a connection may not send much, and the oldest of many is refused."""
    loud = server.connect()
    loud.socket.sendall((20_000).to_bytes(4, 'big'))
    assert loud.receive() is None
    monkeypatch.setattr(controller_link, 'MOST_STRANGERS', 2)
    first, *others = [server.connect() for _ in range(3)]
    assert first.receive() == Refused('others came meanwhile')
    assert isinstance(others[0].send(Hello('ann', ())).receive(), Welcome)
    large = Query(1, 'x' * 20_000)
    others[0].send(large)
    assert isinstance(server.news(), Joined)
    assert server.news().value == large


def test_who_says_nothing_is_refused(server, monkeypatch):
    """After some time."""
    monkeypatch.setattr(controller_link, 'GREETING', 0.01)
    assert 'no Hello within' in server.connect().receive().reason


def test_without_a_world_a_controller_may_wait_for_the_next(server):
    """It gets a Goodbye, and is not refused."""
    server.link.world = None
    assert server.connect(Hello('ann', ())).receive() == Goodbye('no world is loaded')


def test_a_socket_in_use_is_reported_and_tried_again(server):
    """The second server takes over when the first one has ended."""
    thread = IoThread('controllers')
    listener = ControllerListener(UnixPlace(server.path))
    link = ControllerLink(thread, [listener], lambda: None)
    _until(lambda: link.errors)
    assert 'another node of this name and ROS domain has the socket' in link.errors[0]
    server.link._thread.call(server.listeners[0].close)
    _until(lambda: not link.errors)
    link.close('')
    thread.close()


def test_the_path_of_a_socket_is_of_domain_and_name(folder):
    """A long name is replaced by its hash; without a folder of the user one in /tmp is used."""
    environment = {'XDG_RUNTIME_DIR': str(folder), 'ROS_DOMAIN_ID': '7'}
    path = socket_path('/a/virtual_world', environment)
    assert path == folder / 'world_model' / '7.a.virtual_world.sock'
    long = socket_path('/' + 'a' * 200, environment)
    assert len(str(long)) < 108
    assert long != socket_path('/' + 'b' * 200, environment)
    ours = f'/tmp/world_model_{os.getuid()}/0.x.sock'  # noqa: S108 (checked when used)
    assert socket_path('x', {}) == Path(ours)


def test_a_folder_that_others_can_use_is_refused(folder):
    """So is a link, a file and one of another user; a missing one is created."""
    made = folder / 'made'
    check_folder(made)
    assert made.stat().st_mode & 0o777 == 0o700
    made.chmod(0o750)
    with pytest.raises(ConfigurationError, match='has mode 0o750; it must be 0o700'):
        check_folder(made)
    (folder / 'link').symlink_to(folder)
    with pytest.raises(ConfigurationError, match='is not a folder'):
        check_folder(folder / 'link')
    with pytest.raises(ConfigurationError, match='No such file'):
        check_folder(folder / 'no' / 'where')


def test_tokens_are_private_and_long(folder):
    """A file that others can read, or with a short token, is refused."""
    file = folder / 'token'
    file.write_text(f'{TOKEN}\n')
    with pytest.raises(ConfigurationError, match='it must be 0o600'):
        read_token(file)
    file.chmod(0o600)
    assert read_token(file) == TOKEN
    file.write_text('short')
    with pytest.raises(ConfigurationError, match='has 5 characters; it must have 16 to 1024'):
        read_token(file)
    with pytest.raises(ConfigurationError, match='No such file'):
        read_token(folder / 'nothing')

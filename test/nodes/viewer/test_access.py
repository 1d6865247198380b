# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The rules by which requests reach the page, as values."""

from __future__ import annotations

import socket
from dataclasses import replace

import pytest

from world_model_core.errors import ConfigurationError
from world_model_nodes.viewer.access import SHORTEST, VARIABLE, Access, Asked, process_token
from world_model_nodes.viewer.socket_owner import is_own_user

ACCESS = Access('a-token', ('192.0.2.1', 'Robot'))
COOKIE = ACCESS.cookie.split(';')[0]
PAGE = Asked(ACCESS.path, '192.0.2.1', upgrade=False, hosts=('robot:80',), cookies=(COOKIE,))
SOCKET = replace(PAGE, upgrade=True, origins=('http://robot:80',))


def cause(asked):
    """Return why a request is refused."""
    refusal = ACCESS.refusal(asked)
    return refusal and refusal.cause


@pytest.mark.parametrize(
    'host', ['robot', 'ROBOT:1', '192.0.2.1:8080', 'localhost:9', '127.0.0.1', '[::1]:8080']
)
def test_the_names_of_this_machine_are_accepted(host):
    """Loopback at any port, as an SSH tunnel may use another one, and its own names."""
    assert cause(replace(PAGE, hosts=(host,))) is None
    assert cause(replace(SOCKET, hosts=(host,), origins=(f'http://{host}'.lower(),))) is None


@pytest.mark.parametrize(
    'hosts',
    [(), ('robot', 'robot'), ('robot.',), ('robot:',), ('robot:x',), ('robot/',), ('::1',),
     ('evil@robot',), ('robot evil',), ('\udce9',), ('192.0.2.10',), ('[::2]:80',)],
)  # fmt: skip
def test_other_hosts_are_refused(hosts):
    """Also one that is missing, repeated or not well formed."""
    assert cause(replace(PAGE, hosts=hosts)) == 'host'


def test_requests_come_to_any_address_of_this_machine():
    """Where the page is served at all of them, the connection says at which one."""
    assert cause(replace(PAGE, local='192.0.2.9', hosts=('192.0.2.9:80',))) is None
    assert cause(replace(PAGE, local='::ffff:192.0.2.9', hosts=('192.0.2.9:80',))) is None
    assert cause(replace(PAGE, local='2001:DB8::9', hosts=('[2001:db8::9]:80',))) is None


def test_the_origin_is_that_of_the_page():
    """A page may have none; a WebSocket needs exactly one."""
    for origins in ((), ('http://robot:80', 'http://robot:80'), ('http://robot',), ('null',)):
        assert cause(replace(SOCKET, origins=origins)) == 'origin'
    assert cause(replace(PAGE, origins=('http://evil',))) == 'origin'


@pytest.mark.parametrize(
    ('cookies', 'expected'),
    [((), 'token'), (('', f'a=b;{COOKIE}'), None), ((COOKIE + '1',), 'token'),
     ((COOKIE[:-1],), 'token'), (('world_model_view=',), 'token'), (('\udce9;;=',), 'token')],
)  # fmt: skip
def test_the_page_and_the_websocket_need_the_cookie(cookies, expected):
    """Other cookies of this machine may be there as well."""
    assert cause(replace(PAGE, cookies=cookies)) == expected
    assert cause(replace(SOCKET, cookies=cookies)) == expected


def test_tokens_are_exchanged():
    """Not in the place of the cookie, and not for a WebSocket."""
    link = replace(PAGE, target='/?token=a-token', cookies=())
    assert ACCESS.exchanges(link)
    assert cause(link) is None
    assert cause(replace(link, target='/?token=a-tokem')) == 'token'
    assert cause(replace(link, target=f'/?token={ACCESS.own_token}')) == 'token'
    assert (
        cause(replace(link, target=f'/?token={ACCESS.own_token}', own_user=lambda: True)) is None
    )
    assert cause(replace(SOCKET, target='/?token=a-token')) == 'token'
    assert cause(replace(PAGE, target='/other')) == 'path'
    assert cause(replace(PAGE, target='//[')) == 'path'


def test_cookie_and_path_tell_nothing_of_the_token_and_differ():
    """The page of another token is another one, so that two viewers do not share a cookie."""
    other = Access('b-token')
    assert other.path != ACCESS.path
    assert other.cookie != ACCESS.cookie
    assert 'a-token' not in ACCESS.cookie + ACCESS.path
    assert COOKIE.split('=')[1] not in ACCESS.path


def test_the_token_of_a_process_stays(monkeypatch):
    """A process that starts again has the same environment."""
    monkeypatch.setenv(VARIABLE, 'x' * SHORTEST)
    assert process_token() == 'x' * SHORTEST
    monkeypatch.delenv(VARIABLE)
    token = process_token()
    assert len(token) > 2 * SHORTEST
    assert process_token() == token
    monkeypatch.setenv(VARIABLE, 'x' * (SHORTEST - 1))
    with pytest.raises(ConfigurationError, match=f'15 characters; .* at least {SHORTEST}'):
        process_token()


@pytest.mark.parametrize('address', ['127.0.0.1', '::1'])
def test_connections_of_this_user_are_known(address):
    """The kernel lists the owner of both ends; an end that it does not list has none."""
    family = socket.AF_INET6 if ':' in address else socket.AF_INET
    try:
        server = socket.create_server((address, 0), family=family)
    except OSError:
        pytest.skip(f'this machine has no {address}')
    with server, socket.create_connection(server.getsockname()[:2]) as client:
        ends = client.getsockname()[:2], client.getpeername()[:2]
        assert is_own_user(*ends)
        assert not is_own_user((address, 1), ends[1])

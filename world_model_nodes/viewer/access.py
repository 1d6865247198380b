# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Who may see the page: its address, origin, token and cookie."""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
from dataclasses import dataclass
from http import HTTPStatus
from ipaddress import IPv4Address, ip_address
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from world_model_core.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

COOKIE = 'world_model_view'
VARIABLE = 'WORLD_MODEL_VIEW_TOKEN'
# Of a token [characters].
SHORTEST = 16
# By these names a browser reaches this machine, also through the port of an SSH tunnel.
LOOPBACK = frozenset(('localhost', '127.0.0.1', '[::1]'))
# A name or an address with a port; https://www.rfc-editor.org/rfc/rfc9110#name-host-and-authority
_HOST = re.compile(r'(?P<name>[a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::[0-9]{1,5})?')


def process_token() -> str:
    """
    Return the token of this process.

    That is the variable WORLD_MODEL_VIEW_TOKEN of the environment, or else 256 random bits. They
    are kept there, so that an open page connects again if the process starts again by itself. A
    parameter could be read by everyone in the ROS network.

    Raises
    ------
    ConfigurationError
        The token of the environment can be guessed.

    """
    token = os.environ.setdefault(VARIABLE, secrets.token_urlsafe(32))
    if len(token) < SHORTEST:
        raise ConfigurationError(
            f'{VARIABLE} has {len(token)} characters; a token has at least {SHORTEST}'
        )
    return token


@dataclass(frozen=True)
class Refusal:
    """A refused request: the cause is counted, the text is what the browser shows."""

    cause: str
    text: str
    status: HTTPStatus = HTTPStatus.FORBIDDEN


_HOST_REFUSAL = Refusal('host', 'This page has another address.\n')
_ORIGIN_REFUSAL = Refusal('origin', 'Other pages cannot use this one.\n')
_TOKEN_REFUSAL = Refusal(
    'token', 'The link of this page ends with a token. Open the link that the viewer printed.\n'
)
_PATH_REFUSAL = Refusal('path', 'There is nothing here.\n', HTTPStatus.NOT_FOUND)


@dataclass(frozen=True)
class Asked:
    """
    What a request asks for.

    Attributes
    ----------
    target : str
        Path and query.
    local : str
        Address of this machine to which the request came.
    upgrade : bool
        A WebSocket is asked for.
    hosts, origins, cookies, protocols : tuple of str
        Values of the header fields Host, Origin, Cookie and Sec-WebSocket-Protocol; a field can
        be repeated.
    own_user : callable
        Returns whether the request comes from this user on this machine.

    """

    target: str
    local: str
    upgrade: bool
    hosts: tuple[str, ...]
    origins: tuple[str, ...] = ()
    cookies: tuple[str, ...] = ()
    protocols: tuple[str, ...] = ()
    own_user: Callable[[], bool] = bool

    @property
    def path(self) -> str:
        """Return the target without its query."""
        return self.target.partition('?')[0]


class Access:
    """
    Decides which requests reach the page.

    A browser sends cookies to every port of a host. The cookie therefore has a path that only who
    has the token knows: a page that another user of this machine serves on another port receives
    no cookie, and two viewers do not overwrite each other's. That path and the cookie are derived
    from the token, so that an open page connects again after a restart with the same token.

    Parameters
    ----------
    token : str
        In the link; whoever has it may use the page.
    names : iterable of str
        Names and addresses of this machine under which the page may be opened, beside loopback.

    Attributes
    ----------
    path : str
        Path of the page.
    own_token : str
        Another token, which is valid for this user on this machine only. The command line of a
        browser, which contains the link, can be read by the other users.

    """

    def __init__(self, token: str, names: Iterable[str] = ()) -> None:
        self._token = token
        self._names = LOOPBACK | {host_name(name) for name in names}
        self._secret = self._derive('cookie')
        self.own_token = self._derive('own')
        self.path = '/' + self._derive('path')

    @property
    def cookie(self) -> str:
        """Return the cookie that a browser receives for the token."""
        return f'{COOKIE}={self._secret}; Path={self.path}; HttpOnly; SameSite=Strict'

    def refusal(self, asked: Asked) -> Refusal | None:
        """Return why a request is refused, or None."""
        if not self._host_is_own(asked):
            return _HOST_REFUSAL
        if not _origin_is_own(asked):
            return _ORIGIN_REFUSAL
        if asked.path == '/':
            return None if self.exchanges(asked) else _TOKEN_REFUSAL
        if asked.path not in (self.path, self.path + '/'):
            return _PATH_REFUSAL
        return None if self._has_cookie(asked.cookies) else _TOKEN_REFUSAL

    def exchanges(self, asked: Asked) -> bool:
        """Return whether a request brings the right token, to receive the cookie for it."""
        tokens = parse_qs(asked.target.partition('?')[2]).get('token', [])
        if asked.upgrade or asked.path != '/' or len(tokens) != 1:
            return False
        if _equal(tokens[0], self.own_token):
            return asked.own_user()
        return _equal(tokens[0], self._token)

    def _host_is_own(self, asked: Asked) -> bool:
        match = _HOST.fullmatch(asked.hosts[0].lower()) if len(asked.hosts) == 1 else None
        return match is not None and match['name'] in self._names | {host_name(asked.local)}

    def _has_cookie(self, headers: tuple[str, ...]) -> bool:
        cookies = ';'.join(headers).split(';')
        return any(_equal(cookie.strip(), f'{COOKIE}={self._secret}') for cookie in cookies)

    def _derive(self, use: str) -> str:
        return hmac.new(self._token.encode(), use.encode(), hashlib.sha256).hexdigest()[:32]


def _equal(one: str, other: str) -> bool:
    """Compare in a time that does not depend on where the texts differ."""
    return hmac.compare_digest(*(text.encode('utf-8', 'replace') for text in (one, other)))


def host_name(address: str) -> str:
    """Return a name or address as it stands in a link: IPv6 in brackets."""
    try:
        number = ip_address(address)
    except ValueError:
        return address.lower()
    if isinstance(number, IPv4Address):
        return str(number)
    return f'[{number}]' if number.ipv4_mapped is None else str(number.ipv4_mapped)


def _origin_is_own(asked: Asked) -> bool:
    """
    Return whether a request comes from the page itself.

    Another port is another origin, also on this machine: other users can serve pages there.
    A navigation has no origin; a WebSocket of a browser always has one.
    """
    if not asked.origins:
        return not asked.upgrade
    return asked.origins == tuple(f'http://{host.lower()}' for host in asked.hosts)

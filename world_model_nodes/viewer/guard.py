# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
The web server of the window: viser's, closed to everyone who has no token.

viser takes WebSockets from any web page, lets every client open a public tunnel to it, and moves
to another port if its own is taken. It has no parameters for these, so its call of websockets'
`serve` is replaced while the server is made.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
import sys
import threading
from collections import Counter
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from http import HTTPStatus
from ipaddress import ip_address
from types import ModuleType
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import rich
import viser
import websockets.asyncio.server
from websockets.asyncio.server import ServerConnection

from world_model_core.errors import ConfigurationError
from world_model_nodes.viewer.access import Access, Asked, Refusal, host_name
from world_model_nodes.viewer.client_messages import LARGEST, BadMessageError, ClientMessages
from world_model_nodes.viewer.message_buffer import use_safe_buffers
from world_model_nodes.viewer.socket_owner import is_own_user

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from websockets.http11 import Request, Response

# A client that takes nothing for this time is disconnected [s].
STALLED = 10.0
# Connections at the same time; strangers could otherwise use up the descriptors of the process.
MOST_CONNECTIONS = 100
# viser forgets what was removed only when a client connects; it is made to in this period [s].
FORGET_PERIOD = 30.0
# The coroutine of viser that handles a message of a client.
_HANDLER = '_handle_incoming_message'
_PROTOCOL = f'viser-v{viser.__version__}'
# The link's token is exchanged by a page, not by a redirect: a link in another page would make
# the browser withhold the cookie from the redirected request, as it is SameSite=Strict.
# It names an empty icon, as the browser would ask for one that there is not.
_EXCHANGE = (
    '<!doctype html><link rel="icon" href="data:,">'
    '<meta http-equiv="refresh" content="0;url={path}/"><title>...</title>'
)
# viser's page is one file with its scripts, and starts workers and WebAssembly from it.
_POLICY = (
    "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; "
    "connect-src 'self' ws://{host} data: blob:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_NOTHING = "default-src 'none'; frame-ancestors 'none'"
_HEADERS = {
    'Cache-Control': 'no-store',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
}
_VERSION_REFUSAL = Refusal('version', 'Load the page again.\n', HTTPStatus.BAD_REQUEST)
_making = threading.Lock()


def guarded_server(address: str, port: int, token: str) -> GuardedServer:
    """
    Make the web server of the window.

    Parameters
    ----------
    address : str
        Address or name of this machine on which to listen.
    port : int
        0: any free port.
    token : str
        In the link of the page, see `GuardedServer.link`.

    Raises
    ------
    ConfigurationError
        The address is not one of this machine, or the port is taken.

    """
    if not token:
        raise ConfigurationError('the token of the page must not be empty')
    if not 0 <= port <= 65535:  # getaddrinfo takes it modulo 65536
        raise ConfigurationError(f'port {port} must be from 0 to 65535')
    listening = _listen(address, port)
    try:
        return GuardedServer(listening, address, token)
    except BaseException:
        listening.close()
        raise


class GuardedServer(viser.ViserServer):
    """
    viser's server with checks of requests and messages.

    Attributes
    ----------
    link : str
        Opens the page; whoever has it may use the page.
    browser_link : str
        Opens the page, for this user on this machine only.
    refused : Counter
        Number of refused requests and messages by cause.

    """

    def __init__(self, listening: socket.socket, address: str, token: str) -> None:
        bound, port = listening.getsockname()[:2]
        # The number, as another user could serve `localhost` on another address of loopback.
        shown = socket.gethostname() if ip_address(bound).is_unspecified else bound
        # `.local`: its name in networks without a name server.
        access = Access(token, (address, shown, f'{shown}.local'))
        page = f'http://{host_name(shown)}:{port}/?token='
        self.link, self.browser_link = page + quote(token, safe=''), page + access.own_token
        self.refused: Counter[str] = Counter()
        guard = _Guard(listening, access, self.refused)
        use_safe_buffers()
        with _making, _quiet(), guard.replacing_serve():
            super().__init__(host=bound, port=port, verbose=False)
        if not guard.used:
            self.stop()
            raise RuntimeError(f'viser {viser.__version__} made a server without the guard')
        self.gui.configure_theme(show_share_button=False)
        loop = self.get_event_loop()
        loop.call_soon_threadsafe(loop.set_exception_handler, self._count_bad_value)
        loop.call_soon_threadsafe(self._forget)

    def request_share_url(self, verbose: bool = True) -> str | None:  # noqa: ARG002 (viser's)
        """Refuse to open a public tunnel to the page."""
        self.refused['share'] += 1
        return None

    def _count_bad_value(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Count a value that its panel cannot have, such as a text for a slider."""
        task = context.get('future')
        if isinstance(task, asyncio.Task) and getattr(task.get_coro(), '__name__', '') == _HANDLER:
            self.refused['message value'] += 1
        else:
            loop.default_exception_handler(context)

    def _forget(self) -> None:
        """Remove from viser's memory what was removed from the window."""
        self._run_garbage_collector()
        self.get_event_loop().call_later(FORGET_PERIOD, self._forget)


class GuardedConnection(ServerConnection):
    """A client's connection: its messages are checked, and it must take what it is sent."""

    def __init__(self, *args: Any, refused: Counter[str], **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._refused, self._messages = refused, ClientMessages()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to receive, unless there are too many connections."""
        super().connection_made(transport)
        if len(self.server.handlers) > MOST_CONNECTIONS:
            self._refused['connections'] += 1
            self.transport.abort()

    async def recv(self, *arguments: Any, **options: Any) -> Any:
        """Receive the next message that is to be handled."""
        while True:
            raw = await super().recv(*arguments, **options)
            try:
                cause = self._messages.ignored(raw)
            except BadMessageError as error:
                self._refused[error.cause] += 1
                await self.close(error.code, error.cause)
                continue  # raises ConnectionClosed
            if not cause:
                return raw
            self._refused[cause] += 1

    async def send(self, *arguments: Any, **options: Any) -> None:
        """Send a message; disconnect a client that takes nothing of it for a while."""
        watch = _ProgressWatch(self.transport, self._drop)
        try:
            await super().send(*arguments, **options)
        finally:
            watch.end()

    def _drop(self) -> None:
        self._refused['stalled'] += 1
        self.transport.abort()


class _ProgressWatch:
    """Calls a function if nothing leaves the write buffer of a transport for `STALLED`."""

    def __init__(self, transport: asyncio.Transport, stalled: Callable[[], None]) -> None:
        self._transport, self._stalled = transport, stalled
        self._loop = asyncio.get_running_loop()
        self._timer = self._loop.call_later(STALLED, self._compare, None)

    def end(self) -> None:
        self._timer.cancel()

    def _compare(self, before: int | None) -> None:
        waiting = self._transport.get_write_buffer_size()
        if before is not None and waiting >= before:
            self._stalled()
        else:
            self._timer = self._loop.call_later(STALLED, self._compare, waiting)


class _Guard:
    """Replaces websockets' `serve` by one that checks requests and messages."""

    def __init__(self, listening: socket.socket, access: Access, refused: Counter[str]) -> None:
        self._listening, self._access, self._refused = listening, access, refused
        self._serve = websockets.asyncio.server.serve
        self.used = False

    @contextmanager
    def replacing_serve(self) -> Iterator[None]:
        """Replace the function in websockets' module, where viser looks it up."""
        websockets.asyncio.server.serve = self.serve  # type: ignore[assignment, misc]
        try:
            yield
        finally:
            websockets.asyncio.server.serve = self._serve  # type: ignore[misc]

    def serve(self, handler: Any, host: str, port: int, **settings: Any) -> Any:  # noqa: ARG002
        """Serve on the socket that is bound already, with checks."""
        self.used = True
        settings |= {
            'sock': self._listening,
            'process_request': partial(self._answer, settings['process_request']),
            'process_response': self._add_headers,
            'server_header': None,
            'max_size': LARGEST,
            'create_connection': partial(GuardedConnection, refused=self._refused),
            'logger': _quiet_logger(),
        }
        return self._serve(handler, **settings)

    def _answer(
        self,
        page: Callable[[ServerConnection, Request], Response | None],
        connection: ServerConnection,
        request: Request,
    ) -> Response | None:
        """Answer a request by a refusal, the cookie, or the page; None: by a WebSocket."""
        asked = _asked(connection, request)
        refusal = self._access.refusal(asked)
        if refusal is None and asked.upgrade and _PROTOCOL not in asked.protocols:
            refusal = _VERSION_REFUSAL
        if refusal is not None:
            self._refused[refusal.cause] += 1
            return connection.respond(refusal.status, refusal.text)
        if asked.upgrade:
            return None
        if self._access.exchanges(asked):
            return self._exchange(connection)
        return page(connection, replace(request, path='/'))

    def _exchange(self, connection: ServerConnection) -> Response:
        response = connection.respond(HTTPStatus.OK, _EXCHANGE.format(path=self._access.path))
        del response.headers['Content-Type']
        response.headers['Content-Type'] = 'text/html; charset=utf-8'
        response.headers['Set-Cookie'] = self._access.cookie
        return response

    def _add_headers(
        self, _connection: ServerConnection, request: Request, response: Response
    ) -> None:
        """Forbid what the page does not need; only the page itself may load anything."""
        served = response.status_code == HTTPStatus.OK
        policy = _POLICY.format(host=request.headers['Host']) if served else _NOTHING
        response.headers.update(_HEADERS | {'Content-Security-Policy': policy})


def _asked(connection: ServerConnection, request: Request) -> Asked:
    return Asked(
        target=request.path,
        local=connection.local_address[0],
        upgrade='Upgrade' in request.headers,
        hosts=tuple(request.headers.get_all('Host')),
        origins=tuple(request.headers.get_all('Origin')),
        cookies=tuple(request.headers.get_all('Cookie')),
        protocols=tuple(request.headers.get_all('Sec-WebSocket-Protocol')),
        own_user=lambda: is_own_user(connection.remote_address[:2], connection.local_address[:2]),
    )


def _listen(address: str, port: int) -> socket.socket:
    try:
        family, kind, _, _, place = socket.getaddrinfo(
            address, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind)
    except (OSError, UnicodeError) as error:
        raise ConfigurationError(f'address {address!r}, port {port}: {error}') from error
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(place)
        listening.listen()
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRINUSE:
            text = f'port {port} of {address} is taken: end its program, or choose another port'
            raise ConfigurationError(text) from error
        raise ConfigurationError(f'address {address!r}, port {port}: {error}') from error
    return listening


@contextmanager
def _quiet() -> Iterator[None]:
    """Give viser's functions that import rich now, and keep it, one that prints nothing."""
    silent = ModuleType('rich')
    silent.__dict__.update(rich.__dict__, print=lambda *_arguments, **_options: None)
    sys.modules['rich'] = silent
    try:
        yield
    finally:
        sys.modules['rich'] = rich


def _quiet_logger() -> logging.Logger:
    """Return a logger without what any stranger could fill the log with."""
    logger = logging.getLogger('world_model.viewer')
    logger.addFilter(
        lambda record: record.msg not in ('opening handshake failed', 'keepalive ping failed')
    )
    return logger

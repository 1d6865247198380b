# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""UDP multicast: a receiver with its own thread, and a sender that uses loopback by default."""

from __future__ import annotations

import errno
import ipaddress
import selectors
import socket
import struct
import threading
import time
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from world_model_core.errors import ConfigurationError, WorldModelError
from world_model_core.match.datagrams import Datagram, SenderAddress
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from world_model_core.match.values import Channel

# The largest UDP datagram over IPv4 is 65507 bytes long.
BUFFER_SIZE = 65536
# Kernel buffer of a socket [bytes]; holds several seconds of a match while Python is busy.
KERNEL_BUFFER_SIZE = 1 << 20
RETRY_PERIOD = 1.0
# From <linux/in.h> and <asm-generic/socket.h>; Python's socket module does not define them.
IP_MULTICAST_ALL = 49
SO_RXQ_OVFL = 40
SO_TIMESTAMPNS = 35
_TIMESPEC = struct.Struct('@qq')
# Maximum number of queued datagrams; more means that the owner is blocked.
QUEUE_LENGTH = 4096


class Endpoint(NamedTuple):
    """A multicast group's address and port."""

    group: str
    port: int

    def __str__(self) -> str:
        """Format as 224.5.23.2:10006."""
        return f'{self.group}:{self.port}'


class SocketError(WorldModelError):
    """A network operation failed; it may succeed later."""


@dataclass(slots=True)
class ChannelStatus:
    """
    State of one channel.

    `error` is empty while the socket works. `kernel_drops` counts datagrams dropped because the
    kernel buffer was full, `queue_drops` those dropped because the owner was too slow.
    """

    endpoint: Endpoint
    error: str = 'not opened yet'
    interfaces: tuple[str, ...] = ()
    kernel_drops: int = 0
    queue_drops: int = 0


@dataclass(slots=True)
class _Subscription:
    channel: Channel
    status: ChannelStatus
    socket: socket.socket | None = None
    joined: set[int] = field(default_factory=set)
    newest_ns: int = 0


class MulticastReceiver:
    """
    Receives several multicast groups on one thread.

    The thread only receives, stamps and queues datagrams. A datagram is stamped by the kernel, so
    that the stamp does not depend on when this process runs. The thread calls `wake` after every
    datagram; the owner calls `take` on its own thread. If the port is not free or the interface is
    missing, the receiver retries every second.

    Parameters
    ----------
    endpoints : mapping
        From channel to Endpoint.
    interface : str
        Name of the network interface to join on; empty: all interfaces.
    now : callable
        Returns the present time [ns] of the clock in which datagrams are stamped.
    wake : callable
        Called on the receiving thread when a datagram can be taken.

    """

    def __init__(
        self,
        endpoints: Mapping[Channel, Endpoint],
        interface: str,
        now: Callable[[], int],
        wake: Callable[[], object],
    ) -> None:
        for endpoint in endpoints.values():
            check_endpoint(endpoint)
        self.status = {name: ChannelStatus(endpoint) for name, endpoint in endpoints.items()}
        self._subscriptions = [_Subscription(name, s) for name, s in self.status.items()]
        self._interface = interface
        self._now = now
        self._wake = wake
        self._queue: deque[Datagram] = deque()
        self._selector = selectors.DefaultSelector()
        self._stopper, waiting = socket.socketpair()
        self._selector.register(waiting, selectors.EVENT_READ)
        self._waiting = waiting
        self._thread = threading.Thread(target=self._run, name='multicast', daemon=True)
        self._maintain()
        self._thread.start()

    def take(self) -> Iterator[Datagram]:
        """
        Yield all datagrams that are queued now.

        Datagrams that arrive meanwhile wake the owner again, so that it is never blocked here.
        """
        for _ in range(len(self._queue)):
            yield self._queue.popleft()

    def close(self) -> None:
        """Stop the thread and leave the groups."""
        self._stopper.send(b'.')
        self._thread.join()
        for subscription in self._subscriptions:
            self._disconnect(subscription, 'closed')
        self._selector.close()
        self._stopper.close()
        self._waiting.close()

    def _run(self) -> None:
        clock = _Interval(RETRY_PERIOD)
        while True:
            for key, _ in self._selector.select(clock.left()):
                if key.data is None:
                    return
                self._receive(key.data)
            if clock.over():
                self._maintain()

    def _receive(self, subscription: _Subscription) -> None:
        assert subscription.socket is not None  # noqa: S101 (only open sockets are registered)
        try:
            data, ancillary, _, source = subscription.socket.recvmsg(BUFFER_SIZE, 128)
        except OSError as error:
            self._disconnect(subscription, f'{subscription.status.endpoint}: {error}')
            return
        stamp_ns = time.time_ns()
        for level, kind, value in ancillary:
            if level != socket.SOL_SOCKET:
                continue
            if kind == SO_RXQ_OVFL:
                subscription.status.kernel_drops = struct.unpack('I', value)[0]
            elif kind == SO_TIMESTAMPNS:
                stamp_ns = _nanoseconds(value)
        if len(self._queue) >= QUEUE_LENGTH:
            subscription.status.queue_drops += 1
            return
        received_ns = self._received_ns(subscription, stamp_ns)
        self._queue.append(
            Datagram(subscription.channel, data, received_ns, SenderAddress(*source))
        )
        self._wake()

    def _received_ns(self, subscription: _Subscription, stamp_ns: int) -> int:
        """
        Convert the stamp of the kernel [ns, system time] to the clock of the owner.

        Simulated time does not advance while this process is stopped. A stamp is therefore never
        earlier than the previous one of its socket, unless the clock itself was set back.
        """
        now_ns = self._now()
        received_ns = now_ns - max(0, time.time_ns() - stamp_ns)
        received_ns = min(now_ns, max(received_ns, subscription.newest_ns))
        subscription.newest_ns = received_ns
        return received_ns

    def _maintain(self) -> None:
        """Open missing sockets, join missing groups, and record errors."""
        for subscription in self._subscriptions:
            try:
                if subscription.socket is None:
                    subscription.socket = _open(subscription.status.endpoint)
                    self._selector.register(
                        subscription.socket, selectors.EVENT_READ, subscription
                    )
                self._join(subscription)
                subscription.status.error = ''
            except (OSError, SocketError) as error:
                subscription.status.error = f'{subscription.status.endpoint}: {error}'

    def _join(self, subscription: _Subscription) -> None:
        """Join on the wanted interfaces; one that disappeared and came back has a new index."""
        assert subscription.socket is not None  # noqa: S101 (opened by the caller)
        available = dict(socket.if_nameindex())
        wanted = {index for index, name in available.items() if self._interface in ('', name)}
        joined, group = subscription.joined, subscription.status.endpoint.group
        for index in joined - wanted:
            # Leave also if the interface is gone: a socket has at most 20 memberships.
            _change_membership(subscription.socket, socket.IP_DROP_MEMBERSHIP, group, index)
            joined.discard(index)
        for index in wanted - joined:
            if _change_membership(subscription.socket, socket.IP_ADD_MEMBERSHIP, group, index):
                joined.add(index)
        subscription.status.interfaces = tuple(available[index] for index in sorted(joined))
        self._check_joined(joined, sorted(available.values()))

    def _check_joined(self, joined: set[int], available: list[str]) -> None:
        if self._interface and self._interface not in available:
            raise _missing(self._interface)
        if not joined:
            raise SocketError(
                f'no interface could join the group; available: {_listed(available)}'
            )

    def _disconnect(self, subscription: _Subscription, reason: str) -> None:
        if subscription.socket is not None:
            self._selector.unregister(subscription.socket)
            subscription.socket.close()
        subscription.socket, subscription.joined = None, set()
        subscription.status.error, subscription.status.interfaces = reason, ()


class MulticastSender:
    """
    Sends to multicast groups through one interface, which may come, go and come back.

    Parameters
    ----------
    interface : str
        Name of the interface; `lo`: datagrams stay on this machine.
    ttl : int
        Time to live: 0 stays on this machine, 1 in the local network, each router takes 1.

    """

    def __init__(self, interface: str = 'lo', ttl: int = 0) -> None:
        self._interface, self._index = interface, 0
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, ttl)
        self._socket.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 1)

    def send(self, endpoint: Endpoint, data: bytes) -> None:
        """
        Send a datagram to a group.

        Raises
        ------
        SocketError
            The interface does not exist, or the datagram could not be sent.

        """
        try:
            self._select_interface()
            self._socket.sendto(data, endpoint)
        except OSError as error:
            raise SocketError(f'{endpoint}: {error}') from error

    def _select_interface(self) -> None:
        """Select the interface by its index: one that disappeared and came back has a new one."""
        try:
            index = socket.if_nametoindex(self._interface)
        except OSError:
            raise _missing(self._interface) from None
        if index != self._index:
            request = struct.pack('=4s4si', b'', b'', index)
            self._socket.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, request)
            self._index = index

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()


class _Interval:
    """A recurring period of real time."""

    def __init__(self, period: float) -> None:
        self._period = period
        self._end = time.monotonic() + period

    def left(self) -> float:
        return max(0.0, self._end - time.monotonic())

    def over(self) -> bool:
        if self.left() > 0.0:
            return False
        self._end = time.monotonic() + self._period
        return True


def check_endpoint(endpoint: Endpoint) -> None:
    """
    Check that an endpoint has a multicast address and a valid port.

    Raises
    ------
    ConfigurationError
        The address is not multicast, or the port is out of range.

    """
    try:
        is_multicast = ipaddress.IPv4Address(endpoint.group).is_multicast
    except ValueError:
        is_multicast = False
    if not is_multicast:
        raise ConfigurationError(
            f'multicast group is {endpoint.group!r}; it must be from 224.0.0.0 to 239.255.255.255'
        )
    if not 1 <= endpoint.port <= 65535:
        raise ConfigurationError(f'port is {endpoint.port}; it must be from 1 to 65535')


def _open(endpoint: Endpoint) -> socket.socket:
    opened = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, KERNEL_BUFFER_SIZE)
        opened.setsockopt(socket.SOL_SOCKET, SO_RXQ_OVFL, 1)
        opened.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        # Otherwise a socket also receives groups that other processes of this machine have joined.
        opened.setsockopt(socket.IPPROTO_IP, IP_MULTICAST_ALL, 0)
        opened.bind(endpoint)
    except OSError as error:
        opened.close()
        if error.errno == errno.EADDRINUSE:
            raise SocketError('the port is in use by a program that does not share it') from error
        raise
    return opened


def _nanoseconds(timespec: bytes) -> int:
    """Convert a timespec of the kernel."""
    seconds, nanoseconds = _TIMESPEC.unpack(timespec)
    return int(seconds) * NANOSECONDS_PER_SECOND + int(nanoseconds)


def _change_membership(opened: socket.socket, option: int, group: str, index: int) -> bool:
    """Join or leave a group on one interface; return whether it succeeded."""
    request = struct.pack('=4s4si', socket.inet_aton(group), b'', index)
    try:
        opened.setsockopt(socket.IPPROTO_IP, option, request)
    except OSError:
        return False
    return True


def _listed(names: list[str]) -> str:
    return ', '.join(map(repr, names))


def _missing(interface: str) -> SocketError:
    available = sorted(name for _, name in socket.if_nameindex())
    return SocketError(f'interface {interface!r} does not exist; available: {_listed(available)}')

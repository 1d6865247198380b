# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""UDP multicast: a receiver with its own thread, and a sender that uses loopback by default."""

from __future__ import annotations

import errno
import ipaddress
import selectors
import socket
import struct
import sys
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from world_model_core.errors import ConfigurationError, WorldModelError
from world_model_nodes.runtime.kernel_socket import enable_stamps, kernel_drops
from world_model_nodes.runtime.receive_batch import BATCH, ReceiveBatch

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterator, Mapping

    from world_model_core.match.datagram_queues import DatagramQueues
    from world_model_core.match.datagrams import Datagram
    from world_model_core.match.values import Channel

# Kernel buffer of a socket [bytes]; holds several seconds of a match while Python is busy.
KERNEL_BUFFER_SIZE = 1 << 20
RETRY_PERIOD = 1.0
# Longest time until an idle receiver confirms that nothing has arrived [s].
IDLE_PERIOD = 0.01
# Datagrams that the owner takes before its other work has its turn.
TURN = 16
# Time for which Python runs another thread before the receiving thread has its turn [s]. With the
# default, 5 ms, a batch each time would be less than 10,000 datagrams a second.
SWITCH_INTERVAL = 0.0005
# From <linux/in.h>; Python's socket module does not define it.
IP_MULTICAST_ALL = 49


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
    kernel buffer was full, of all sockets that the channel has had.
    """

    endpoint: Endpoint
    error: str = 'not opened yet'
    interfaces: tuple[str, ...] = ()
    kernel_drops: int = 0


@dataclass(slots=True)
class _Subscription:
    """`drops` are those of closed sockets; `read_until_ns` as in MulticastReceiver."""

    channel: Channel
    status: ChannelStatus
    socket: socket.socket | None = None
    joined: set[int] = field(default_factory=set)
    drops: int = 0
    read_until_ns: int = 0

    def count_drops(self) -> int:
        """Return the number of datagrams that the kernel has dropped."""
        return self.drops + (0 if self.socket is None else kernel_drops(self.socket))


class MulticastReceiver:
    """
    Receives several multicast groups on one thread.

    The thread only receives, stamps and queues datagrams. The kernel stamps them, so that the
    stamps do not depend on when this process runs. The thread calls `wake` when datagrams can be
    taken; the owner calls `take` on its own thread. If the port is not free or the interface is
    missing, the receiver retries every second.

    Parameters
    ----------
    endpoints : mapping
        From channel to Endpoint.
    interface : str
        Name of the network interface to join on; empty: all interfaces.
    queues : DatagramQueues
        Decides which datagrams are dropped; used by this receiver only.
    wake : callable
        Called when datagrams can be taken, on the receiving thread or in `take`.

    Attributes
    ----------
    read_until_ns : int
        All datagrams that arrived before this time [ns, system time] have been queued.

    """

    def __init__(
        self,
        endpoints: Mapping[Channel, Endpoint],
        interface: str,
        queues: DatagramQueues,
        wake: Callable[[], object],
    ) -> None:
        for endpoint in endpoints.values():
            check_endpoint(endpoint)
        self._subscriptions = [_Subscription(c, ChannelStatus(e)) for c, e in endpoints.items()]
        self._interface = interface
        self._queues = queues
        self._wake = wake
        self._lock = threading.Lock()  # of the queues and sockets
        self._batch = ReceiveBatch()
        self.read_until_ns = 0
        self._selector = selectors.DefaultSelector()
        self._stopper, waiting = socket.socketpair()
        self._selector.register(waiting, selectors.EVENT_READ)
        self._waiting = waiting
        self._thread = threading.Thread(target=self._run, name='multicast', daemon=True)
        self._maintain()
        sys.setswitchinterval(SWITCH_INTERVAL)  # of the whole process
        self._thread.start()

    @property
    def status(self) -> dict[Channel, ChannelStatus]:
        """The state of each channel."""
        with self._lock:
            for subscription in self._subscriptions:
                subscription.status.kernel_drops = subscription.count_drops()
        return {each.channel: each.status for each in self._subscriptions}

    @property
    def dropped(self) -> Counter[str]:
        """Datagrams that the queues have dropped, by channel and cause."""
        with self._lock:
            return self._queues.counters.copy()

    def take_errors(self) -> tuple[str, ...]:
        """Return the latest invalid datagram of each channel since the last call."""
        with self._lock:
            errors = tuple(self._queues.errors.values())
            self._queues.errors.clear()
        return errors

    @property
    def is_empty(self) -> bool:
        """Whether no datagram waits to be taken."""
        with self._lock:
            return not self._queues

    def take(self) -> Iterator[Datagram]:
        """
        Yield datagrams, stamped in system time, in the order of their reception.

        After one turn the owner is woken again if more wait, so that it is never blocked here.
        """
        for _ in range(TURN):
            with self._lock:
                datagram = self._queues.take(time.time_ns())
            if datagram is None:
                return
            yield datagram
        if not self.is_empty:
            self._wake()

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
            # A socket that is not ready now was empty at this time.
            before_ns = time.time_ns()
            ready = [key.data for key, _ in self._selector.select(min(clock.left(), IDLE_PERIOD))]
            if None in ready:
                return
            for subscription in self._subscriptions:
                if subscription in ready:
                    self._receive(subscription)
                else:
                    subscription.read_until_ns = before_ns
            self.read_until_ns = min(each.read_until_ns for each in self._subscriptions)
            if clock.over():
                self._maintain()

    def _receive(self, subscription: _Subscription) -> None:
        """Receive a batch of what has arrived at a socket; others have their turn after it."""
        assert subscription.socket is not None  # noqa: S101 (only open sockets are registered)
        began_ns = time.time_ns()
        try:
            batch = self._batch.receive(subscription.channel, subscription.socket)
        except OSError as error:
            self._disconnect(subscription, f'{subscription.status.endpoint}: {error}')
            return
        self._add(batch)
        # After less than a whole batch, the socket was empty.
        subscription.read_until_ns = batch[-1].received_ns if len(batch) == BATCH else began_ns

    def _add(self, batch: list[Datagram]) -> None:
        with self._lock:
            was_empty = not self._queues
            for datagram in batch:
                self._queues.add(datagram)
            wakes = was_empty and bool(self._queues)
        if wakes:
            self._wake()

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
            with self._lock:
                subscription.drops = subscription.count_drops()
                subscription.socket.close()
                subscription.socket = None
        subscription.joined = set()
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
        enable_stamps(opened)
        # Otherwise a socket also receives groups that other processes of this machine have joined.
        opened.setsockopt(socket.IPPROTO_IP, IP_MULTICAST_ALL, 0)
        opened.bind(endpoint)
    except OSError as error:
        opened.close()
        if error.errno == errno.EADDRINUSE:
            raise SocketError('the port is in use by a program that does not share it') from error
        raise
    return opened


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

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Several datagrams of a socket by one system call, recvmmsg(2), which Python does not have."""

from __future__ import annotations

import ctypes
import os
import socket
import time
from typing import TYPE_CHECKING, Any

from world_model_core.match.datagrams import Datagram, SenderAddress
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from world_model_core.match.values import Channel

# Most datagrams of one call.
BATCH = 32
# The largest UDP datagram over IPv4 is 65507 bytes long.
_LARGEST = 65536
# The call does not wait for datagrams, so Python's lock is kept: to get it back from a busy thread
# takes up to the switch interval.
_RECVMMSG = ctypes.PyDLL(None, use_errno=True).recvmmsg


class _Buffer(ctypes.Structure):
    """`struct iovec`: where the bytes of a datagram are written."""

    _fields_ = (('start', ctypes.c_void_p), ('size', ctypes.c_size_t))


class _Sender(ctypes.BigEndianStructure):
    """`struct sockaddr_in` of ip(7)."""

    _fields_ = (
        ('family', ctypes.c_uint16),
        ('port', ctypes.c_uint16),
        ('address', ctypes.c_uint8 * 4),
        ('padding', ctypes.c_uint8 * 8),
    )


class _Stamp(ctypes.Structure):
    """`struct cmsghdr` of cmsg(3) with the `struct timespec` of SO_TIMESTAMPNS, socket(7)."""

    _fields_ = (
        ('size', ctypes.c_size_t),
        ('level', ctypes.c_int),
        ('kind', ctypes.c_int),
        ('seconds', ctypes.c_long),
        ('nanoseconds', ctypes.c_long),
    )


class _Header(ctypes.Structure):
    """`struct msghdr` of recvmsg(2)."""

    _fields_ = (
        ('sender', ctypes.c_void_p),
        ('sender_size', ctypes.c_uint32),
        ('buffers', ctypes.c_void_p),
        ('buffer_count', ctypes.c_size_t),
        ('ancillary', ctypes.c_void_p),
        ('ancillary_size', ctypes.c_size_t),
        ('flags', ctypes.c_int),
    )


class _Message(ctypes.Structure):
    """`struct mmsghdr` of recvmmsg(2)."""

    _fields_ = (('header', _Header), ('length', ctypes.c_uint))


class _Arguments(ctypes.Structure):
    """All that the kernel reads and writes, but the bytes of the datagrams."""

    _fields_ = (
        ('messages', _Message * BATCH),
        ('buffers', _Buffer * BATCH),
        ('senders', _Sender * BATCH),
        ('stamps', _Stamp * BATCH),
    )


class ReceiveBatch:
    """
    Buffers for the datagrams of one call, used by one thread.

    A call for each datagram would give up Python's lock each time. While another thread is busy,
    that limits Python to 2,000 datagrams a second at a switch interval of 0.5 ms.
    """

    def __init__(self) -> None:
        self._bytes = bytearray(BATCH * _LARGEST)
        self._memory = bytearray(ctypes.sizeof(_Arguments))
        self._arguments = _Arguments.from_buffer(self._memory)
        start = ctypes.addressof(ctypes.c_char.from_buffer(self._bytes))
        for index in range(BATCH):
            self._prepare(index, start + index * _LARGEST)
        self._prepared = bytes(self._memory)
        whole = memoryview(self._bytes)
        # Each access to an array of ctypes makes an object: make them once.
        self._slots = [
            (
                self._arguments.messages[index],
                self._arguments.senders[index],
                self._arguments.stamps[index],
                whole[index * _LARGEST :][:_LARGEST],
            )
            for index in range(BATCH)
        ]

    def _prepare(self, index: int, start: int) -> None:
        """Connect a message with its buffers."""
        header = self._arguments.messages[index].header
        buffer = self._arguments.buffers[index]
        sender, stamp = self._arguments.senders[index], self._arguments.stamps[index]
        buffer.start, buffer.size = start, _LARGEST
        header.buffers, header.buffer_count = ctypes.addressof(buffer), 1
        header.sender, header.sender_size = ctypes.addressof(sender), ctypes.sizeof(sender)
        header.ancillary, header.ancillary_size = ctypes.addressof(stamp), ctypes.sizeof(stamp)

    def receive(self, channel: Channel, opened: socket.socket) -> list[Datagram]:
        """
        Return the oldest datagrams that wait in a socket, at most BATCH; never wait for any.

        Parameters
        ----------
        channel : Channel
            The channel of the socket.
        opened : socket.socket
            A UDP socket over IPv4 whose datagrams are stamped by the kernel, see `enable_stamps`.

        Raises
        ------
        OSError
            The socket is closed, or has an error. Datagrams before the error are returned first.

        """
        self._memory[:] = self._prepared  # the kernel has overwritten the sizes
        count = _RECVMMSG(
            opened.fileno(), self._arguments.messages, BATCH, socket.MSG_DONTWAIT, None
        )
        if count < 0:
            _check_error(ctypes.get_errno())
        return [
            Datagram(channel, bytes(data[: message.length]), _time_of(stamp), _address_of(sender))
            for message, sender, stamp, data in self._slots[: max(0, count)]
        ]


def _check_error(number: int) -> None:
    """Raise an error of the call, unless it only means that no datagram waits."""
    try:
        raise OSError(number, os.strerror(number))
    except BlockingIOError:
        return


def _time_of(stamp: Any) -> int:
    """Return the time of reception [ns, system time], or else now."""
    return int(stamp.seconds * NANOSECONDS_PER_SECOND + stamp.nanoseconds) or time.time_ns()


def _address_of(sender: Any) -> SenderAddress:
    return SenderAddress(socket.inet_ntoa(sender.address), sender.port)

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What Linux reports about a socket: times of reception and dropped datagrams."""

from __future__ import annotations

import socket
import struct
import time
from typing import TYPE_CHECKING

from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Iterable

# Size of the ancillary data that contain a stamp [bytes].
ANCILLARY_SIZE = socket.CMSG_SPACE(16)
# From <asm-generic/socket.h> and <linux/sock_diag.h>; Python's socket module does not define them.
_SO_TIMESTAMPNS = 35
_SO_MEMINFO = 55
_MEMINFO = struct.Struct('=9I')
_DROPS = 8
_TIMESPEC = struct.Struct('@ll')


def enable_stamps(opened: socket.socket) -> None:
    """Let the kernel stamp each datagram when it arrives."""
    opened.setsockopt(socket.SOL_SOCKET, _SO_TIMESTAMPNS, 1)


def stamp_of(ancillary: Iterable[tuple[int, int, bytes]]) -> int:
    """Return the time of reception [ns, system time] from ancillary data, or else now."""
    for level, kind, value in ancillary:
        if level == socket.SOL_SOCKET and kind == _SO_TIMESTAMPNS:
            seconds, nanoseconds = _TIMESPEC.unpack(value)
            return int(seconds) * NANOSECONDS_PER_SECOND + int(nanoseconds)
    return time.time_ns()


def kernel_drops(opened: socket.socket) -> int:
    """
    Return how many datagrams the kernel has dropped since the socket was opened.

    SO_RXQ_OVFL is no substitute: its count arrives with the next datagram that is received.
    """
    meminfo = opened.getsockopt(socket.SOL_SOCKET, _SO_MEMINFO, _MEMINFO.size)
    return int(_MEMINFO.unpack(meminfo)[_DROPS])

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What Linux reports about a socket: times of reception and dropped datagrams."""

from __future__ import annotations

import socket
import struct

# From <asm-generic/socket.h> and <linux/sock_diag.h>; Python's socket module does not define them.
_SO_TIMESTAMPNS = 35
_SO_MEMINFO = 55
_MEMINFO = struct.Struct('=9I')
_DROPS = 8


def enable_stamps(opened: socket.socket) -> None:
    """Let the kernel stamp each datagram when it arrives."""
    opened.setsockopt(socket.SOL_SOCKET, _SO_TIMESTAMPNS, 1)


def kernel_drops(opened: socket.socket) -> int:
    """
    Return how many datagrams the kernel has dropped since the socket was opened.

    SO_RXQ_OVFL is no substitute: its count arrives with the next datagram that is received.
    """
    meminfo = opened.getsockopt(socket.SOL_SOCKET, _SO_MEMINFO, _MEMINFO.size)
    return int(_MEMINFO.unpack(meminfo)[_DROPS])

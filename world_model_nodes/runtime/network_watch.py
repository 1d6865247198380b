# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Watch of this machine's network addresses, and the restart of a process whose network changed.

DDS reads the addresses when it starts: it does not use one that appears later, and new nodes
cannot reach a node whose address vanished (https://github.com/ros2/rmw/pull/344). A new context
does not help: Fast DDS reads them once per process.
"""

from __future__ import annotations

import array
import contextlib
import fcntl
import os
import socket
import struct
import sys
import time
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from world_model_nodes.runtime.network_change import Address, NetworkChange

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

# Interval in which the addresses are read; reading takes about 0.05 ms [s].
PERIOD = 0.1
# From <linux/sockios.h> and <linux/if.h>.
SIOCGIFCONF, SIOCGIFFLAGS = 0x8912, 0x8913
IFF_LOOPBACK, IFF_RUNNING = 0x8, 0x40
# struct ifreq of 64-bit Linux: name, then family, port and address, or flags.
IFREQ_SIZE, IFREQ_ADDRESS, IFREQ_FLAGS = 40, '16s4x4s16x', '16sh22x'
ADDRESSES_AT_MOST = 256


class NetworkWatch:
    """
    Reads the addresses on a thread of its own, and remembers when they have changed.

    Attributes
    ----------
    change : str
        What has changed since the construction; empty: nothing that must be followed.

    """

    def __init__(self) -> None:
        self.change = ''
        self._decision = NetworkChange(
            read_addresses(), follow_new=reaches_other_machines(os.environ)
        )

    def call_at_change(self, action: Callable[[], None]) -> None:
        """Call `action` on the thread when the addresses have changed; may have happened."""
        Thread(target=self._watch, args=(action,), name='network', daemon=True).start()

    def _watch(self, action: Callable[[], None]) -> None:
        while not self.change:
            time.sleep(PERIOD)
            with contextlib.suppress(OSError):  # too many open files: try again
                self.change = self._decision.update(time.monotonic(), read_addresses())
        action()


def reaches_other_machines(environment: Mapping[str, str]) -> bool:
    """Return whether ROS discovers nodes of other machines, as rcl reads it."""
    ranges = 'LOCALHOST', 'OFF'
    local = environment.get('ROS_AUTOMATIC_DISCOVERY_RANGE') in ranges
    local = local or environment.get('ROS_LOCALHOST_ONLY') == '1'
    return not local or bool(environment.get('ROS_STATIC_PEERS'))


def read_addresses() -> dict[Address, bool]:
    """Return the IPv4 addresses except loopback, each with whether its interface has a carrier."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as opened:
        found = {}
        for name, address in _entries(opened):
            flags = _flags(opened, name)
            if not flags & IFF_LOOPBACK:
                key = Address(name.rstrip(b'\0').decode(), socket.inet_ntoa(address))
                found[key] = bool(flags & IFF_RUNNING)
        return found


def _entries(opened: socket.socket) -> list[tuple[bytes, bytes]]:
    """Return interface and address of each entry of SIOCGIFCONF."""
    buffer = array.array('B', bytes(IFREQ_SIZE * ADDRESSES_AT_MOST))
    place, size = buffer.buffer_info()
    answer = fcntl.ioctl(opened, SIOCGIFCONF, struct.pack('iP', size, place))
    (used,) = struct.unpack_from('i', answer)
    return list(struct.iter_unpack(IFREQ_ADDRESS, buffer[:used]))


def _flags(opened: socket.socket, name: bytes) -> int:
    request = struct.pack(IFREQ_FLAGS, name, 0)
    try:
        return int(struct.unpack(IFREQ_FLAGS, fcntl.ioctl(opened, SIOCGIFFLAGS, request))[1])
    except OSError:  # it has just vanished
        return 0


def restart_process() -> None:
    """
    Replace this process by a new one with the same id, command line, environment and output.

    The sockets of DDS are closed by that, although DDS does not mark them so.
    """
    for number in (int(entry.name) for entry in Path('/proc/self/fd').iterdir()):
        if number > sys.stderr.fileno():
            with contextlib.suppress(OSError):  # the folder's own descriptor is closed already
                os.set_inheritable(number, False)
    os.execv(sys.executable, sys.orig_argv)  # noqa: S606 (our own command line)

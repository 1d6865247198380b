# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Which user of this machine is at the other end of a connection."""

from __future__ import annotations

import os
import struct
from ipaddress import IPv4Address, ip_address
from pathlib import Path


def is_own_user(peer: tuple[str, int], local: tuple[str, int]) -> bool:
    """
    Return whether a connection comes from this user, or root, on this machine.

    Parameters
    ----------
    peer, local : tuple of str and int
        Address and port of both ends of a TCP connection.

    """
    # The end of the peer is listed with its own address first,
    # https://www.kernel.org/doc/html/latest/networking/proc_net_tcp.html
    ends = [_listed(*peer), _listed(*local)]
    name = 'tcp' if len(ends[0]) < 32 else 'tcp6'
    try:
        lines = Path(f'/proc/net/{name}').read_text(encoding='ascii').splitlines()[1:]
    except OSError:
        return False
    owners = [int(words[7]) for line in lines if (words := line.split())[1:3] == ends]
    return bool(owners) and {*owners} <= {0, os.getuid()}


def _listed(address: str, port: int) -> str:
    """Return an end as the kernel lists it: words of 32 bits as this machine stores them."""
    number = ip_address(address)
    if not isinstance(number, IPv4Address) and number.ipv4_mapped is not None:
        number = number.ipv4_mapped
    words = struct.unpack(f'={len(number.packed) // 4}I', number.packed)
    return ''.join(f'{word:08X}' for word in words) + f':{port:04X}'

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The decision when a node must follow a change of its machine's network addresses."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

# Time for which the addresses must not change, so that a change is followed only once [s].
SETTLING_TIME = 2.0
# Networks of containers and virtual machines, which come and go with these.
VIRTUAL = ('br-', 'docker', 'lxcbr', 'lxdbr', 'podman', 'veth', 'virbr')


class Address(NamedTuple):
    """An IPv4 address of an interface."""

    interface: str
    address: str

    def __str__(self) -> str:
        """Format as 10.0.0.5 (eth0)."""
        return f'{self.address} ({self.interface})'


class NetworkChange:
    """
    Compares the addresses of this machine with those at the start, without network and clock.

    An address in use at the start that vanishes always counts. One that appears counts only if
    `follow_new`. Virtual interfaces and interruptions of the carrier do not count: DDS resumes by
    itself.

    Parameters
    ----------
    addresses : mapping
        Addresses at the start; the value is whether the interface has a carrier. Only those with a
        carrier are in use.
    follow_new : bool
        Whether addresses that appear count.

    """

    def __init__(self, addresses: Mapping[Address, bool], *, follow_new: bool) -> None:
        self._used = _usable(addresses)
        self._follow_new = follow_new
        self._last, self._settled = dict(addresses), -math.inf

    def update(self, time: float, addresses: Mapping[Address, bool]) -> str:
        """
        Return what changed since the start if it must be followed now, otherwise an empty text.

        Parameters
        ----------
        time : float
            Monotonic time [s].
        addresses : mapping
            Present addresses, as in the constructor.

        Returns
        -------
        str

        """
        if addresses != self._last:
            self._last, self._settled = dict(addresses), time + SETTLING_TIME
        return self._describe() if time >= self._settled else ''

    def _describe(self) -> str:
        gone = self._used - set(self._last)
        new = _usable(self._last) - self._used if self._follow_new else set()
        return ', '.join(
            [f'{address} vanished' for address in sorted(gone)]
            + [f'{address} appeared' for address in sorted(new)]
        )


def _usable(addresses: Mapping[Address, bool]) -> set[Address]:
    return {
        address
        for address, carrier in addresses.items()
        if carrier and not address.interface.startswith(VIRTUAL)
    }

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Addresses and networks from which datagrams are accepted."""

from __future__ import annotations

from ipaddress import AddressValueError, IPv4Address, IPv4Network

from world_model_core.errors import ConfigurationError

__all__ = ['AllowList']

MASKS = frozenset(map(str, range(33)))
# Number of addresses of which the result is stored: parsing one takes longer than a lookup.
CAPACITY = 256


class AllowList:
    """
    The senders that are allowed.

    Parameters
    ----------
    text : str
        IPv4 addresses and networks, separated by commas: '10.0.0.5, 10.0.1.0/24'; empty for all.
    name : str
        Name of the parameter, for the error message.

    Raises
    ------
    ConfigurationError
        An entry is not an address or a network, or its mask is above 32.

    """

    def __init__(self, text: str, name: str) -> None:
        entries = [entry.strip() for entry in text.split(',')] if text.strip() else []
        self._networks = tuple([_network(entry, name) for entry in entries])
        self._known: dict[str, bool] = {}

    def __bool__(self) -> bool:
        """Return whether there is a list: without one, all senders are allowed."""
        return bool(self._networks)

    def allows(self, address: str) -> bool:
        """Return whether packets from an IPv4 address are accepted."""
        if not self._networks:
            return True
        if address not in self._known:
            if len(self._known) == CAPACITY:
                self._known.clear()
            self._known[address] = self._contains(address)
        return self._known[address]

    def _contains(self, address: str) -> bool:
        try:
            given = IPv4Address(address)
        except AddressValueError:
            return False
        return any(given in network for network in self._networks)


def _network(entry: str, name: str) -> IPv4Network:
    address, slash, mask = entry.partition('/')
    try:
        IPv4Address(address)
    except AddressValueError:
        raise ConfigurationError(
            f'{name} contains {entry!r}; it must be IPv4 addresses or networks, separated by '
            f'commas, such as 10.0.0.5, 10.0.1.0/24'
        ) from None
    if slash and mask not in MASKS:
        raise ConfigurationError(f'{name} contains {entry!r}; the mask must be from 0 to 32')
    return IPv4Network(entry, strict=False)

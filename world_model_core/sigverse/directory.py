# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The name service: which providers there are, and which of them answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from world_model_core.sigverse.connection_packets import ServiceAddress
from world_model_core.sigverse.primitives import SigversePacketError

if TYPE_CHECKING:
    from world_model_core.sigverse.connection_packets import ProvideService

__all__ = ['Lookup', 'ServiceDirectory']

# A provider is asked so often, and in this period [ns], before it counts as dead: as in SIGVerse.
MOST_PINGS = 100
PING_PERIOD_NS = 10_000_000
# Most providers; the ports that one may have.
MOST_PROVIDERS = 64
PORTS = range(1, 65_536)


@dataclass(slots=True)
class _Provider:
    """A provider, how often it was given to somebody, and whether it did not answer last."""

    address: ServiceAddress
    uses: int = 0
    dead: bool = False


class ServiceDirectory:
    """Keeps the providers of services by their names."""

    def __init__(self) -> None:
        self._providers: dict[str, _Provider] = {}

    def register(self, provider: ProvideService, host: str) -> ServiceAddress:
        """
        Add a provider, instead of an earlier one of its name and host.

        Parameters
        ----------
        provider : ProvideService
            The host in it does not count: this service must not be made to connect to any
            address that somebody names.
        host : str
            Where the provider came from.

        Returns
        -------
        ServiceAddress
            Where it is asked.

        Raises
        ------
        SigversePacketError
            Its name is that of a provider on another host, its port is none, it has no service,
            or there are too many providers.

        """
        known = self._providers.get(provider.name)
        if known is not None and known.address.host != host:
            raise SigversePacketError(
                f'provider {provider.name!r} is registered from {known.address.host}'
            )
        if provider.port not in PORTS:
            raise SigversePacketError(
                f'the port of provider {provider.name!r} is {provider.port}; '
                f'it must be {PORTS[0]} to {PORTS[-1]}'
            )
        if not 0 < provider.services <= 0xFFFF:
            raise SigversePacketError(
                f'the services of provider {provider.name!r} are {provider.services}; '
                f'they must be 1 to {0xFFFF}'
            )
        if known is None and len(self._providers) >= MOST_PROVIDERS:
            raise SigversePacketError(f'there are {MOST_PROVIDERS} providers already')
        address = ServiceAddress(provider.name, provider.services, host, provider.port)
        self._providers[provider.name] = _Provider(address)
        return address

    def remove(self, name: str) -> None:
        """Forget a provider, if there is one of this name."""
        self._providers.pop(name, None)

    def look_up(self, services: int) -> Lookup:
        """
        Look for a provider that has all of some services.

        Those that are alive come first, and of these those that were given out least.
        """
        suited = [
            each
            for each in self._providers.values()
            if services and each.address.services & services == services
        ]
        suited.sort(key=lambda each: (each.dead, each.uses, each.address.name))
        return Lookup(suited)


class Lookup:
    """
    Finds a provider that answers: the caller asks those that it names, and tells what it hears.

    Parameters
    ----------
    providers : list of _Provider
        In the order in which they are asked.

    Attributes
    ----------
    found : ServiceAddress, optional
        The provider that has answered.

    """

    def __init__(self, providers: list[_Provider]) -> None:
        self._waiting = providers
        self._pings = 0
        self._next_ns = 0
        self.found: ServiceAddress | None = None

    @property
    def ended(self) -> bool:
        """Whether a provider was found, or all were asked."""
        return self.found is not None or not self._waiting

    @property
    def next_ping_ns(self) -> int | None:
        """When the provider is to be asked again [ns]; None: never."""
        return None if self.ended else self._next_ns

    def ping(self, now_ns: int) -> ServiceAddress | None:
        """Return the provider that is to be asked now; None: nobody is."""
        while not self.ended and now_ns >= self._next_ns:
            if self._pings < MOST_PINGS:
                self._pings += 1
                self._next_ns = now_ns + PING_PERIOD_NS
                return self._waiting[0].address
            self._waiting.pop(0).dead = True
            self._pings = 0
        return None

    def answered(self, address: ServiceAddress) -> None:
        """Take the answer of a provider that it is there; one that is not asked does not count."""
        if not self.ended and self._waiting[0].address == address:
            provider = self._waiting[0]
            provider.dead = False
            provider.uses += 1
            self.found = address

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What a sender of multicast sends, and what became of it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from world_model_nodes.runtime.udp import Endpoint, MulticastSender, SocketError, check_endpoint

if TYPE_CHECKING:
    from collections.abc import Mapping


class DatagramSender:
    """
    Sends datagrams on named channels, and keeps account.

    A datagram that the network does not take is lost, as datagrams are; the next one tries again.

    Parameters
    ----------
    endpoints : mapping
        From the channel's name to its Endpoint.
    interface : str
        Name of the network interface.
    ttl : int
        0 never leaves the machine.

    Attributes
    ----------
    sent, failed : Counter
        Datagrams by channel.

    Raises
    ------
    ConfigurationError
        An endpoint is no multicast group and port, or there is no such interface.

    """

    def __init__(self, endpoints: Mapping[str, Endpoint], interface: str, ttl: int) -> None:
        for endpoint in endpoints.values():
            check_endpoint(endpoint)
        self._endpoints = endpoints
        self._sender = MulticastSender(interface, ttl)
        self._errors: dict[str, str] = {}
        self.sent: Counter[str] = Counter()
        self.failed: Counter[str] = Counter()

    def send(self, channel: str, data: bytes) -> None:
        """Send one datagram."""
        try:
            self._sender.send(self._endpoints[channel], data)
        except SocketError as error:
            self.failed[channel] += 1
            self._errors[channel] = f'{channel}: {error}'
        else:
            self.sent[channel] += 1
            self._errors.pop(channel, None)

    @property
    def errors(self) -> tuple[str, ...]:
        """Why the last datagram of a channel failed, for those where it did."""
        return tuple(self._errors.values())

    @property
    def values(self) -> dict[str, str]:
        """Tell where each channel goes, and how many datagrams were sent and failed."""
        return {
            name: f'{self.sent[name]} sent, {self.failed[name]} failed to {endpoint}'
            for name, endpoint in self._endpoints.items()
        }

    def close(self) -> None:
        """Close the socket."""
        self._sender.close()

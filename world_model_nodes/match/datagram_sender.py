# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Sends datagrams to multicast groups and counts them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from world_model_nodes.runtime.udp import Endpoint, MulticastSender, SocketError, check_endpoint

if TYPE_CHECKING:
    from collections.abc import Mapping


class DatagramSender:
    """
    Sends datagrams on named channels and counts successes and failures.

    A datagram that cannot be sent is lost; the next one is tried again.

    Parameters
    ----------
    endpoints : mapping
        Endpoint by channel name.
    interface : str
        Name of the network interface.
    ttl : int
        Multicast TTL; 0 stays on this machine.

    Attributes
    ----------
    sent, failed : Counter
        Datagrams by channel.

    Raises
    ------
    ConfigurationError
        An endpoint is not a multicast group and port, or the interface does not exist.

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
        """Send one datagram, or count the failure."""
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
        """The error of the last datagram of each channel on which it failed."""
        return tuple(self._errors.values())

    @property
    def values(self) -> dict[str, str]:
        """Endpoint, sent and failed datagrams of each channel, for diagnostics."""
        return {
            name: f'{self.sent[name]} sent, {self.failed[name]} failed to {endpoint}'
            for name, endpoint in self._endpoints.items()
        }

    def close(self) -> None:
        """Close the socket."""
        self._sender.close()

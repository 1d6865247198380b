# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The selection of one tracker among several."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from world_model_core.match.ssl.values import TrackerPacket

__all__ = ['TrackerSelector']


class TrackerSelector:
    """
    Selects one tracker and keeps it until it is silent for longer than a timeout.

    Parameters
    ----------
    wanted : str
        Name or uuid of the only tracker to accept; empty for the first one received.
    timeout_ns : int
        Silence after which another tracker may be selected [ns].

    """

    def __init__(self, wanted: str, timeout_ns: int) -> None:
        self._wanted = wanted
        self._timeout_ns = timeout_ns
        self._received_ns = 0
        self.uuid: str | None = None
        self.name = ''

    def accepts(self, packet: TrackerPacket, received_ns: int) -> bool:
        """
        Return whether a packet is from the selected tracker; select its sender if none is.

        Returns
        -------
        bool
            False for a packet of any other tracker.

        """
        if self._wanted and self._wanted not in (packet.source_name, packet.uuid):
            return False
        if not self.is_active(received_ns):
            self.uuid, self.name = packet.uuid, packet.source_name
        if packet.uuid != self.uuid:
            return False
        self._received_ns = received_ns
        return True

    def is_active(self, now_ns: int) -> bool:
        """Return whether a tracker is selected and was received within the timeout."""
        return self.uuid is not None and now_ns - self._received_ns <= self._timeout_ns

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Which of the trackers on the network is listened to."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from world_model_core.match.ssl.values import TrackerPacket


class TrackerSelector:
    """
    One tracker, kept until it falls silent.

    Parameters
    ----------
    wanted : str
        Name or uuid of the only tracker to listen to; empty for the first one heard.
    timeout_ns : int
        Silence after which the elected tracker loses its office [ns].

    """

    def __init__(self, wanted: str, timeout_ns: int) -> None:
        self._wanted = wanted
        self._timeout_ns = timeout_ns
        self._received_ns = 0
        self.uuid: str | None = None
        self.name = ''

    def accepts(self, packet: TrackerPacket, received_ns: int) -> bool:
        """
        Decide on one packet, electing its sender if the office is free.

        Returns
        -------
        bool
            False for a tracker that is not the elected one.

        """
        if self._wanted and self._wanted not in (packet.source_name, packet.uuid):
            return False
        if not self.alive(received_ns):
            self.uuid, self.name = packet.uuid, packet.source_name
        if packet.uuid != self.uuid:
            return False
        self._received_ns = received_ns
        return True

    def alive(self, now_ns: int) -> bool:
        """Whether a tracker is elected and was heard within the timeout."""
        return self.uuid is not None and now_ns - self._received_ns <= self._timeout_ns

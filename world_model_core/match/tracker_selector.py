# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The selection of one tracker among several."""

from __future__ import annotations

from typing import TYPE_CHECKING

from world_model_core.match.senders.incumbents import TRACKER, Identity

if TYPE_CHECKING:
    from world_model_core.match.datagrams import Datagram
    from world_model_core.match.sender_clock import SenderClock
    from world_model_core.match.senders.sender_filter import SenderFilter
    from world_model_core.match.senders.tracker_agreement import TrackerAgreement
    from world_model_core.match.ssl.tracker_values import TrackerPacket

__all__ = ['TrackerSelector']


class TrackerSelector:
    """
    Selects one tracker and keeps it until it is silent or disagrees with vision.

    Parameters
    ----------
    wanted : str
        Name or uuid of the only tracker to accept; empty for the first one received.
    timeout_ns : int
        Silence after which the tracker counts as lost [ns].
    senders : SenderFilter
        Keeps the office of the tracker.
    agreement : TrackerAgreement or None
        None if the tracker is used in any case.

    Attributes
    ----------
    uuid : str or None
        The selected tracker.
    name : str
        Its source_name.

    """

    def __init__(
        self,
        wanted: str,
        timeout_ns: int,
        senders: SenderFilter,
        agreement: TrackerAgreement | None = None,
    ) -> None:
        self._wanted = wanted
        self._timeout_ns = timeout_ns
        self._senders = senders
        self._agreement = agreement
        self._received_ns = 0
        self.uuid: str | None = None
        self.name = ''

    def reason_to_reject(
        self, packet: TrackerPacket, datagram: Datagram, vision: SenderClock
    ) -> str | None:
        """
        Return why a packet is not used; select its sender if no tracker is selected.

        Parameters
        ----------
        packet : TrackerPacket
        datagram : Datagram
        vision : SenderClock
            The clock of vision.

        """
        if self._wanted and self._wanted not in {packet.source_name, packet.uuid}:
            return 'other tracker'
        identity = Identity(datagram.sender, packet.uuid)
        if self._is_distrusted(identity) and not self._agrees(packet, datagram, vision):
            return 'disagrees with vision'
        reason = self._senders.reason_to_reject_tracker(packet, datagram)
        if reason is not None:
            return reason
        if not self._agrees(packet, datagram, vision):
            self._dismiss()
            return 'disagrees with vision'
        self.uuid, self.name = packet.uuid, packet.source_name
        self._received_ns = datagram.received_ns
        return None

    def is_active(self, now_ns: int) -> bool:
        """Return whether a tracker is selected and was received within the timeout."""
        return self.uuid is not None and now_ns - self._received_ns <= self._timeout_ns

    def _is_distrusted(self, identity: Identity) -> bool:
        return self._agreement is not None and not self._agreement.is_trusted(identity)

    def _agrees(self, packet: TrackerPacket, datagram: Datagram, vision: SenderClock) -> bool:
        return self._agreement is None or self._agreement.check(packet, datagram, vision)

    def _dismiss(self) -> None:
        self._senders.incumbents.vacate(TRACKER)
        self.uuid, self.name = None, ''

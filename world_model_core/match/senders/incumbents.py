# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Incumbent senders: one for each camera, and one for geometry, tracker and referee.

An incumbent keeps its office until it has been silent for the timeout of the office. Packets of
other senders for the same office are not used. Multicast has no authentication, so this protects
against a second sender, not against one that forges the source address of the incumbent.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from world_model_core.match.datagrams import SenderAddress

__all__ = ['Identity', 'Incumbents', 'Office', 'Role']

# The port of an incumbent that was remembered through a restart: a new one is the same sender.
ANY_PORT = 0
# Number of offices; beyond it, the one that has been silent for longest is given up.
MOST_OFFICES = 128


class Identity(NamedTuple):
    """A sender, and how it names itself: uuid of a tracker, source_identifier of a referee."""

    sender: SenderAddress
    name: str = ''

    def is_same(self, other: Identity) -> bool:
        """Return whether both are the same program; a remembered one has any port."""
        (address, port), name = self
        return (
            address == other.sender.address
            and name == other.name
            and port in {other.sender.port, ANY_PORT}
        )


class Role(Enum):
    """What a sender can be the incumbent of."""

    CAMERA = 'camera'
    GEOMETRY = 'geometry'
    CALIBRATION = 'calibration'
    TRACKER = 'tracker'
    REFEREE = 'referee'


# Silence that ends an office [ns]. ssl-vision and trackers send 70 times per second and more,
# game controllers 40 times; the geometry is sent every 1 to 3 s.
SENDER_TIMEOUT_NS = {
    Role.CAMERA: NANOSECONDS_PER_SECOND // 2,
    Role.TRACKER: NANOSECONDS_PER_SECOND // 2,
    Role.REFEREE: 2 * NANOSECONDS_PER_SECOND,
    Role.GEOMETRY: 10 * NANOSECONDS_PER_SECOND,
    Role.CALIBRATION: 10 * NANOSECONDS_PER_SECOND,
}


class Office(NamedTuple):
    """A role, and the id of the camera for its frames and for its calibration."""

    role: Role
    camera_id: int | None = None

    def __str__(self) -> str:
        """Return the words for messages: 'camera 1', 'referee'."""
        return self.role.value if self.camera_id is None else f'{self.role.value} {self.camera_id}'


GEOMETRY, TRACKER, REFEREE = map(Office, (Role.GEOMETRY, Role.TRACKER, Role.REFEREE))


@dataclass(slots=True)
class _Incumbent:
    """An incumbent and its last packet [ns, local]; None since a restart."""

    identity: Identity
    heard_ns: int | None


class Incumbents:
    """
    The incumbent of each office.

    Parameters
    ----------
    known : mapping of Office to Identity
        Those of an earlier process, which come first.

    """

    def __init__(self, known: Mapping[Office, Identity] = MappingProxyType({})) -> None:
        self._held = {office: _Incumbent(each, None) for office, each in known.items()}

    def restart(self) -> None:
        """
        Remember all incumbents through a jump in time or a new start.

        Each has the timeout of its office, from the first packet on, to be heard again.
        """
        for office, held in self._held.items():
            sender = held.identity.sender._replace(port=ANY_PORT)
            self._held[office] = _Incumbent(held.identity._replace(sender=sender), None)

    def holder(self, office: Office, now_ns: int) -> Identity | None:
        """Return the incumbent of an office; None if there is none or it is silent."""
        held = self._held.get(office)
        if held is None:
            return None
        if held.heard_ns is None:
            held.heard_ns = now_ns
        timeout_ns = SENDER_TIMEOUT_NS[office.role]
        return held.identity if now_ns - held.heard_ns <= timeout_ns else None

    def last(self, office: Office) -> Identity | None:
        """Return the last incumbent of an office, also if it is silent."""
        held = self._held.get(office)
        return None if held is None else held.identity

    def accepts(self, office: Office, identity: Identity, now_ns: int) -> bool:
        """Return whether a sender is the incumbent, which it becomes if there is none."""
        holder = self.holder(office, now_ns)
        if holder is not None and not holder.is_same(identity):
            return False
        self._make_room(office)
        self._held[office] = _Incumbent(identity, now_ns)
        return True

    def vacate(self, office: Office) -> None:
        """End the office of an incumbent."""
        self._held.pop(office, None)

    def cameras(self, now_ns: int) -> Iterator[Identity]:
        """Yield the incumbents of all cameras that are not silent."""
        for office in self._held:
            holder = self.holder(office, now_ns) if office.role is Role.CAMERA else None
            if holder is not None:
                yield holder

    def __iter__(self) -> Iterator[tuple[Office, Identity]]:
        """Yield all offices with their last incumbents."""
        return ((office, held.identity) for office, held in self._held.items())

    def _make_room(self, office: Office) -> None:
        if office not in self._held and len(self._held) == MOST_OFFICES:
            self._held.pop(min(self._held, key=lambda each: self._held[each].heard_ns or 0))

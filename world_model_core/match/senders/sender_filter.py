# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Decides by the sender which packets are used."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from world_model_core.match.senders.allow_list import AllowList
from world_model_core.match.senders.camera_trials import CameraTrials
from world_model_core.match.senders.challengers import Challengers
from world_model_core.match.senders.incumbents import (
    GEOMETRY,
    REFEREE,
    TRACKER,
    Identity,
    Incumbents,
    Office,
    Role,
)
from world_model_core.match.ssl.duplicate_filter import DuplicateFilter
from world_model_core.match.ssl.vision_values import VisionPacket
from world_model_core.match.values import Channel

if TYPE_CHECKING:
    from collections import Counter

    from world_model_core.match.datagrams import Datagram
    from world_model_core.match.senders.allowed_senders import AllowedSenders
    from world_model_core.match.ssl.geometry_values import Geometry
    from world_model_core.match.ssl.referee_values import Referee
    from world_model_core.match.ssl.tracker_values import TrackerPacket
    from world_model_core.match.ssl.vision_values import DetectionFrame
    from world_model_core.match.vision_tracking import VisionTracking

__all__ = ['SenderFilter']

# Longest name of a sender that is shown in a warning; it may be of any length.
LONGEST_NAME = 40


class SenderFilter:
    """
    Uses packets of allowed senders and incumbents, and names the others.

    Parameters
    ----------
    parameters : AllowedSenders
    counters : Counter of str
        Counts the parts of vision packets that are not used.
    incumbents : Incumbents
        Those of an earlier match come first.

    Raises
    ------
    ConfigurationError
        An allow-list has an entry that is not an address or network.

    """

    def __init__(
        self, parameters: AllowedSenders, counters: Counter[str], incumbents: Incumbents
    ) -> None:
        self._counters = counters
        self._allowed = {
            name: AllowList(getattr(parameters, name), f'{name}_senders')
            for name in ('vision', 'tracker', 'referee')
        }
        self.incumbents = incumbents
        self.restart()

    def restart(self) -> None:
        """Restart after a jump in time: the last incumbents come first."""
        self.incumbents.restart()
        self._duplicates = {channel: DuplicateFilter() for channel in Channel}
        self._challengers = Challengers()
        self._trials = CameraTrials()

    def allows(self, datagram: Datagram) -> bool:
        """Return whether the allow-list of the channel contains the sender."""
        return self._allowed[datagram.channel.value].allows(datagram.sender.address)

    def is_duplicate(self, datagram: Datagram) -> bool:
        """Return whether a datagram has been used before, as one that took another path."""
        duplicate = self._duplicates[datagram.channel].is_duplicate(datagram.data)
        if duplicate:
            self._challengers.copy(datagram.sender)
        return duplicate

    def warnings(self, now_ns: int) -> tuple[str, ...]:
        """Name the senders that are ignored."""
        return self._challengers.warnings(now_ns)

    def filter_vision(
        self,
        packet: VisionPacket,
        datagram: Datagram,
        vision: VisionTracking,
        known: Geometry | None,
    ) -> VisionPacket:
        """
        Return the parts of a packet that are used.

        Parameters
        ----------
        packet : VisionPacket
        datagram : Datagram
        vision : VisionTracking
            What the incumbents measure, to be compared with a new camera.
        known : Geometry or None
            The geometry so far.

        """
        frame, geometry = packet.detection, packet.geometry
        if frame is not None and not self._uses_camera(frame, datagram, vision):
            frame = None
        if geometry is not None:
            geometry = self._own_part(geometry, datagram, known)
        return VisionPacket(frame, geometry)

    def reason_to_reject_tracker(self, packet: TrackerPacket, datagram: Datagram) -> str | None:
        """Return why a tracker is not used: another one is, or another sender of the same."""
        identity = Identity(datagram.sender, packet.uuid)
        holder = self.incumbents.holder(TRACKER, datagram.received_ns)
        if holder is not None and holder.name != packet.uuid:
            return 'other tracker'
        label = f'tracker {packet.source_name[:LONGEST_NAME]!r}'
        return None if self._uses(TRACKER, identity, datagram, label) else 'other sender'

    def uses_referee(self, packet: Referee, datagram: Datagram) -> bool:
        """Return whether a referee packet is of the incumbent."""
        identity = Identity(datagram.sender, packet.source_identifier)
        return self._uses(REFEREE, identity, datagram, 'the referee')

    def _uses_camera(
        self, frame: DetectionFrame, datagram: Datagram, vision: VisionTracking
    ) -> bool:
        office = Office(Role.CAMERA, frame.camera_id)
        if self.incumbents.holder(office, datagram.received_ns) is None and not (
            self._may_join(datagram) or self._trials.passes(frame, datagram, vision)
        ):
            self._counters['vision.camera on trial'] += 1
            self._reject(
                office,
                datagram,
                f'{office} is sent by {self._name(datagram)}, which sends no other camera; it is '
                f'ignored until it agrees with the others or is listed in vision_senders',
            )
            return False
        if self._uses(office, Identity(datagram.sender), datagram, str(office)):
            return True
        self._counters['vision.other sender'] += 1
        return False

    def _may_join(self, datagram: Datagram) -> bool:
        """Return whether a sender may begin with a camera without a trial."""
        if self._allowed['vision']:
            return True
        identity = Identity(datagram.sender)
        active = tuple(self.incumbents.cameras(datagram.received_ns))
        return not active or any(each.is_same(identity) for each in active)

    def _name(self, datagram: Datagram) -> str:
        """Name a sender by its address, and by its port if others have the same address."""
        active = self.incumbents.cameras(datagram.received_ns)
        addresses = {each.sender.address for each in active}
        address = datagram.sender.address
        return str(datagram.sender) if address in addresses else address

    def _own_part(
        self, geometry: Geometry, datagram: Datagram, known: Geometry | None
    ) -> Geometry | None:
        """
        Return the part of a geometry that its sender defines.

        The incumbent defines the field, the ball models, and the cameras that do not have their
        calibration from the sender of their frames.
        """
        leads = self.incumbents.accepts(GEOMETRY, Identity(datagram.sender), datagram.received_ns)
        cameras = tuple(
            camera
            for camera in geometry.cameras
            if self._may_calibrate(camera.camera_id, datagram, leads)
        )
        if leads:
            return replace(geometry, cameras=cameras)
        if known is None or not _is_compatible(geometry, known):
            self._counters['vision.other geometry'] += 1
            self._uses(GEOMETRY, Identity(datagram.sender), datagram, 'geometry')
        return replace(known, cameras=cameras) if known is not None and cameras else None

    def _may_calibrate(self, camera_id: int, datagram: Datagram, leads: bool) -> bool:
        """Return whether a sender calibrates a camera: its own, or one that nobody calibrates."""
        now_ns, office = datagram.received_ns, Office(Role.CALIBRATION, camera_id)
        holder = self.incumbents.holder(Office(Role.CAMERA, camera_id), now_ns)
        if holder is not None and holder.sender.address == datagram.sender.address:
            self.incumbents.vacate(office)
        elif not leads:
            return False
        return self.incumbents.accepts(office, Identity(datagram.sender), now_ns)

    def _uses(self, office: Office, identity: Identity, datagram: Datagram, label: str) -> bool:
        """Return whether a sender is the incumbent of an office; otherwise name it."""
        now_ns = datagram.received_ns
        if self.incumbents.accepts(office, identity, now_ns):
            self._challengers.use(datagram.data)
            return True
        holder = self.incumbents.holder(office, now_ns)
        if holder is not None:
            first, second = _names(holder, identity)
            self._reject(
                office, datagram, f'{label} is sent by {first} and {second}; {second} is ignored'
            )
        return False

    def _reject(self, office: Office, datagram: Datagram, warning: str) -> None:
        """Store a datagram that is not used: the incumbent may still send the same."""
        self._duplicates[datagram.channel].forget(datagram.data)
        self._challengers.reject(office, datagram, warning)


def _is_compatible(geometry: Geometry, known: Geometry) -> bool:
    """Return whether two geometries have the same field, and no different ball models."""
    return (
        geometry.field == known.field
        and geometry.straight in {None, known.straight}
        and geometry.chip in {None, known.chip}
    )


def _names(holder: Identity, other: Identity) -> tuple[str, str]:
    """Name two identities by address, and by port and name if these alone differ."""
    if holder.sender.address != other.sender.address:
        return holder.sender.address, other.sender.address
    if holder.name == other.name:
        return str(holder.sender), str(other.sender)
    first, second = (f'{each.sender} as {each.name[:LONGEST_NAME]!r}' for each in (holder, other))
    return first, second

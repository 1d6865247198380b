# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What can go wrong, by whose fault it is."""

from __future__ import annotations

__all__ = [
    'ConfigurationError',
    'ImplausibleValueError',
    'LegacyPacketError',
    'MalformedPacketError',
    'PacketError',
    'RecordingError',
    'WorldModelError',
]


class WorldModelError(Exception):
    """
    Base of every error that this project raises on purpose.

    The message names the field, the value found and the limit it broke.
    """


class ConfigurationError(WorldModelError):
    """A parameter has a value that no run could use: ours or the operator's fault."""


class PacketError(WorldModelError):
    """A datagram cannot be used: the sender's fault."""


class MalformedPacketError(PacketError):
    """The bytes are not the message they should be, or a required field is missing."""


class ImplausibleValueError(PacketError):
    """A field decodes, but no camera, robot or referee could have meant its value."""


class LegacyPacketError(PacketError):
    """The packet has the layout of ssl-vision before 2014, sent on its own port then."""


class RecordingError(WorldModelError):
    """A recording cannot be read or written: the file's fault."""

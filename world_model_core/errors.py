# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Exceptions of the package, grouped by their cause: configuration, packet or recording."""

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
    Base class of all errors that the package raises on purpose.

    The message names the field, the value and the limit that it violates.
    """


class ConfigurationError(WorldModelError):
    """A parameter or option has an invalid value."""


class PacketError(WorldModelError):
    """A datagram is invalid; the fault is the sender's."""


class MalformedPacketError(PacketError):
    """The bytes are not a valid message, or a required field is missing."""


class ImplausibleValueError(PacketError):
    """A field can be decoded, but its value is physically impossible."""


class LegacyPacketError(PacketError):
    """The packet has the layout that ssl-vision used before 2014, on another port."""


class RecordingError(WorldModelError):
    """A recording cannot be read or written."""

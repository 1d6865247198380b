# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The datagrams of a recording to replay, with their channels."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from world_model_core.errors import RecordingError
from world_model_core.match.ssl.recording import MessageKind, RecordingReader

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

__all__ = ['PlayedDatagram', 'RecordingPlayback']

# Legacy vision, VISION_2010, uses another port, which nothing here receives.
CHANNELS: Mapping[int, str] = {
    MessageKind.VISION_2014: 'vision',
    MessageKind.VISION_TRACKER_2020: 'tracker',
    MessageKind.REFBOX_2013: 'referee',
}


class PlayedDatagram(NamedTuple):
    """A datagram and its channel: vision, tracker or referee."""

    channel: str
    data: bytes


class RecordingPlayback:
    """
    A recording to replay; each iteration reads the file lazily from its start.

    Parameters
    ----------
    path : Path or str
        The recording.

    Attributes
    ----------
    skipped : Counter
        Messages without a channel, legacy vision for example, by the name of their kind.
    truncated : bool
        Whether the end of the file is missing; all messages before were read.
    damage : str
        Why reading the file failed; empty if it did not.

    """

    def __init__(self, path: Path | str) -> None:
        self._reader = RecordingReader(path)
        self.skipped: Counter[str] = Counter()
        self.truncated = False
        self.damage = ''

    def __iter__(self) -> Iterator[tuple[int, PlayedDatagram]]:
        """Yield receive times [ns] and datagrams, up to any damage of the file."""
        try:
            for message in self._reader:
                channel = CHANNELS.get(message.kind)
                if channel:
                    yield message.received_ns, PlayedDatagram(channel, message.data)
                else:
                    self.skipped[_name(message.kind)] += 1
        except RecordingError as error:
            self.damage = str(error)
        self.truncated |= self._reader.truncated


def _name(kind: int) -> str:
    """Return the name of a kind of message."""
    return kind.name if isinstance(kind, MessageKind) else f'kind {kind}'

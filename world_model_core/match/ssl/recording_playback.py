# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What of a recording is sent again, and on which channel."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from world_model_core.errors import RecordingError
from world_model_core.match.ssl.recording import MessageKind, RecordingReader

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

__all__ = ['PlayedDatagram', 'RecordingPlayback']

# Legacy vision, VISION_2010, has a port of its own, where nothing of ours listens.
CHANNELS: Mapping[int, str] = {
    MessageKind.VISION_2014: 'vision',
    MessageKind.VISION_TRACKER_2020: 'tracker',
    MessageKind.REFBOX_2013: 'referee',
}


class PlayedDatagram(NamedTuple):
    """A datagram and the channel that it is for: vision, tracker or referee."""

    channel: str
    data: bytes


class RecordingPlayback:
    """
    A recording to be sent again; each iteration reads the file anew, as far as it is asked for.

    Parameters
    ----------
    path : Path or str
        The recording.

    Attributes
    ----------
    skipped : Counter
        Messages of no channel, legacy vision above all, by the name of their kind.
    truncated : bool
        Whether the file was found cut off at its end; all messages before were read.
    damage : str
        Why the file could not be read on, or at all; empty if it could.

    """

    def __init__(self, path: Path | str) -> None:
        self._reader = RecordingReader(path)
        self.skipped: Counter[str] = Counter()
        self.truncated = False
        self.damage = ''

    def __iter__(self) -> Iterator[tuple[int, PlayedDatagram]]:
        """Yield receive times [ns] and datagrams; a damaged file ends where the damage is."""
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
    """Name a kind, known or not."""
    return kind.name if isinstance(kind, MessageKind) else f'kind {kind}'

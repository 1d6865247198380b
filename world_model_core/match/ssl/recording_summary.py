# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Summarizes a recording: message counts, rates, cameras, trackers, teams and clocks."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from world_model_core.errors import PacketError
from world_model_core.match.ssl.duplicate_filter import DuplicateFilter
from world_model_core.match.ssl.recording import Message, MessageKind
from world_model_core.match.ssl.referee_packets import decode_referee
from world_model_core.match.ssl.tracker_packets import decode_tracker
from world_model_core.match.ssl.vision_packets import decode_vision
from world_model_core.time import to_seconds

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class RecordingSummary:
    """
    The result of `summarize`; `dataclasses.asdict` converts it for JSON.

    `start_ns` [ns, the recorder's clock] is None without messages; `duration` [s]. `counts`,
    `rates` [1/s] and `duplicates` (included in both) are by kind of message, `undecodable` by
    kind and cause. `trackers` maps uuids to names, `teams` colors to names. `clock_offsets` [s]
    is the median of receive time minus sender time of each sender.
    """

    start_ns: int | None
    duration: float
    counts: dict[str, int]
    rates: dict[str, float]
    duplicates: dict[str, int]
    undecodable: dict[str, int]
    cameras: tuple[int, ...]
    trackers: dict[str, str]
    teams: dict[str, str]
    clock_offsets: dict[str, float]


def summarize(messages: Iterable[Message]) -> RecordingSummary:
    """
    Summarize messages, each read once.

    Parameters
    ----------
    messages : iterable of Message
        A RecordingReader for example.

    Returns
    -------
    RecordingSummary
        Datagrams that cannot be decoded are counted.

    """
    tally = _Tally()
    for message in messages:
        tally.add(message)
    return tally.summary()


class _Tally:
    """Counts messages one by one."""

    def __init__(self) -> None:
        self._times: list[int] = []
        self._counts: Counter[str] = Counter()
        self._duplicates: Counter[str] = Counter()
        self._undecodable: Counter[str] = Counter()
        self._recent: defaultdict[str, DuplicateFilter] = defaultdict(DuplicateFilter)
        self._cameras: set[int] = set()
        self._trackers: dict[str, str] = {}
        self._teams: dict[str, str] = {}
        self._offsets: defaultdict[str, list[int]] = defaultdict(list)

    def add(self, message: Message) -> None:
        """Count one message."""
        name = message.kind.name if isinstance(message.kind, MessageKind) else str(message.kind)
        self._times.append(message.received_ns)
        self._counts[name] += 1
        self._duplicates[name] += self._recent[name].is_duplicate(message.data)
        try:
            self._decode(message)
        except PacketError as error:
            self._undecodable[f'{name}: {type(error).__name__}'] += 1

    def _decode(self, message: Message) -> None:
        """Decode a message of a known kind."""
        if message.kind in (MessageKind.VISION_2010, MessageKind.VISION_2014):
            self._add_vision(message)
        elif message.kind == MessageKind.VISION_TRACKER_2020:
            self._add_tracker(message)
        elif message.kind == MessageKind.REFBOX_2013:
            self._add_referee(message)

    def _add_vision(self, message: Message) -> None:
        """Count a vision packet."""
        frame = decode_vision(message.data).detection
        if frame is not None:
            self._cameras.add(frame.camera_id)
            self._add_stamp(message, 'vision', frame.sent_ns)

    def _add_tracker(self, message: Message) -> None:
        """Count a tracker packet."""
        packet = decode_tracker(message.data)
        self._trackers[packet.uuid] = packet.source_name
        if packet.frame is not None:
            source = f'tracker {packet.source_name or packet.uuid}'
            self._add_stamp(message, source, packet.frame.stamp_ns)

    def _add_referee(self, message: Message) -> None:
        """Count a referee packet."""
        packet = decode_referee(message.data)
        self._teams = {'yellow': packet.yellow.name, 'blue': packet.blue.name}
        self._add_stamp(message, 'referee', packet.sent_ns)

    def _add_stamp(self, message: Message, source: str, stamp_ns: int) -> None:
        """Add the offset between the recorder's and a sender's clock."""
        self._offsets[source].append(message.received_ns - stamp_ns)

    def summary(self) -> RecordingSummary:
        """Return the summary of all messages so far."""
        duration = to_seconds(max(self._times) - min(self._times)) if self._times else 0.0
        counts = dict(sorted(self._counts.items()))
        return RecordingSummary(
            start_ns=min(self._times, default=None),
            duration=duration,
            counts=counts,
            rates={name: count / duration for name, count in counts.items() if duration},
            duplicates=dict(sorted(self._duplicates.items())),
            undecodable=dict(sorted(self._undecodable.items())),
            cameras=tuple(sorted(self._cameras)),
            trackers=dict(sorted(self._trackers.items())),
            teams=self._teams,
            clock_offsets={
                source: to_seconds(median(offsets)) for source, offsets in self._offsets.items()
            },
        )

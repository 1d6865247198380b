# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Trackers whose packets were recorded, in the clock of the vision of their match."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.errors import PacketError, RecordingError
from world_model_core.match.ssl.recording import MessageKind
from world_model_core.match.ssl.tracker_packets import decode_tracker
from world_model_core.match.ssl.vision_packets import decode_vision

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from world_model_core.match.ball.detection_chains import Stamps
    from world_model_core.match.ssl.recording import Message
    from world_model_core.match.ssl.tracker_values import TrackedFrame, TrackerPacket

# Largest offset of a tracker that uses vision's clock [ns].
SAME_CLOCK_NS = 100_000_000


@dataclass(frozen=True, slots=True)
class RecordedTracker:
    """
    A tracker: `uuid`, `name` (the uuid without one), and one of its `frames` for each stamp.

    The frames are in order of time, in vision's clock [ns].
    """

    uuid: str
    name: str
    frames: tuple[TrackedFrame, ...]

    def is_copy_of(self, other: RecordedTracker) -> bool:
        """Return whether most frames are those of another recording of the same tracker."""
        own, theirs = self._contents(), other._contents()
        return self.uuid == other.uuid and 2 * len(own & theirs) > len(own)

    def _contents(self) -> set[object]:
        """Return what does not depend on the recorder's clock."""
        return {(frame.frame_number, frame.balls, frame.robots) for frame in self.frames}


class TrackerPackets:
    """Collects the packets of trackers by uuid, with their receive times."""

    def __init__(self) -> None:
        self._frames: dict[str, list[tuple[int, TrackedFrame]]] = {}
        self._names: dict[str, str] = {}

    def add(self, received_ns: int, packet: TrackerPacket) -> None:
        """Add a packet and its receive time [ns]."""
        if packet.frame is not None:
            self._frames.setdefault(packet.uuid, []).append((received_ns, packet.frame))
            self._names[packet.uuid] = packet.source_name or packet.uuid

    @property
    def received_ns(self) -> Stamps:
        """The receive times of all packets [ns]."""
        times = [received_ns for own in self._frames.values() for received_ns, _ in own]
        return np.array(times, dtype=np.int64)

    def trackers(self, frames: Stamps) -> tuple[RecordedTracker, ...]:
        """
        Return all trackers, that with most packets first.

        Parameters
        ----------
        frames : array of int64, shape (n, 3)
            Capture, sending and receive time of the frames of vision [ns], received by the same
            recorder; without frames, trackers are assumed to use vision's clock.

        """
        uuids = sorted(self._frames, key=lambda uuid: -len(self._frames[uuid]))
        return tuple(
            RecordedTracker(uuid, self._names[uuid], _in_vision_time(self._frames[uuid], frames))
            for uuid in uuids
        )


def read_trackers(messages: Iterable[Message], recording: Stamps) -> tuple[RecordedTracker, ...]:
    """
    Read the trackers of another file, which received the same match.

    The vision in that file shows how its trackers' clocks differ from vision's clock. Without
    vision, the recording shows it if both files were recorded at the same time; otherwise the
    trackers must use vision's clock.

    Parameters
    ----------
    messages : iterable of Message
        Messages that do not decode are skipped.
    recording : array of int64, shape (n, 3)
        Capture, sending and receive time of the frames of the recording [ns].

    Raises
    ------
    RecordingError
        If there is no tracker packet, or it is not of the recorded match.

    """
    packets, times = TrackerPackets(), []
    for message in messages:
        with suppress(PacketError):
            if message.kind is MessageKind.VISION_TRACKER_2020:
                packets.add(message.received_ns, decode_tracker(message.data))
            elif message.kind is MessageKind.VISION_2014:
                times += _frame_times(message)
    frames = np.array(times, dtype=np.int64).reshape(-1, 3)
    if not len(packets.received_ns):
        raise RecordingError('it contains no tracker packet')
    if len(frames) and not np.isin(frames[:, 0], recording[:, 0]).any():
        raise RecordingError('none of its vision frames is in the recording')
    if not len(frames) and _overlap(packets.received_ns, recording[:, 2]):
        frames = recording
    trackers = packets.trackers(frames)
    for tracker in trackers:
        _check_match(tracker, recording[:, 0])
    return trackers


def _frame_times(message: Message) -> list[tuple[int, int, int]]:
    """Return capture, sending and receive time of the frame in a message [ns], if it has one."""
    frame = decode_vision(message.data).detection
    return [] if frame is None else [(frame.capture_ns, frame.sent_ns, message.received_ns)]


def _check_match(tracker: RecordedTracker, captured_ns: Stamps) -> None:
    """Reject a tracker without a frame during the recording."""
    stamps = np.array([frame.stamp_ns for frame in tracker.frames])
    if not _overlap(stamps, captured_ns):
        raise RecordingError(
            f'tracker {tracker.name}: its times, {stamps[0] / 1e9:.3f} to {stamps[-1] / 1e9:.3f} '
            f's, are not those of the recording, {captured_ns.min() / 1e9:.3f} to '
            f'{captured_ns.max() / 1e9:.3f} s; record vision in the same file'
        )


def _overlap(one: Stamps, other: Stamps) -> bool:
    return bool(one.min() <= other.max() and other.min() <= one.max())


def _in_vision_time(
    tracked: Sequence[tuple[int, TrackedFrame]], frames: Stamps
) -> tuple[TrackedFrame, ...]:
    """Keep one frame for each stamp, converted to vision's clock if the tracker uses another."""
    shift = _shift(tracked, frames) if len(frames) else 0
    kept: dict[int, TrackedFrame] = {}
    for _, frame in tracked:
        stamp_ns = frame.stamp_ns + shift
        kept.setdefault(stamp_ns, replace(frame, stamp_ns=stamp_ns))
    return tuple(kept[stamp_ns] for stamp_ns in sorted(kept))


def _shift(tracked: Sequence[tuple[int, TrackedFrame]], frames: Stamps) -> int:
    """Return the offset of vision's clock to a tracker's [ns], 0 if it uses vision's clock."""
    own = np.median([received_ns - frame.stamp_ns for received_ns, frame in tracked])
    shift = int(own - np.median(frames[:, 2] - frames[:, 1]))
    return 0 if abs(shift) < SAME_CLOCK_NS else shift

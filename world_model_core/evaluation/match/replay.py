# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What a match says of the ball while a recording is played to it, and what vision really saw."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.errors import ConfigurationError, PacketError
from world_model_core.match.ball.contact_segmentation import Sights
from world_model_core.match.ball.estimate import BallSource
from world_model_core.match.ball.parameters import BallParameters
from world_model_core.match.ball.predictor import BallPredictor
from world_model_core.match.match import Match
from world_model_core.match.ssl.duplicate_filter import DuplicateFilter
from world_model_core.match.ssl.recording import MessageKind
from world_model_core.match.ssl.tracker_packets import decode_tracker
from world_model_core.match.ssl.vision_packets import decode_vision
from world_model_core.match.values import Channel, MatchParameters, SourceMode
from world_model_core.match.vision_filters import VisionFilters
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Iterable

    from world_model_core.gaussian import Array
    from world_model_core.match.ball.detection_chains import Stamps
    from world_model_core.match.ball.estimate import BallState, Kick
    from world_model_core.match.ball.predictor import Prediction
    from world_model_core.match.ssl.recording import Message
    from world_model_core.match.ssl.values import DetectionFrame, Geometry, TrackedFrame
    from world_model_core.match.values import MatchChanges

# A tracker that stamps its frames by vision's clock is this near to it [ns].
SAME_CLOCK_NS = 100_000_000


class Estimate(NamedTuple):
    """
    What was said of the ball when a frame of vision had come.

    `told_ns` is the capture time of that frame, `state.stamp_ns` the instant that is told of,
    both of vision's clock.
    """

    told_ns: int
    state: BallState
    source: BallSource
    prediction: Prediction


class ToldKick(NamedTuple):
    """A kick, or a better estimate of it, with the capture time of the frame that showed it."""

    told_ns: int
    kick: Kick


class Surprise(NamedTuple):
    """A sight's normalised innovation squared, 2 degrees of freedom, and its capture time [ns]."""

    stamp_ns: int
    nis: float


class Delays(NamedTuple):
    """Of each frame [s]: `sending` after the capture, `arrival` after the recorder's quickest."""

    sending: Array
    arrival: Array


@dataclass(frozen=True, slots=True, eq=False)
class History:
    """
    A recording as vision saw it and as we and its own tracker told it, in vision's clock [ns].

    Parameters
    ----------
    sights : Sights
        All balls that vision showed.
    frames_ns : array of int64
        Capture times of all frames, with a ball or without.
    estimates, kicks
        Ours, in the order in which they were told.
    tracked : tuple of TrackedFrame
        The recording's own tracker's, one a stamp; empty where it has none.
    tracker_name : str
        Empty where it has none.
    parameters : BallParameters
        The ball's constants: those that vision sent last.
    geometry : Geometry or None
    delays : Delays
    surprises : tuple of Surprise
        Of the sights that the filter took for the ball's.

    """

    sights: Sights
    frames_ns: Stamps
    estimates: tuple[Estimate, ...]
    kicks: tuple[ToldKick, ...]
    tracked: tuple[TrackedFrame, ...]
    tracker_name: str
    parameters: BallParameters
    geometry: Geometry | None
    delays: Delays
    surprises: tuple[Surprise, ...]


def play(messages: Iterable[Message]) -> History:
    """
    Play a recording to a match that listens to vision, not to the tracker.

    Parameters
    ----------
    messages : iterable of Message
        Those that do not decode are passed over, as by a receiver.

    """
    player = _Player()
    for message in messages:
        player.take(message)
    return player.history()


class _Player:
    """Collects while the messages go by."""

    def __init__(self) -> None:
        self._match = Match(MatchParameters(mode=SourceMode.VISION))
        self._predictor = BallPredictor(BallParameters())
        # A match keeps its innovations to itself: the same filters once more tell them.
        self._filters = VisionFilters(MatchParameters())
        self._surprises: list[Surprise] = []
        self._source = BallSource.NONE
        self._geometry: Geometry | None = None
        self._duplicates = DuplicateFilter()
        self._frames: list[tuple[int, int, int]] = []
        self._sights: list[tuple[int, int, float, float]] = []
        self._estimates: list[Estimate] = []
        self._kicks: list[ToldKick] = []
        self._tracked: dict[str, list[tuple[int, TrackedFrame]]] = {}
        self._names: dict[str, str] = {}

    def take(self, message: Message) -> None:
        """Take one message in."""
        if message.kind is MessageKind.REFBOX_2013:
            self._match.receive(Channel.REFEREE, message.data, message.received_ns)
            return
        if self._duplicates.seen(message.data):
            return
        try:
            if message.kind is MessageKind.VISION_2014:
                self._take_vision(message)
            elif message.kind is MessageKind.VISION_TRACKER_2020:
                self._take_tracked(message)
        except PacketError:
            return

    def _take_vision(self, message: Message) -> None:
        changes = self._match.receive(Channel.VISION, message.data, message.received_ns)
        packet = decode_vision(message.data)
        frame = packet.detection
        if changes.geometry is not None:
            self._take_geometry(changes.geometry)
        if frame is None:
            return
        self._take_surprise(frame)
        self._frames.append((frame.capture_ns, frame.sent_ns, message.received_ns))
        self._sights.extend((frame.capture_ns, frame.camera_id, b.x, b.y) for b in frame.balls)
        self._take_changes(frame, changes)

    def _take_geometry(self, geometry: Geometry) -> None:
        """Predict by the constants on the wire, as a client does."""
        self._geometry = geometry
        self._filters.learn(geometry)
        with suppress(ConfigurationError):
            parameters = BallParameters().with_models(geometry.straight, geometry.chip)
            if parameters != self._predictor.parameters:
                self._predictor.replace_parameters(parameters)

    def _take_surprise(self, frame: DetectionFrame) -> None:
        _, seen = self._filters.update(frame)
        if seen is not None and seen.nis is not None:
            self._surprises.append(Surprise(frame.capture_ns, seen.nis))

    def _take_changes(self, frame: DetectionFrame, changes: MatchChanges) -> None:
        """Note what the frame made us say, its instants in vision's clock."""
        clock = self._match.clocks[Channel.VISION]
        self._source = changes.source or self._source
        if changes.kick is not None:
            stamp_ns = clock.to_sender(changes.kick.stamp_ns)
            kick = replace(changes.kick, stamp_ns=stamp_ns)
            self._predictor.observe_kick(kick)
            self._kicks.append(ToldKick(frame.capture_ns, kick))
        if changes.ball is not None:
            state = replace(changes.ball, stamp_ns=clock.to_sender(changes.ball.stamp_ns))
            prediction = self._predictor.predict(state)
            self._estimates.append(Estimate(frame.capture_ns, state, self._source, prediction))

    def _take_tracked(self, message: Message) -> None:
        packet = decode_tracker(message.data)
        if packet.frame is not None:
            frames = self._tracked.setdefault(packet.uuid, [])
            frames.append((message.received_ns, packet.frame))
            self._names[packet.uuid] = packet.source_name or packet.uuid

    def history(self) -> History:
        """Put everything in order of time."""
        self._sights.sort(key=lambda sight: sight[0])
        rows = np.array([sight[2:] for sight in self._sights], dtype=float).reshape(-1, 2)
        stamps = np.array([sight[0] for sight in self._sights], dtype=np.int64)
        cameras = np.array([sight[1] for sight in self._sights], dtype=np.intp)
        frames = np.array(self._frames, dtype=np.int64).reshape(-1, 3)
        uuid = max(self._tracked, key=lambda name: len(self._tracked[name]), default='')
        return History(
            sights=Sights(stamps, rows, cameras),
            frames_ns=np.sort(frames[:, 0]),
            estimates=tuple(self._estimates),
            kicks=tuple(self._kicks),
            tracked=_in_vision_time(self._tracked.get(uuid, []), frames),
            tracker_name=self._names.get(uuid, ''),
            parameters=self._predictor.parameters,
            geometry=self._geometry,
            delays=_delays(frames),
            surprises=tuple(sorted(self._surprises)),
        )


def _in_vision_time(
    tracked: list[tuple[int, TrackedFrame]],
    frames: Stamps,
) -> tuple[TrackedFrame, ...]:
    """Keep a frame a stamp, by vision's clock even if the tracker has one of its own."""
    if not tracked or not len(frames):
        return ()
    own = np.median([received_ns - frame.stamp_ns for received_ns, frame in tracked])
    shift = int(own - np.median(frames[:, 2] - frames[:, 1]))
    shift = 0 if abs(shift) < SAME_CLOCK_NS else shift
    kept: dict[int, TrackedFrame] = {}
    for _, frame in tracked:
        stamp_ns = frame.stamp_ns + shift
        kept.setdefault(stamp_ns, replace(frame, stamp_ns=stamp_ns))
    return tuple(kept[stamp_ns] for stamp_ns in sorted(kept))


def _delays(frames: Stamps) -> Delays:
    """Compare each frame's times; the recorder's clock need not be vision's."""
    sending, arrival = (np.diff(frames, axis=1) / NANOSECONDS_PER_SECOND).T
    return Delays(sending, arrival - arrival.min(initial=np.inf))

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Replay of a recording: published balls and kicks, and raw detections."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.errors import ConfigurationError, PacketError
from world_model_core.evaluation.match.recorded_trackers import TrackerPackets
from world_model_core.match.ball.ball_constants import BallParameters
from world_model_core.match.ball.contact_segmentation import BallDetections
from world_model_core.match.ball.estimate import BallSource
from world_model_core.match.ball.predictor import BallPredictor
from world_model_core.match.datagrams import Datagram
from world_model_core.match.match import Match
from world_model_core.match.ssl.duplicate_filter import DuplicateFilter
from world_model_core.match.ssl.recording import MessageKind
from world_model_core.match.ssl.tracker_packets import decode_tracker
from world_model_core.match.ssl.vision_packets import decode_vision
from world_model_core.match.values import Channel, MatchParameters, SourceMode
from world_model_core.match.vision_tracking import VisionTracking
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Iterable

    from world_model_core.evaluation.match.recorded_trackers import RecordedTracker
    from world_model_core.gaussian import Array
    from world_model_core.match.ball.detection_chains import Stamps
    from world_model_core.match.ball.estimate import BallState, Kick
    from world_model_core.match.ball.predictor import Prediction
    from world_model_core.match.ssl.geometry_values import Geometry
    from world_model_core.match.ssl.recording import Message
    from world_model_core.match.ssl.vision_values import DetectionFrame
    from world_model_core.match.values import MatchChanges


class PublishedBall(NamedTuple):
    """
    Ball estimate published after a frame of vision.

    `frame_ns` is the capture time of that frame and `state.stamp_ns` the time of the estimate,
    both of vision's clock.
    """

    frame_ns: int
    state: BallState
    source: BallSource
    prediction: Prediction


class PublishedKick(NamedTuple):
    """Estimate of a kick, with the capture time of the frame that led to it."""

    frame_ns: int
    kick: Kick


class Innovation(NamedTuple):
    """Squared normalized innovation of a measurement, 2 degrees of freedom, and its time [ns]."""

    stamp_ns: int
    nis: float


class Delays(NamedTuple):
    """Delays of each frame [s]: `sending` after capture, `arrival` beyond the fastest packet."""

    sending: Array
    arrival: Array


@dataclass(frozen=True, slots=True, eq=False)
class ReplayedMatch:
    """
    Detections, our estimates and the recorded trackers, in vision's clock [ns].

    Parameters
    ----------
    detections : BallDetections
        All detected balls.
    frames : array of int64, shape (n, 3)
        Capture, sending and receive time of all frames, with or without a ball; the receive time
        is of the recorder's clock.
    estimates, kicks
        Our estimates, in the order of publication.
    trackers : tuple of RecordedTracker
        The recording's own trackers, that with most packets first.
    parameters : BallParameters
        Latest constants of the ball received from vision.
    geometry : Geometry or None
    delays : Delays
    innovations : tuple of Innovation
        Innovations of the measurements used by the filter.

    """

    detections: BallDetections
    frames: Stamps
    estimates: tuple[PublishedBall, ...]
    kicks: tuple[PublishedKick, ...]
    trackers: tuple[RecordedTracker, ...]
    parameters: BallParameters
    geometry: Geometry | None
    delays: Delays
    innovations: tuple[Innovation, ...]

    @property
    def frames_ns(self) -> Stamps:
        """The capture times of all frames [ns], increasing."""
        return np.sort(self.frames[:, 0])


def replay(messages: Iterable[Message]) -> ReplayedMatch:
    """
    Replay a recording to a Match in vision mode.

    Parameters
    ----------
    messages : iterable of Message
        Messages that do not decode are skipped.

    """
    player = _Player()
    for message in messages:
        player.take(message)
    return player.replayed()


class _Player:
    """Replays messages and collects the results."""

    def __init__(self) -> None:
        self._match = Match(MatchParameters(mode=SourceMode.VISION))
        self._predictor = BallPredictor(BallParameters())
        # Match does not expose innovations: run the same filters in parallel.
        self._filters = VisionTracking(MatchParameters())
        self._innovations: list[Innovation] = []
        self._source = BallSource.NONE
        self._geometry: Geometry | None = None
        self._duplicates = DuplicateFilter()
        self._frames: list[tuple[int, int, int]] = []
        self._detections: list[tuple[int, int, float, float]] = []
        self._estimates: list[PublishedBall] = []
        self._kicks: list[PublishedKick] = []
        self._trackers = TrackerPackets()

    def take(self, message: Message) -> None:
        """Process a message."""
        if message.kind is MessageKind.REFBOX_2013:
            self._match.receive(Datagram(Channel.REFEREE, message.data, message.received_ns))
            return
        if self._duplicates.is_duplicate(message.data):
            return
        try:
            if message.kind is MessageKind.VISION_2014:
                self._take_vision(message)
            elif message.kind is MessageKind.VISION_TRACKER_2020:
                self._trackers.add(message.received_ns, decode_tracker(message.data))
        except PacketError:
            return

    def _take_vision(self, message: Message) -> None:
        changes = self._match.receive(Datagram(Channel.VISION, message.data, message.received_ns))
        packet = decode_vision(message.data)
        frame = packet.detection
        if changes.geometry is not None:
            self._take_geometry(changes.geometry)
        if frame is None:
            return
        self._take_innovation(frame)
        self._frames.append((frame.capture_ns, frame.sent_ns, message.received_ns))
        self._detections.extend((frame.capture_ns, frame.camera_id, b.x, b.y) for b in frame.balls)
        self._take_changes(frame, changes)

    def _take_geometry(self, geometry: Geometry) -> None:
        """Use the received constants, as a client does."""
        self._geometry = geometry
        self._filters.update_geometry(geometry)
        self._predictor.enclose(geometry.field)
        with suppress(ConfigurationError):
            parameters = BallParameters().with_models(geometry.straight, geometry.chip)
            if parameters != self._predictor.parameters:
                self._predictor.replace_parameters(parameters)

    def _take_innovation(self, frame: DetectionFrame) -> None:
        _, seen = self._filters.update(frame)
        if seen is not None and seen.nis is not None:
            self._innovations.append(Innovation(frame.capture_ns, seen.nis))

    def _take_changes(self, frame: DetectionFrame, changes: MatchChanges) -> None:
        """Store the published ball and kick, converted to vision's clock."""
        clock = self._match.clocks[Channel.VISION]
        self._source = changes.source or self._source
        if changes.kick is not None:
            stamp_ns = clock.to_sender(changes.kick.stamp_ns)
            kick = replace(changes.kick, stamp_ns=stamp_ns)
            self._predictor.observe_kick(kick)
            self._kicks.append(PublishedKick(frame.capture_ns, kick))
        if changes.ball is not None:
            state = replace(changes.ball, stamp_ns=clock.to_sender(changes.ball.stamp_ns))
            prediction = self._predictor.predict(state)
            self._estimates.append(
                PublishedBall(frame.capture_ns, state, self._source, prediction)
            )

    def replayed(self) -> ReplayedMatch:
        """Return all results in order of time."""
        self._detections.sort(key=lambda detection: detection[0])
        rows = np.array([detection[2:] for detection in self._detections], dtype=float).reshape(
            -1, 2
        )
        stamps = np.array([detection[0] for detection in self._detections], dtype=np.int64)
        cameras = np.array([detection[1] for detection in self._detections], dtype=np.intp)
        frames = np.array(self._frames, dtype=np.int64).reshape(-1, 3)
        return ReplayedMatch(
            detections=BallDetections(stamps, rows, cameras),
            frames=frames,
            estimates=tuple(self._estimates),
            kicks=tuple(self._kicks),
            trackers=self._trackers.trackers(frames),
            parameters=self._predictor.parameters,
            geometry=self._geometry,
            delays=_delays(frames),
            innovations=tuple(sorted(self._innovations)),
        )


def _delays(frames: Stamps) -> Delays:
    """Return the delays of each frame; the recorder's clock may differ from vision's."""
    sending, arrival = (np.diff(frames, axis=1) / NANOSECONDS_PER_SECOND).T
    return Delays(sending, arrival - arrival.min(initial=np.inf))

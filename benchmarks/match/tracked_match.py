# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A simulated match tracked from raw vision, with its ground truth."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from benchmarks.match.constant_velocity import ConstantVelocity
from benchmarks.match.recording import EPOCH_NS
from world_model_core.match.ball.occlusion import hidden_by
from world_model_core.match.datagrams import Datagram
from world_model_core.match.match import Match
from world_model_core.match.ssl.referee_packets import encode_referee
from world_model_core.match.ssl.referee_values import Referee
from world_model_core.match.ssl.vision_packets import encode_vision
from world_model_core.match.values import Channel, MatchParameters, SourceMode
from world_model_core.simulation.match.match import SslMatch
from world_model_core.simulation.match.random_streams import RandomStream, random_stream
from world_model_core.simulation.match.simulated_play import SimulatedPlay
from world_model_core.time import to_nanoseconds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.match.ball.estimate import BallSource, BallState, Kick
    from world_model_core.match.robots.robot_table import Robots
    from world_model_core.match.ssl.vision_values import DetectionFrame
    from world_model_core.match.values import MatchChanges
    from world_model_core.simulation.match.ground_truth import MatchTruth
    from world_model_core.simulation.match.overhead_camera import OverheadCamera
    from world_model_core.simulation.match.parameters import SslMatchParameters
    from world_model_core.simulation.match.vision_broadcast import SentPacket

# A detection within this of the projected ball is of the ball [m].
SHOWN = 0.2
# Robots change little between frames: one frame of this many is evaluated.
THINNING = 10


class PublishedState(NamedTuple):
    """
    Messages published for one frame; all times in [ns] since the start of the match.

    `stamp_ns` is the time of the published ball, and `ball.stamp_ns` the same by the system's
    clock; `plain` is the baseline's (x, y, vx, vy) [m, m/s] at that time; `robots` is None in
    most frames; `late_ns` is the delay of the frame's stamp after its exposure.
    """

    stamp_ns: int
    source: BallSource
    ball: BallState | None
    plain: np.ndarray
    robots: Robots | None
    late_ns: int


class PublishedKick(NamedTuple):
    """
    An estimate of a kick: when it was published and for which instant [ns since the match began].

    `frames` is how many pictures of each camera had shown the ball by then.
    """

    frame_ns: int
    stamp_ns: int
    kick: Kick


class Moment(NamedTuple):
    """Published state, ground truth, and whether robots hid the ball from all cameras."""

    published: PublishedState
    truth: MatchTruth
    hidden: bool


class TrackedMatch(NamedTuple):
    """
    A match that is over.

    `moments` and `kicks` (estimates) as they were published; `shown` by camera the instants of the
    pictures that showed the ball [ns since the match began]; `end_ns` when it was over.
    """

    moments: list[Moment]
    kicks: list[PublishedKick]
    shown: dict[int, list[int]]
    end_ns: int


def track_match(parameters: SslMatchParameters, duration_ns: int) -> TrackedMatch:
    """Simulate a match, track it from its packets, and collect the ground truth."""
    simulated, listener = SslMatch(parameters, EPOCH_NS), _Listener(parameters)
    for sent in takewhile(lambda each: each.sent_ns < duration_ns, simulated.packets()):
        listener.receive(sent, simulated.vision.cameras)
    # The same match again: the play does not depend on the observers.
    play = SimulatedPlay(parameters, random_stream(parameters.seed, RandomStream.PLAYERS))
    moments = []
    for published in sorted(listener.published, key=lambda published: published.stamp_ns):
        truth = play.advance(max(published.stamp_ns, 0))
        moments.append(Moment(published, truth, _hidden(truth, simulated.vision.cameras)))
    return TrackedMatch(moments, listener.kicks, listener.shown, duration_ns)


class _Listener:
    """Receive the packets and collect the published states."""

    def __init__(self, parameters: SslMatchParameters) -> None:
        self._match = Match(MatchParameters(mode=SourceMode.VISION))
        self._plain = ConstantVelocity()
        self._clock_ns = to_nanoseconds(parameters.clock_offset)
        self.published: list[PublishedState] = []
        self.kicks: list[PublishedKick] = []
        self.shown: dict[int, list[int]] = {}

    def receive(self, sent: SentPacket, cameras: Sequence[OverheadCamera]) -> None:
        """Process a packet."""
        received_ns = EPOCH_NS + sent.sent_ns
        if isinstance(sent.packet, Referee):
            self._match.receive(
                Datagram(Channel.REFEREE, encode_referee(sent.packet), received_ns)
            )
            return
        changes = self._match.receive(
            Datagram(Channel.VISION, encode_vision(sent.packet), received_ns)
        )
        frame = sent.packet.detection
        if frame is not None and sent.truth is not None:
            self._note_frame(frame, sent.truth, cameras)
            capture_ns = frame.capture_ns - EPOCH_NS - self._clock_ns
            self._note_published(changes, sent.sent_ns, capture_ns - sent.truth.stamp_ns)

    def _note_frame(
        self, frame: DetectionFrame, truth: MatchTruth, cameras: Sequence[OverheadCamera]
    ) -> None:
        """Update the baseline with a frame, and store whether it shows the ball."""
        balls = np.array([(ball.x, ball.y) for ball in frame.balls]).reshape(-1, 2)
        self._plain.update(frame.capture_ns - EPOCH_NS - self._clock_ns, balls)
        camera = next(each for each in cameras if each.camera_id == frame.camera_id)
        off = balls - camera.project_to_ground(truth.position)
        if (np.hypot(*off.T) < SHOWN).any():
            self.shown.setdefault(frame.camera_id, []).append(truth.stamp_ns)

    def _note_published(self, changes: MatchChanges, now_ns: int, late_ns: int) -> None:
        """Store the published state, with times corrected by the network delay."""
        if changes.kick is not None:
            stamp_ns = self._since_begin(changes.kick.stamp_ns)
            self.kicks.append(PublishedKick(now_ns, stamp_ns, changes.kick))
        if changes.robots is not None:
            stamp_ns = self._since_begin(changes.robots.stamp_ns)
            thinned = None if len(self.published) % THINNING else changes.robots
            plain = self._plain.at(stamp_ns)
            self.published.append(
                PublishedState(stamp_ns, self._match.source, changes.ball, plain, thinned, late_ns)
            )

    def _since_begin(self, local_ns: int) -> int:
        """Convert a local time to vision's clock."""
        sender_ns = self._match.clocks[Channel.VISION].to_sender(local_ns)
        return sender_ns - EPOCH_NS - self._clock_ns


def _hidden(truth: MatchTruth, cameras: Sequence[OverheadCamera]) -> bool:
    """Return whether robots hide the ball from all cameras."""
    ball, robots = np.array(truth.position), np.array([each.position for each in truth.robots])
    looking = [np.array(each.position) for each in cameras if each.covers(truth.position)]
    return not looking or hidden_by(ball, robots, looking) is not None

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A simulated match as it was told, from vision alone, beside what truly was."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from benchmarks.match.constant_velocity import ConstantVelocity
from benchmarks.match.recording import EPOCH_NS
from world_model_core.match.ball.occlusion import hidden_by
from world_model_core.match.match import Match
from world_model_core.match.ssl.referee_packets import encode_referee
from world_model_core.match.ssl.values import Referee
from world_model_core.match.ssl.vision_packets import encode_vision
from world_model_core.match.values import Channel, MatchParameters, SourceMode
from world_model_core.simulation.match.match import SslMatch
from world_model_core.simulation.match.random_streams import RandomStream, random_stream
from world_model_core.simulation.match.simulated_play import SimulatedPlay
from world_model_core.time import to_nanoseconds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.match.ball.estimate import BallSource, BallState, Kick
    from world_model_core.match.robots.estimate import Robots
    from world_model_core.match.ssl.values import DetectionFrame
    from world_model_core.match.values import MatchChanges
    from world_model_core.simulation.match.ground_truth import MatchTruth
    from world_model_core.simulation.match.overhead_camera import OverheadCamera
    from world_model_core.simulation.match.parameters import SslMatchParameters
    from world_model_core.simulation.match.vision_broadcast import SentPacket

# A detection this near to where a camera would show the ball is of it, calibrations aside [m].
SHOWN = 0.2
# What robots do changes little from picture to picture: of so many, one is looked at.
THINNING = 10


class Told(NamedTuple):
    """
    What was told on one picture, all times [ns] since the match began.

    `stamp_ns` is the instant that the ball is told for, `ball.stamp_ns` that on the system's
    clock; `plain` the baseline's (x, y, vx, vy) [m, m/s] for it; `robots` now and then.
    """

    stamp_ns: int
    source: BallSource
    ball: BallState | None
    plain: np.ndarray
    robots: Robots | None


class PublishedKick(NamedTuple):
    """
    An estimate of a kick: when it was told and for which instant [ns since the match began].

    `frames` is how many pictures of each camera had shown the ball by then.
    """

    frame_ns: int
    stamp_ns: int
    kick: Kick


class Moment(NamedTuple):
    """What was told, what truly was, and whether robots hid the ball from all cameras."""

    told: Told
    truth: MatchTruth
    hidden: bool


class TrackedMatch(NamedTuple):
    """
    A match that is over.

    `moments` and `kicks` (estimates) as they were told; `shown` by camera the instants of the
    pictures that showed the ball [ns since the match began]; `end_ns` when it was over.
    """

    moments: list[Moment]
    kicks: list[PublishedKick]
    shown: dict[int, list[int]]
    end_ns: int


def track_match(parameters: SslMatchParameters, duration_ns: int) -> TrackedMatch:
    """Simulate a match, track it from its packets, and look up the truth at the told instants."""
    simulated, listener = SslMatch(parameters, EPOCH_NS), _Listener(parameters)
    for sent in takewhile(lambda each: each.sent_ns < duration_ns, simulated.packets()):
        listener.hear(sent, simulated.vision.cameras)
    # The same match again: what is played does not depend on who watches.
    play = SimulatedPlay(parameters, random_stream(parameters.seed, RandomStream.PLAYERS))
    moments = []
    for told in sorted(listener.told, key=lambda told: told.stamp_ns):
        truth = play.advance(max(told.stamp_ns, 0))
        moments.append(Moment(told, truth, _hidden(truth, simulated.vision.cameras)))
    return TrackedMatch(moments, listener.kicks, listener.shown, duration_ns)


class _Listener:
    """Hears the packets, and notes what is told of them."""

    def __init__(self, parameters: SslMatchParameters) -> None:
        self._match = Match(MatchParameters(mode=SourceMode.VISION))
        self._plain = ConstantVelocity()
        self._clock_ns = to_nanoseconds(parameters.clock_offset)
        self.told: list[Told] = []
        self.kicks: list[PublishedKick] = []
        self.shown: dict[int, list[int]] = {}

    def hear(self, sent: SentPacket, cameras: Sequence[OverheadCamera]) -> None:
        """Take a packet in."""
        received_ns = EPOCH_NS + sent.sent_ns
        if isinstance(sent.packet, Referee):
            self._match.receive(Channel.REFEREE, encode_referee(sent.packet), received_ns)
            return
        changes = self._match.receive(Channel.VISION, encode_vision(sent.packet), received_ns)
        frame = sent.packet.detection
        if frame is not None and sent.truth is not None:
            self._note_picture(frame, sent.truth, cameras)
            self._note_told(changes, sent.sent_ns)

    def _note_picture(
        self, frame: DetectionFrame, truth: MatchTruth, cameras: Sequence[OverheadCamera]
    ) -> None:
        """Show the picture to the baseline, and note whether the ball is in it."""
        balls = np.array([(ball.x, ball.y) for ball in frame.balls]).reshape(-1, 2)
        self._plain.update(frame.capture_ns - EPOCH_NS - self._clock_ns, balls)
        camera = next(each for each in cameras if each.camera_id == frame.camera_id)
        off = balls - camera.shadow(truth.position)
        if (np.hypot(*off.T) < SHOWN).any():
            self.shown.setdefault(frame.camera_id, []).append(truth.stamp_ns)

    def _note_told(self, changes: MatchChanges, now_ns: int) -> None:
        """Note what was told, its instants without what the way through the network takes."""
        if changes.kick is not None:
            stamp_ns = self._since_begin(changes.kick.stamp_ns)
            self.kicks.append(PublishedKick(now_ns, stamp_ns, changes.kick))
        if changes.robots is not None:
            stamp_ns = self._since_begin(changes.robots.stamp_ns)
            thinned = None if len(self.told) % THINNING else changes.robots
            plain = self._plain.at(stamp_ns)
            self.told.append(Told(stamp_ns, self._match.source, changes.ball, plain, thinned))

    def _since_begin(self, local_ns: int) -> int:
        """Find the instant in vision's clock, of which the system's is late by the network."""
        sender_ns = self._match.clocks[Channel.VISION].to_sender(local_ns)
        return sender_ns - EPOCH_NS - self._clock_ns


def _hidden(truth: MatchTruth, cameras: Sequence[OverheadCamera]) -> bool:
    """Tell whether no camera that looks there can see the ball."""
    ball, robots = np.array(truth.position), np.array([each.position for each in truth.robots])
    looking = [np.array(each.position) for each in cameras if each.sees(truth.position)]
    return not looking or hidden_by(ball, robots, looking) is not None

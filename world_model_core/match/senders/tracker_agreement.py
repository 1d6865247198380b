# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Comparison of the ball of a tracker with the balls that cameras measure.

A tracker whose ball is not at any measured ball for half a second is not used, until it has agreed
for ten seconds. Compared is the ball as the camera shows it: a flying ball is projected onto the
carpet. Nothing is compared while no camera measures the ball, or while a robot hides the ball of
the tracker from the camera.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.gaussian import chi_square_gate, mahalanobis_squared
from world_model_core.match.ball.occlusion import hidden_by
from world_model_core.match.cameras.projection import project_to_carpet
from world_model_core.match.sender_clock import SenderClock, tracker_clock
from world_model_core.match.senders.agreement_time import AgreementTime
from world_model_core.match.senders.bounded_table import make_room
from world_model_core.match.senders.incumbents import Identity
from world_model_core.match.tracker_frame_conversion import BALL_STD
from world_model_core.time import NANOSECONDS_PER_SECOND, to_seconds

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.match.ball.tracker import BallUpdate
    from world_model_core.match.datagrams import Datagram
    from world_model_core.match.ssl.tracker_values import TrackedBall, TrackedFrame, TrackerPacket
    from world_model_core.match.ssl.vision_values import DetectionFrame
    from world_model_core.match.vision_tracking import VisionTracking

__all__ = ['TrackerAgreement', 'VisibleBalls']

# Times of disagreement and of agreement after which a tracker loses and regains trust [ns].
LOSS_NS, REGAIN_NS = NANOSECONDS_PER_SECOND // 2, 10 * NANOSECONDS_PER_SECOND
# Trackers that are stored; an attacker may use any number.
CAPACITY = 16
# Silence after which a distrusted tracker is no longer named [ns].
SILENCE_NS = 2 * NANOSECONDS_PER_SECOND
# Frames of cameras that are stored, and largest time between one and the tracker's state [ns].
MOST_FRAMES, COMPARABLE_NS = 16, NANOSECONDS_PER_SECOND // 40
# Least time between two comparisons [ns]: more of them would say no more.
COMPARISON_NS = NANOSECONDS_PER_SECOND // 50
# Standard deviations: of the bias of a camera [m], and of the time of a tracker's state [s], whose
# own delay is not known.
CAMERA_STD, TIMING_STD = 0.02, 0.02
# Longest name of a tracker that is shown in a warning; it may be of any length.
LONGEST_NAME = 40
GATE = chi_square_gate(2, 0.9999)


class VisibleBalls(NamedTuple):
    """
    The balls that one frame shows while vision measures the match ball.

    Parameters
    ----------
    camera : tuple of float, or None
        Position (x, y, z) [m]; None if not calibrated, or if the frame has the balls' own
        positions.
    places : array, shape (n, 2)
        Positions on the carpet [m].
    speed : float
        Speed of the match ball [m/s].
    robots : array, shape (m, 2)
        Centers of the robots [m].

    """

    camera: tuple[float, float, float] | None
    places: Array
    speed: float
    robots: Array

    @classmethod
    def of(cls, frame: DetectionFrame, update: BallUpdate, vision: VisionTracking) -> VisibleBalls:
        """Return the balls of a frame that vision has processed."""
        projected = all(ball.z is None for ball in frame.balls)
        table = vision.robots.table
        known = abs(table.stamp_ns - frame.capture_ns) < NANOSECONDS_PER_SECOND
        return cls(
            vision.cameras.get(frame.camera_id) if projected else None,
            np.array([(ball.x, ball.y) for ball in frame.balls]),
            float(np.linalg.norm(update.state.velocity)),
            table.mean[known, :2, 0],
        )

    def agrees(self, ball: TrackedBall, elapsed: float) -> bool | None:
        """
        Return whether a ball of a tracker is one of these; None if this cannot be known.

        Parameters
        ----------
        ball : TrackedBall
        elapsed : float
            Time between the frame and the tracker's state [s].

        """
        position, variances = np.array(ball.position), np.diag(np.square(BALL_STD[:3]))
        shown, slope = position[:2], np.eye(2, 3)
        if self.camera is not None:
            shown, slope = project_to_carpet(position, self.camera)
        elif position[2] > BALL_STD[2]:
            return None
        along = self.speed * (TIMING_STD + abs(elapsed))
        covariance = slope @ variances @ slope.T + (CAMERA_STD**2 + along**2) * np.eye(2)
        offsets = self.places - shown
        if (mahalanobis_squared(offsets, covariance) <= GATE).any():
            return True
        cameras = () if self.camera is None else (np.array(self.camera),)
        return None if hidden_by(position, self.robots, cameras) is not None else False


class _Record:
    """What is known of one tracker."""

    def __init__(self) -> None:
        self.clock = SenderClock()
        self.time = AgreementTime()
        self.trusted = True
        self.name = ''
        self.heard_ns = 0

    def observe(self, agrees: bool | None, now_ns: int) -> None:
        """Add a comparison, and decide whether the tracker is trusted."""
        self.heard_ns = now_ns
        self.time.observe(agrees, now_ns)
        if self.time.disagreed_ns >= LOSS_NS:
            self.trusted = False
            self.time = AgreementTime()
        elif self.time.agreed_ns >= REGAIN_NS:
            self.trusted = True


class TrackerAgreement:
    """The agreement of trackers with vision, and the trackers that are not trusted."""

    def __init__(self) -> None:
        self._frames: deque[tuple[DetectionFrame, BallUpdate, VisionTracking]] = deque(
            maxlen=MOST_FRAMES
        )
        self._records: dict[Identity, _Record] = {}

    def observe(self, frame: DetectionFrame, update: BallUpdate, vision: VisionTracking) -> None:
        """Store a frame with the match ball, if trackers are compared."""
        if self._records:
            self._frames.append((frame, update, vision))

    def is_trusted(self, identity: Identity) -> bool:
        """Return whether a tracker has not lost the trust."""
        record = self._records.get(identity)
        return record is None or record.trusted

    def check(self, packet: TrackerPacket, datagram: Datagram, vision: SenderClock) -> bool:
        """
        Compare a packet with vision; return whether its tracker is trusted.

        Parameters
        ----------
        packet : TrackerPacket
        datagram : Datagram
        vision : SenderClock
            The clock of vision.

        """
        record = self._record(Identity(datagram.sender, packet.uuid))
        record.name = packet.source_name[:LONGEST_NAME]
        frame, received_ns = packet.frame, datagram.received_ns
        if frame is None or not record.clock.observe(frame.stamp_ns, received_ns):
            return record.trusted
        if received_ns - record.heard_ns >= COMPARISON_NS:
            clock = tracker_clock(record.clock, vision)
            stamp_ns = vision.to_sender(clock.to_local(frame.stamp_ns))
            record.observe(self._compare(frame, stamp_ns), received_ns)
        return record.trusted

    def _record(self, identity: Identity) -> _Record:
        make_room(self._records, identity, CAPACITY)
        return self._records.setdefault(identity, _Record())

    def _compare(self, frame: TrackedFrame, stamp_ns: int) -> bool | None:
        """Compare the primary ball with the nearest vision frame; times by vision's clock [ns]."""
        if not self._frames or not frame.balls or frame.balls[0].visibility == 0.0:
            return None
        nearest = min(self._frames, key=lambda each: abs(each[0].capture_ns - stamp_ns))
        elapsed_ns = abs(nearest[0].capture_ns - stamp_ns)
        if elapsed_ns > COMPARABLE_NS:
            return None
        return VisibleBalls.of(*nearest).agrees(frame.balls[0], to_seconds(elapsed_ns))

    def warnings(self, now_ns: int) -> tuple[str, ...]:
        """Name the trackers that are received but not trusted."""
        return tuple(
            f'tracker {record.name!r} of {identity.sender.address} disagrees with vision and is '
            f'ignored'
            for identity, record in self._records.items()
            if not record.trusted and now_ns - record.heard_ns <= SILENCE_NS
        )

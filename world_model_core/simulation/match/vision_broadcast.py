# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Cameras that take pictures of a simulated world, and the packets that vision sends of them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Protocol

from world_model_core.match.ssl.values import DetectionFrame, Referee, VisionPacket
from world_model_core.simulation.match.camera_detections import CameraDetector
from world_model_core.simulation.match.camera_errors import (
    CameraErrors,
    draw_capture_error,
    draw_errors,
)
from world_model_core.simulation.match.field import lay_out_cameras, make_geometry
from world_model_core.simulation.match.random_streams import RandomStream, random_stream
from world_model_core.time import NANOSECONDS_PER_SECOND, to_nanoseconds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from world_model_core.simulation.match.ground_truth import MatchTruth
    from world_model_core.simulation.match.overhead_camera import OverheadCamera
    from world_model_core.simulation.match.parameters import SslMatchParameters

GEOMETRY_PERIOD = NANOSECONDS_PER_SECOND
# From capture to sending at RoboCup 2022: 7.9 ms at least, 10.9 in the mean, 20 at most [ns].
DELAY_LEAST, DELAY_MEAN, DELAY_MOST = 7_900_000, 10_900_000, 20_000_000


@dataclass(frozen=True, slots=True)
class SentPacket:
    """
    A packet, and when it comes out of the network [ns since the simulation began].

    `truth` is that of a detection's picture, at the instant when it was truly taken.
    """

    sent_ns: int
    packet: VisionPacket | Referee
    truth: MatchTruth | None = None


class ObservedWorld(Protocol):
    """What cameras look at."""

    def advance(self, stamp_ns: int) -> MatchTruth:
        """Go on to an instant not before the last one [ns], and tell what is so then."""


class Agenda:
    """What is to happen, in order of time; what happens may put more on it."""

    def __init__(self) -> None:
        self._order = 0
        self._events: list[tuple[int, int, Callable[[], SentPacket | None]]] = []

    def schedule(self, stamp_ns: int, event: Callable[[], SentPacket | None]) -> None:
        """Put an event on the agenda [ns]; those of one instant keep their order."""
        self._order += 1
        heappush(self._events, (stamp_ns, self._order, event))

    def packets(self, until_ns: float = math.inf) -> Iterator[SentPacket]:
        """Process the events up to an instant [ns], and yield the packets in order."""
        while self._events and self._events[0][0] <= until_ns:
            _, _, event = heappop(self._events)
            sent = event()
            if sent:
                yield sent


class VisionBroadcast:
    """
    Sends what every camera sees, and the geometry once a second.

    Parameters
    ----------
    parameters : SslMatchParameters
    world : ObservedWorld
    agenda : Agenda
        Where pictures and packets are put.
    epoch_ns : int
        When the simulation began [ns, unix time of the system's clock].
    end_ns : int, optional
        From when on no more is begun [ns since then]; without end if left out.

    Attributes
    ----------
    cameras : tuple of OverheadCamera
        Where they truly are.
    errors : tuple of CameraErrors
        Of each camera.
    capture_error_ns : int
        How much later each t_capture is than its picture [ns], clocks aside.
    clock_ns : int
        How far vision's clock is ahead of the system's [ns].

    """

    def __init__(
        self,
        parameters: SslMatchParameters,
        world: ObservedWorld,
        agenda: Agenda,
        epoch_ns: int,
        end_ns: float = math.inf,
    ) -> None:
        self._parameters = parameters
        self._end_ns = end_ns
        self._world = world
        self._agenda = agenda
        self.cameras = lay_out_cameras(
            parameters.cameras, parameters.camera_height, parameters.distortion
        )
        self.errors = tuple(draw_errors(parameters, each.camera_id) for each in self.cameras)
        self.capture_error_ns = to_nanoseconds(draw_capture_error(parameters))
        self.clock_ns = to_nanoseconds(parameters.clock_offset)
        self._vision_epoch_ns = epoch_ns + self.clock_ns
        self._period = round(NANOSECONDS_PER_SECOND / parameters.camera_rate)
        self._schedule_all()

    def _schedule_all(self) -> None:
        """Begin with everything; the cameras' shutters are not synchronised."""
        models = self._parameters.ball if self._parameters.send_models else None
        both = zip(self.cameras, self.errors, strict=True)
        published = tuple(errors.publish(camera) for camera, errors in both)
        packet = VisionPacket(None, make_geometry(models, published))
        self._agenda.schedule(0, lambda: self._send_geometry(packet, 0))
        for camera, errors in zip(self.cameras, self.errors, strict=True):
            self._start(_Imager(self._parameters, camera, errors))

    def _start(self, imager: _Imager) -> None:
        """Let a camera take its first picture at some time in the first period."""
        seed, index = self._parameters.seed, imager.camera.camera_id
        start = int(random_stream(seed, RandomStream.SHUTTERS, index).integers(self._period))
        self._agenda.schedule(start, lambda: self._capture(imager, start, 0))

    def _capture(self, imager: _Imager, stamp_ns: int, number: int) -> None:
        """Take a picture, to be sent when it has been read."""
        following = stamp_ns + self._period
        if following < self._end_ns:
            self._agenda.schedule(following, lambda: self._capture(imager, following, number + 1))
        truth = self._world.advance(stamp_ns)
        ready_ns, sent_ns = (stamp_ns + delay for delay in imager.draw_delays())
        frame = DetectionFrame(
            frame_number=number,
            camera_id=imager.camera.camera_id,
            capture_ns=self._vision_epoch_ns + stamp_ns + self.capture_error_ns,
            sent_ns=self._vision_epoch_ns + ready_ns,
            balls=imager.vision.find_balls(truth),
            robots=imager.vision.find_robots(truth),
        )
        sent = SentPacket(sent_ns, VisionPacket(frame, None), truth)
        if not imager.draw_loss():
            self._agenda.schedule(sent_ns, lambda: sent)

    def _send_geometry(self, packet: VisionPacket, stamp_ns: int) -> SentPacket:
        """Send the geometry, as it always is."""
        following = stamp_ns + GEOMETRY_PERIOD
        if following < self._end_ns:
            self._agenda.schedule(following, lambda: self._send_geometry(packet, following))
        return SentPacket(stamp_ns, packet)


class _Imager:
    """A camera with its vision, and how long its pictures take."""

    def __init__(
        self, parameters: SslMatchParameters, camera: OverheadCamera, errors: CameraErrors
    ) -> None:
        self.camera = camera
        self.vision = CameraDetector(parameters, camera, errors)
        self._lost = parameters.lost_frames
        self._least_ns = to_nanoseconds(parameters.network_delay)
        self._jitter_ns = parameters.network_jitter * NANOSECONDS_PER_SECOND
        self._random = random_stream(parameters.seed, RandomStream.DELAYS, camera.camera_id)

    def draw_delays(self) -> tuple[int, int]:
        """Draw how long after its capture a frame is sent, and has come through [ns]."""
        reading, jitter = self._random.exponential(size=2).tolist()
        ready = min(DELAY_MOST, DELAY_LEAST + round((DELAY_MEAN - DELAY_LEAST) * reading))
        return ready, ready + self._least_ns + round(self._jitter_ns * jitter)

    def draw_loss(self) -> bool:
        """Draw whether a frame never comes through."""
        return bool(self._random.random() < self._lost)

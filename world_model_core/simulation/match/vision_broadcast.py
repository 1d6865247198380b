# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Cameras above a simulated world, and the packets that vision sends over the network."""

from __future__ import annotations

import math
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Protocol

from world_model_core.match.ssl.vision_values import DetectionFrame, VisionPacket
from world_model_core.simulation.match.camera_biases import (
    CameraBiases,
    draw_biases,
    draw_capture_error,
)
from world_model_core.simulation.match.camera_detections import CameraDetector
from world_model_core.simulation.match.field import lay_out_cameras, make_geometry
from world_model_core.simulation.match.random_streams import RandomStream, random_stream
from world_model_core.simulation.match.stamp_delays import StampDelays
from world_model_core.time import NANOSECONDS_PER_SECOND, to_nanoseconds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from world_model_core.match.ssl.referee_values import Referee
    from world_model_core.simulation.match.ground_truth import MatchTruth
    from world_model_core.simulation.match.overhead_camera import OverheadCamera
    from world_model_core.simulation.match.parameters import SslMatchParameters

GEOMETRY_PERIOD = NANOSECONDS_PER_SECOND
# Delay from capture to sending at RoboCup 2022: minimum, mean and maximum [ns].
DELAY_LEAST, DELAY_MEAN, DELAY_MOST = 7_900_000, 10_900_000, 20_000_000


@dataclass(frozen=True, slots=True)
class SentPacket:
    """
    A packet and its arrival time [ns since the simulation began].

    `truth` is the true state at the exposure of a detection frame.
    """

    sent_ns: int
    packet: VisionPacket | Referee
    truth: MatchTruth | None = None


class ObservedWorld(Protocol):
    """The world that cameras observe."""

    def advance(self, stamp_ns: int) -> MatchTruth:
        """Advance to a time not before the last one [ns]; return the true state."""


class Agenda:
    """A queue of events in order of time; events may schedule further events."""

    def __init__(self) -> None:
        self._order = 0
        self._events: list[tuple[int, int, Callable[[], SentPacket | None]]] = []

    def schedule(self, stamp_ns: int, event: Callable[[], SentPacket | None]) -> None:
        """Schedule an event [ns]; events of the same time keep their order."""
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
    Sends the detections of all cameras, and the geometry once per second.

    Parameters
    ----------
    parameters : SslMatchParameters
    world : ObservedWorld
    agenda : Agenda
        Queue of frames and packets.
    epoch_ns : int
        Start of the simulation [ns, Unix time of the system clock].
    end_ns : int, optional
        End of the simulation [ns since the start]; never by default.

    Attributes
    ----------
    cameras : tuple of OverheadCamera
        True cameras.
    errors : tuple of CameraBiases
        Errors of each camera.
    capture_error_ns : int
        Constant delay of t_capture after the exposure [ns], without clock offsets.
    clock_ns : int
        Offset of vision's clock to the system clock [ns].

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
        self.errors = tuple(draw_biases(parameters, each.camera_id) for each in self.cameras)
        self.capture_error_ns = to_nanoseconds(draw_capture_error(parameters))
        self.clock_ns = to_nanoseconds(parameters.clock_offset)
        self._vision_epoch_ns = epoch_ns + self.clock_ns
        self._period = round(NANOSECONDS_PER_SECOND / parameters.camera_rate)
        self._schedule_all()

    def _schedule_all(self) -> None:
        """Schedule the first packets; cameras are not synchronized."""
        models = self._parameters.ball if self._parameters.send_models else None
        both = zip(self.cameras, self.errors, strict=True)
        published = tuple(errors.publish(camera) for camera, errors in both)
        packet = VisionPacket(None, make_geometry(models, published))
        self._agenda.schedule(0, lambda: self._send_geometry(packet, 0))
        for camera, errors in zip(self.cameras, self.errors, strict=True):
            self._start(_Imager(self._parameters, camera, errors))

    def _start(self, imager: _Imager) -> None:
        """Schedule the first frame of a camera at a random time in the first period."""
        seed, index = self._parameters.seed, imager.camera.camera_id
        start = int(random_stream(seed, RandomStream.SHUTTERS, index).integers(self._period))
        self._agenda.schedule(start, lambda: self._capture(imager, start, 0))

    def _capture(self, imager: _Imager, stamp_ns: int, number: int) -> None:
        """Take a frame and schedule its sending."""
        following = stamp_ns + self._period
        if following < self._end_ns:
            self._agenda.schedule(following, lambda: self._capture(imager, following, number + 1))
        truth = self._world.advance(stamp_ns)
        late_ns = imager.stamp_delays.draw()
        ready_ns, sent_ns = (stamp_ns + late_ns + delay for delay in imager.draw_delays())
        frame = DetectionFrame(
            frame_number=number,
            camera_id=imager.camera.camera_id,
            capture_ns=self._vision_epoch_ns + stamp_ns + late_ns + self.capture_error_ns,
            sent_ns=self._vision_epoch_ns + ready_ns,
            balls=imager.vision.find_balls(truth),
            robots=imager.vision.find_robots(truth),
        )
        sent = SentPacket(sent_ns, VisionPacket(frame, None), truth)
        if not imager.draw_loss():
            self._agenda.schedule(sent_ns, lambda: sent)

    def _send_geometry(self, packet: VisionPacket, stamp_ns: int) -> SentPacket:
        """Send the geometry, which never changes."""
        following = stamp_ns + GEOMETRY_PERIOD
        if following < self._end_ns:
            self._agenda.schedule(following, lambda: self._send_geometry(packet, following))
        return SentPacket(stamp_ns, packet)


class _Imager:
    """A camera with its detector and its delays."""

    def __init__(
        self, parameters: SslMatchParameters, camera: OverheadCamera, errors: CameraBiases
    ) -> None:
        self.camera = camera
        self.vision = CameraDetector(parameters, camera, errors)
        self._lost = parameters.lost_frames
        self._least_ns = to_nanoseconds(parameters.network_delay)
        self._jitter_ns = parameters.network_jitter * NANOSECONDS_PER_SECOND
        self._random = random_stream(parameters.seed, RandomStream.DELAYS, camera.camera_id)
        self.stamp_delays = StampDelays(
            parameters.stamp_delays,
            random_stream(parameters.seed, RandomStream.STAMPS, camera.camera_id),
        )

    def draw_delays(self) -> tuple[int, int]:
        """Draw the delays from capture to sending and to arrival [ns]."""
        reading, jitter = self._random.exponential(size=2).tolist()
        ready = min(DELAY_MOST, DELAY_LEAST + round((DELAY_MEAN - DELAY_LEAST) * reading))
        return ready, ready + self._least_ns + round(self._jitter_ns * jitter)

    def draw_loss(self) -> bool:
        """Draw whether a frame is lost."""
        return bool(self._random.random() < self._lost)

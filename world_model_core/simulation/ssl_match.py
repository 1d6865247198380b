# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A small match, and the packets that vision and the game controller send of it."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.simulation.ssl_arena import CAMERAS, make_geometry
from world_model_core.simulation.ssl_ball import SECOND
from world_model_core.simulation.ssl_play import Play, Truth
from world_model_core.simulation.ssl_vision import Vision
from world_model_core.ssl.values import Referee, VisionPacket

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from world_model_core.simulation.ssl_arena import Camera
    from world_model_core.simulation.ssl_parameters import SslMatchParameters

# 39.7 Hz was measured at RoboCup 2022; the game controller means 40.
REFEREE_PERIOD = SECOND // 40
GEOMETRY_PERIOD = SECOND


@dataclass(frozen=True, slots=True)
class Sent:
    """A packet, when it is sent [ns since the match began], and the truth behind a detection."""

    sent_ns: int
    packet: VisionPacket | Referee
    truth: Truth | None = None


class SslMatch:
    """
    A match that goes on as long as its packets are asked for; same seed, same packets.

    Parameters
    ----------
    parameters : SslMatchParameters
    epoch_ns : int
        When it begins [ns, unix time]; the sender's clock of all its packets counts from here.

    """

    def __init__(self, parameters: SslMatchParameters, epoch_ns: int) -> None:
        # Streams of their own: the same match is played, whatever the cameras are like.
        streams = np.random.SeedSequence(parameters.seed).spawn(2)
        players, cameras = map(np.random.default_rng, streams)
        self._epoch_ns = epoch_ns
        self._play = Play(parameters, players)
        self._vision = Vision(parameters, cameras, epoch_ns)
        self._geometry = VisionPacket(None, make_geometry(parameters.ball))
        self._period = round(SECOND / parameters.camera_rate)
        self._order = 0
        self._agenda: list[tuple[int, int, Callable[[], Sent | None]]] = []
        self._schedule_all(cameras)

    def packets(self) -> Iterator[Sent]:
        """Yield packets in the order of their sending, without end."""
        while True:
            _, _, event = heappop(self._agenda)
            sent = event()
            if sent:
                yield sent

    def _schedule_all(self, random: np.random.Generator) -> None:
        """Begin with everything; the cameras' clocks are not synchronised."""
        self._schedule(0, lambda: self._send_geometry(0))
        self._schedule(0, lambda: self._send_referee(0))
        for camera in CAMERAS:
            start = int(random.integers(self._period))
            self._schedule(start, lambda c=camera, at=start: self._capture(c, at, 0))  # type: ignore[misc]

    def _schedule(self, stamp_ns: int, event: Callable[[], Sent | None]) -> None:
        """Put an event on the agenda; those of one instant keep their order."""
        self._order += 1
        heappush(self._agenda, (stamp_ns, self._order, event))

    def _capture(self, camera: Camera, stamp_ns: int, number: int) -> None:
        """Take a picture, to be sent when it has been read."""
        following = stamp_ns + self._period
        self._schedule(following, lambda: self._capture(camera, following, number + 1))
        truth = self._play.advance(stamp_ns)
        frame = self._vision.observe(truth, camera, number)
        sent = Sent(frame.sent_ns - self._epoch_ns, VisionPacket(frame, None), truth)
        self._schedule(sent.sent_ns, lambda: sent)

    def _send_geometry(self, stamp_ns: int) -> Sent:
        """Send the geometry, as it always is."""
        following = stamp_ns + GEOMETRY_PERIOD
        self._schedule(following, lambda: self._send_geometry(following))
        return Sent(stamp_ns, self._geometry)

    def _send_referee(self, stamp_ns: int) -> Sent:
        """Send the referee's state of now."""
        following = stamp_ns + REFEREE_PERIOD
        self._schedule(following, lambda: self._send_referee(following))
        self._play.advance(stamp_ns)
        return Sent(stamp_ns, self._play.officials.packet(stamp_ns, self._epoch_ns))

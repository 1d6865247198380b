# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A small match, and the packets that vision and the game controller send of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from world_model_core.simulation.match.random_streams import RandomStream, random_stream
from world_model_core.simulation.match.simulated_play import SimulatedPlay
from world_model_core.simulation.match.vision_broadcast import Agenda, SentPacket, VisionBroadcast
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Iterator

    from world_model_core.simulation.match.parameters import SslMatchParameters

# 39.7 Hz was measured at RoboCup 2022; the game controller means 40.
REFEREE_PERIOD = NANOSECONDS_PER_SECOND // 40


class SslMatch:
    """
    A match that goes on as long as its packets are asked for; same seed, same packets.

    Parameters
    ----------
    parameters : SslMatchParameters
    epoch_ns : int
        When it begins [ns, unix time]; the senders' clocks count from here, vision's with its
        offset.

    Attributes
    ----------
    vision : VisionBroadcast
        The cameras, and the truth about their errors.

    """

    def __init__(self, parameters: SslMatchParameters, epoch_ns: int) -> None:
        # Streams of their own: the same match is played, whatever the cameras are like.
        self._epoch_ns = epoch_ns
        self._play = SimulatedPlay(
            parameters, random_stream(parameters.seed, RandomStream.PLAYERS)
        )
        self._agenda = Agenda()
        self.vision = VisionBroadcast(parameters, self._play, self._agenda, epoch_ns)
        self._agenda.schedule(0, lambda: self._send_referee(0))

    def packets(self) -> Iterator[SentPacket]:
        """Yield packets in the order of their arrival, without end."""
        return self._agenda.packets()

    def _send_referee(self, stamp_ns: int) -> SentPacket:
        """Send the referee's state of now."""
        following = stamp_ns + REFEREE_PERIOD
        self._agenda.schedule(following, lambda: self._send_referee(following))
        self._play.advance(stamp_ns)
        return SentPacket(stamp_ns, self._play.officials.packet(stamp_ns, self._epoch_ns))

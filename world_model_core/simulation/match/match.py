# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A simulated match with the packets of vision and referee."""

from __future__ import annotations

from typing import TYPE_CHECKING

from world_model_core.simulation.match.random_streams import RandomStream, random_stream
from world_model_core.simulation.match.simulated_play import SimulatedPlay
from world_model_core.simulation.match.vision_broadcast import Agenda, SentPacket, VisionBroadcast
from world_model_core.time import NANOSECONDS_PER_SECOND, to_nanoseconds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from world_model_core.simulation.match.ground_truth import MatchTruth
    from world_model_core.simulation.match.parameters import SslMatchParameters

# The game controller sends at 40 Hz; 39.7 Hz was measured at RoboCup 2022.
REFEREE_PERIOD = NANOSECONDS_PER_SECOND // 40


class SslMatch:
    """
    A simulated match with vision and a game controller; the same seed gives the same packets.

    Parameters
    ----------
    parameters : SslMatchParameters
    epoch_ns : int
        Start of the match [ns, unix time], origin of the senders' clocks; the clock of vision has
        an additional offset.

    Attributes
    ----------
    vision : VisionBroadcast
        The cameras, and the ground truth of their errors.

    """

    def __init__(self, parameters: SslMatchParameters, epoch_ns: int) -> None:
        self._parameters, self._epoch_ns = parameters, epoch_ns
        self.reset()

    def reset(self) -> None:
        """Return to the start at time 0; the match then repeats."""
        parameters = self._parameters
        # Separate random streams: the cameras have no influence on how the match is played.
        self._play = SimulatedPlay(
            parameters, random_stream(parameters.seed, RandomStream.PLAYERS)
        )
        self._agenda, self._now_ns = Agenda(), 0
        self.vision = VisionBroadcast(parameters, self._play, self._agenda, self._epoch_ns)
        self._agenda.schedule(0, lambda: self._send_referee(0))

    def step(self, dt: float) -> tuple[SentPacket, ...]:
        """Advance by dt [s] and return the packets that arrive in that time, in order."""
        self._now_ns += to_nanoseconds(dt)
        return tuple(self._agenda.packets(self._now_ns))

    @property
    def time_ns(self) -> int:
        """Simulated time since the start [ns], advanced by `step`."""
        return self._now_ns

    @property
    def truth(self) -> MatchTruth:
        """The ground truth of ball and robots at the time reached by `step`."""
        return self._play.advance(self._now_ns)

    def packets(self) -> Iterator[SentPacket]:
        """Yield packets in the order of their arrival, without end."""
        return self._agenda.packets()

    def _send_referee(self, stamp_ns: int) -> SentPacket:
        """Return the referee packet at a time and schedule the next one [ns]."""
        following = stamp_ns + REFEREE_PERIOD
        self._agenda.schedule(following, lambda: self._send_referee(following))
        self._play.advance(stamp_ns)
        return SentPacket(stamp_ns, self._play.referee.packet(stamp_ns, self._epoch_ns))

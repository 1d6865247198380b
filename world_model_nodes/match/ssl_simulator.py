# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Plays a small match and sends what vision and the game controller would send of it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from rclpy.clock import Clock, ClockType

from world_model_core.match.ssl.referee_packets import encode_referee
from world_model_core.match.ssl.values import Referee
from world_model_core.match.ssl.vision_packets import encode_vision
from world_model_core.simulation.match.match import SslMatch
from world_model_core.simulation.match.parameters import SslMatchParameters, SslSettings
from world_model_nodes.match.datagram_sender import DatagramSender
from world_model_nodes.runtime.diagnostics import Diagnostics, Report
from world_model_nodes.runtime.lifecycle import AcquiringNode, run
from world_model_nodes.runtime.params import parameter
from world_model_nodes.runtime.simulation import SimulationPlayer
from world_model_nodes.runtime.udp import Endpoint

if TYPE_CHECKING:
    from world_model_core.simulation.match.vision_broadcast import SentPacket


# Duration of a step of the match: short, so that few packets are computed at once [s].
STEP = 0.001


@dataclass(frozen=True, slots=True)
class SslSimulatorConfig(SslSettings):
    """Parameters of ssl_simulator: the match, its cameras, and where to send what they see."""

    vision_group: str = parameter('224.5.23.2', 'multicast group of vision')
    vision_port: int = parameter(10020, "vision's port", low=1, high=65535)
    referee_group: str = parameter('224.5.23.1', 'multicast group of the referee')
    referee_port: int = parameter(11003, "the referee's port", low=1, high=65535)
    interface: str = parameter('lo', 'network interface to send through')
    ttl: int = parameter(0, 'routers to pass plus one; 0 stays here', low=0, high=255)
    autostart: bool = parameter(True, 'configure and activate at once')

    def match_parameters(self) -> SslMatchParameters:
        """Select what the core needs."""
        names = (item.name for item in fields(SslSettings))
        return SslMatchParameters(**{name: getattr(self, name) for name in names})

    def endpoints(self) -> dict[str, Endpoint]:
        """Tell where each channel goes."""
        return {
            'vision': Endpoint(self.vision_group, self.vision_port),
            'referee': Endpoint(self.referee_group, self.referee_port),
        }


class SslSimulator(AcquiringNode):
    """Activated, a match begins now, and is sent as it goes on."""

    config_type = SslSimulatorConfig

    def __init__(self, **kwargs: Any) -> None:
        super().__init__('ssl_simulator', **kwargs)
        self._outlet: DatagramSender | None = None
        self._player: SimulationPlayer[tuple[SentPacket, ...], SentPacket] = SimulationPlayer(
            self, lambda packets: ((sent.sent_ns, sent) for sent in packets), self._send
        )
        self._diagnostics = Diagnostics(self, self._report)

    def acquire(self) -> None:
        """Open the socket."""
        self._outlet = DatagramSender(
            self.config.endpoints(), self.config.interface, self.config.ttl
        )

    def start(self) -> None:
        """Kick off."""
        # Vision stamps with the system's clock, whatever time this node's other topics have.
        epoch_ns = Clock(clock_type=ClockType.SYSTEM_TIME).now().nanoseconds
        match = SslMatch(self.config.match_parameters(), epoch_ns)
        self._player.start(match, epoch_ns, STEP, stride=1.0 / self.config.camera_rate)

    def stop(self) -> None:
        """Abandon the match."""
        self._player.stop()

    def release(self) -> None:
        """Close the socket."""
        if self._outlet is not None:
            self._outlet.close()
            self._outlet = None

    def _send(self, _stamp_ns: int, sent: SentPacket) -> None:
        if self._outlet is None:
            return
        if isinstance(sent.packet, Referee):
            self._outlet.send('referee', encode_referee(sent.packet))
        else:
            self._outlet.send('vision', encode_vision(sent.packet))

    def _report(self) -> Report:
        if self._outlet is None:
            return Report(warnings=('not configured',))
        return Report(self._outlet.errors, self._player.warnings, self._outlet.values)


def main() -> None:
    """Run the node."""
    run(SslSimulator)

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Simulates a small match: sends vision and referee packets, and publishes the truth."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from rclpy.clock import Clock, ClockType

from world_model_core.match.ssl.referee_packets import encode_referee
from world_model_core.match.ssl.referee_values import Referee
from world_model_core.match.ssl.vision_packets import encode_vision
from world_model_core.match.values import Channel
from world_model_core.simulation.match.match import SslMatch
from world_model_core.simulation.match.parameters import SslMatchParameters, SslSettings
from world_model_nodes.match.datagram_sender import DatagramSender
from world_model_nodes.match.multicast_addresses import GROUPS, SIMULATION_PORTS
from world_model_nodes.match.truth_publishers import TruthPublishers
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
    """Parameters of ssl_simulator: the match, its cameras and where packets are sent."""

    vision_group: str = parameter(GROUPS[Channel.VISION], 'multicast group of vision')
    vision_port: int = parameter(
        SIMULATION_PORTS[Channel.VISION], 'port of vision', low=1, high=65535
    )
    referee_group: str = parameter(GROUPS[Channel.REFEREE], 'multicast group of the referee')
    referee_port: int = parameter(
        SIMULATION_PORTS[Channel.REFEREE], 'port of the referee', low=1, high=65535
    )
    interface: str = parameter('lo', 'network interface to send through')
    ttl: int = parameter(0, 'multicast TTL; 0: this machine only', low=0, high=255)
    frame_id: str = parameter('field', 'frame_id of the true ball and robots')
    autostart: bool = parameter(True, 'configure and activate on start')

    def match_parameters(self) -> SslMatchParameters:
        """Return the parameters of the simulated match."""
        names = (item.name for item in fields(SslSettings))
        return SslMatchParameters(**{name: getattr(self, name) for name in names})

    def endpoints(self) -> dict[str, Endpoint]:
        """Return the multicast group and port of each channel."""
        return {
            'vision': Endpoint(self.vision_group, self.vision_port),
            'referee': Endpoint(self.referee_group, self.referee_port),
        }


class SslSimulator(AcquiringNode):
    """Starts a match when it is activated and sends its packets in real time."""

    config_type = SslSimulatorConfig

    def __init__(self, **kwargs: Any) -> None:
        super().__init__('ssl_simulator', **kwargs)
        self._sender: DatagramSender | None = None
        self._truth = TruthPublishers(self)
        self._epoch_ns = 0
        self._player: SimulationPlayer[tuple[SentPacket, ...], SentPacket] = SimulationPlayer(
            self, lambda packets: ((sent.sent_ns, sent) for sent in packets), self._send
        )
        self._diagnostics = Diagnostics(self, self._report)

    def acquire(self) -> None:
        """Open the socket."""
        self._sender = DatagramSender(
            self.config.endpoints(), self.config.interface, self.config.ttl
        )

    def start(self) -> None:
        """Start a new match."""
        # Vision uses the system clock, even if this node uses simulated time.
        self._epoch_ns = int(Clock(clock_type=ClockType.SYSTEM_TIME).now().nanoseconds)
        match = SslMatch(self.config.match_parameters(), self._epoch_ns)
        self._player.start(match, self._epoch_ns, STEP, stride=1.0 / self.config.camera_rate)

    def stop(self) -> None:
        """End the match."""
        self._player.stop()

    def release(self) -> None:
        """Close the socket."""
        if self._sender is not None:
            self._sender.close()
            self._sender = None

    def _send(self, _stamp_ns: int, sent: SentPacket) -> None:
        if self._sender is None:
            return
        if isinstance(sent.packet, Referee):
            self._sender.send('referee', encode_referee(sent.packet))
        else:
            self._sender.send('vision', encode_vision(sent.packet))
        if sent.truth is not None:
            exposure_ns = self._epoch_ns + sent.truth.stamp_ns
            self._truth.publish(sent.truth, exposure_ns, self.config.frame_id)

    def _report(self) -> Report:
        if self._sender is None:
            return Report(warnings=('not configured',))
        return Report(self._sender.errors, self._player.warnings, self._sender.values)


def main() -> None:
    """Run the node."""
    run(SslSimulator)

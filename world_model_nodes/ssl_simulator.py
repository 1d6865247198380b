# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Plays a small match and sends what vision and the game controller would send of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rclpy.clock import Clock, ClockType

from world_model_core.simulation.ssl_match import Sent, SslMatch
from world_model_core.simulation.ssl_parameters import SslMatchParameters
from world_model_core.ssl.referee import encode_referee
from world_model_core.ssl.values import Referee
from world_model_core.ssl.vision import encode_vision
from world_model_nodes.diagnostics import Diagnostics, Report
from world_model_nodes.lifecycle import AcquiringNode, run
from world_model_nodes.outlet import Outlet
from world_model_nodes.pacing import Pacer
from world_model_nodes.params import parameter
from world_model_nodes.udp import Endpoint

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True)
class Config:
    """Parameters of ssl_simulator."""

    seed: int = parameter(2, 'another seed, another match', low=0, high=2**63 - 1)
    robots_per_team: int = parameter(6, 'number 0 keeps the goal', low=3, high=11)
    yellow_name: str = parameter('Bears', "the yellow team's name")
    blue_name: str = parameter('Foxes', "the blue team's name")
    position_noise: float = parameter(
        0.0014, 'standard deviation of detections', low=0.0, high=0.1, unit='m'
    )
    heading_noise: float = parameter(
        0.01, 'standard deviation of headings', low=0.0, high=0.1, unit='rad'
    )
    missed: float = parameter(0.05, 'part of the detections missed', low=0.0, high=1.0)
    occlusion: bool = parameter(True, 'whether robots hide the ball')
    measured_height: bool = parameter(
        False, 'send the z of a flying ball as grSim does, not its shadow as ssl-vision does'
    )
    camera_rate: float = parameter(
        73.2, 'frames a second of each camera', low=1.0, high=500.0, unit='Hz'
    )
    vision_group: str = parameter('224.5.23.2', 'multicast group of vision')
    vision_port: int = parameter(10020, "vision's port", low=1, high=65535)
    referee_group: str = parameter('224.5.23.1', 'multicast group of the referee')
    referee_port: int = parameter(11003, "the referee's port", low=1, high=65535)
    interface: str = parameter('lo', 'network interface to send through')
    ttl: int = parameter(0, 'routers to pass plus one; 0 stays here', low=0, high=255)
    autostart: bool = parameter(True, 'configure and activate at once')

    def match_parameters(self) -> SslMatchParameters:
        """Select what the core needs."""
        return SslMatchParameters(
            seed=self.seed,
            robots_per_team=self.robots_per_team,
            yellow_name=self.yellow_name,
            blue_name=self.blue_name,
            position_noise=self.position_noise,
            heading_noise=self.heading_noise,
            missed=self.missed,
            occlusion=self.occlusion,
            measured_height=self.measured_height,
            camera_rate=self.camera_rate,
        )

    def endpoints(self) -> dict[str, Endpoint]:
        """Tell where each channel goes."""
        return {
            'vision': Endpoint(self.vision_group, self.vision_port),
            'referee': Endpoint(self.referee_group, self.referee_port),
        }


class SslSimulator(AcquiringNode):
    """Activated, a match begins now, and is sent as it goes on."""

    config_type = Config

    def __init__(self, **kwargs: Any) -> None:
        super().__init__('ssl_simulator', **kwargs)
        self._outlet: Outlet | None = None
        self._pacer: Pacer[Sent] = Pacer(self, self._send, self._end)
        self._diagnostics = Diagnostics(self, self._report)

    def acquire(self) -> None:
        """Open the socket."""
        self._outlet = Outlet(self.config.endpoints(), self.config.interface, self.config.ttl)

    def start(self) -> None:
        """Kick off."""
        # Vision stamps with the system's clock, whatever time this node's other topics have.
        epoch_ns = Clock(clock_type=ClockType.SYSTEM_TIME).now().nanoseconds
        match = SslMatch(self.config.match_parameters(), epoch_ns)
        self._pacer.load(_timed(match))
        self._pacer.run()

    def stop(self) -> None:
        """Abandon the match."""
        self._pacer.clear()

    def release(self) -> None:
        """Close the socket."""
        if self._outlet is not None:
            self._outlet.close()
            self._outlet = None

    def _send(self, _stamp_ns: int, sent: Sent) -> None:
        if self._outlet is None:
            return
        if isinstance(sent.packet, Referee):
            self._outlet.send('referee', encode_referee(sent.packet))
        else:
            self._outlet.send('vision', encode_vision(sent.packet))

    def _end(self) -> None:
        """Go on for ever: the match has no last packet."""

    def _report(self) -> Report:
        if self._outlet is None:
            return Report(warnings=('not configured',))
        warnings = () if self._pacer.runs else ('not active',)
        return Report(self._outlet.errors, warnings, self._outlet.values)


def _timed(match: SslMatch) -> Iterator[tuple[int, Sent]]:
    return ((sent.sent_ns, sent) for sent in match.packets())


def main() -> None:
    """Run the node."""
    run(SslSimulator)

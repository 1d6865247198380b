# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The parameters of robot_simulator."""

from __future__ import annotations

from dataclasses import dataclass

from world_model_core.errors import ConfigurationError
from world_model_core.uncertainty.lecture_simulations import COMMAND, PERIOD
from world_model_nodes.runtime.params import parameter
from world_model_nodes.uncertainty.noise_models import RobotLaws
from world_model_nodes.uncertainty.publishers import Frames


@dataclass(frozen=True)
class RobotSimulatorConfig(RobotLaws):
    """Parameters of robot_simulator."""

    robots: int = parameter(
        10, 'how many; only the first 100 have topics of their own', low=1, high=100_000
    )
    seed: int = parameter(1, 'another seed, another run', low=0, high=2**63 - 1)
    nu: float = parameter(
        COMMAND[0], 'velocity of robots that nobody commands', low=-100.0, high=100.0, unit='m/s'
    )
    omega: float = parameter(
        COMMAND[1], 'how fast these turn', low=-100.0, high=100.0, unit='rad/s'
    )
    dt: float = parameter(PERIOD, 'length of a step', low=0.001, high=10.0, unit='s')
    publish_clock: bool = parameter(
        True, 'publish /clock; false where another node does, whose time is then followed'
    )
    speed: float = parameter(
        1.0,
        'simulated seconds in one, with publish_clock; may change at any time',
        low=0.01,
        high=1000.0,
    )
    clock_rate: float = parameter(
        20.0,
        'how often robots and /clock are told at most, in real time',
        low=1.0,
        high=1000.0,
        unit='Hz',
    )
    listeners: int = parameter(
        0, 'subscriptions of /clock to wait for, with publish_clock', low=0, high=100
    )
    frame_id: str = parameter('map', 'frame of the landmarks and of the truth')
    frame_prefix: str = parameter(
        '', "goes before robots' frames; empty: the namespace of the node; /: nothing"
    )
    place_odom: bool = parameter(
        True, "send map to each robot's odom of the start, where nobody localises it"
    )
    autostart: bool = parameter(True, 'configure and activate at once')

    def __post_init__(self) -> None:
        """Refuse a map without a name, and landmarks that are none."""
        super().__post_init__()
        self.frames('')

    def frames(self, namespace: str) -> Frames:
        """
        Name the frames, for a node in a namespace.

        Raises
        ------
        ConfigurationError
            The map has none.

        """
        if not self.frame_id:
            raise ConfigurationError("frame_id is ''; it must be a name")
        prefix = (self.frame_prefix or namespace).strip('/')
        return Frames(self.frame_id, f'{prefix}/' if prefix else '', self.place_odom)

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The parameters of robot_simulator."""

from __future__ import annotations

from dataclasses import dataclass

from world_model_core.errors import ConfigurationError
from world_model_core.uncertainty.lecture_simulations import COMMAND, PERIOD
from world_model_nodes.runtime.params import parameter
from world_model_nodes.uncertainty.noise_config import NoiseConfig
from world_model_nodes.uncertainty.robot_publishers import RobotFrames


@dataclass(frozen=True)
class RobotSimulatorConfig(NoiseConfig):
    """Parameters of robot_simulator."""

    robots: int = parameter(
        10, 'number of robots; only the first 100 have their own topics', low=1, high=100_000
    )
    seed: int = parameter(1, 'seed of the random draws', low=0, high=2**63 - 1)
    nu: float = parameter(
        COMMAND[0], 'speed until the first cmd_vel', low=-100.0, high=100.0, unit='m/s'
    )
    omega: float = parameter(
        COMMAND[1], 'turn rate until the first cmd_vel', low=-100.0, high=100.0, unit='rad/s'
    )
    dt: float = parameter(PERIOD, 'time step', low=0.001, high=10.0, unit='s')
    publish_clock: bool = parameter(
        True, 'publish /clock; false to follow the clock of another node'
    )
    speed: float = parameter(
        1.0,
        'factor against real time, with publish_clock; may change at any time',
        low=0.01,
        high=1000.0,
    )
    clock_rate: float = parameter(
        20.0,
        'maximum rate of publishing, in real time',
        low=1.0,
        high=1000.0,
        unit='Hz',
    )
    listeners: int = parameter(
        0, 'number of /clock subscriptions to wait for, with publish_clock', low=0, high=100
    )
    frame_id: str = parameter('map', 'frame of the landmarks and of the ground truth')
    frame_prefix: str = parameter(
        '', "prefix of the robots' frames; empty: the namespace of the node; /: no prefix"
    )
    place_odom: bool = parameter(
        True, 'send the static transform from map to odom; false if a localizer sends it'
    )
    autostart: bool = parameter(True, 'configure and activate on start')

    def __post_init__(self) -> None:
        """Validate the frame of the map and the landmarks."""
        super().__post_init__()
        self.frames('')

    def frames(self, namespace: str) -> RobotFrames:
        """
        Return the frame names for a node in a namespace.

        Raises
        ------
        ConfigurationError
            `frame_id` is empty.

        """
        if not self.frame_id:
            raise ConfigurationError("frame_id is ''; it must not be empty")
        prefix = (self.frame_prefix or namespace).strip('/')
        return RobotFrames(self.frame_id, f'{prefix}/' if prefix else '', self.place_odom)

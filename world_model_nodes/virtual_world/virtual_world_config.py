# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Parameters of virtual_world."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

from world_model_nodes.runtime.params import parameter
from world_model_nodes.virtual_world.sense_config import SenseConfig


class StartState(Enum):
    """Whether a simulation plays when it starts."""

    RUNNING = 'running'
    PAUSED = 'paused'


class GravityChoice(Enum):
    """Which gravity a world has."""

    FILE = 'file'
    EARTH = 'earth'


class AgentTime(Enum):
    """Whether a world waits for the controllers of its agents."""

    LOCKSTEP = 'lockstep'
    FREE = 'free'


@dataclass(frozen=True, slots=True)
class VirtualWorldConfig(SenseConfig):
    """Parameters of virtual_world."""

    world: str = parameter(
        '', 'file of a world: SIGVerse, MJCF or URDF; house: a generated house; empty: a kitchen'
    )
    assets: str = parameter(
        '', 'folders of files that worlds and spawned entities may name, with ":" between them'
    )
    seed: int = parameter(1, 'seed of the random draws', low=0, high=2**63 - 1)
    speed: float = parameter(
        1.0, 'factor against real time; may change at any time', low=0.01, high=1000.0
    )
    start: StartState = parameter(StartState.RUNNING, 'whether the simulation starts at once')
    clock_rate: float = parameter(
        50.0, 'maximum rate of /clock and of all states in real time', low=1.0, high=1000.0,
        unit='Hz',
    )  # fmt: skip
    question: str = parameter(
        '', 'question about the world, published each second with its true answer; empty: none'
    )
    sleep: bool = parameter(
        False, 'bodies at rest are not simulated: faster, but snapshots are not exact'
    )
    original_limits: bool = parameter(False, 'joints have no limits, as in the original SIGVerse')
    original_modes: bool = parameter(
        False, 'what a controller writes in the wrong mode of an object is ignored, as in SIGVerse'
    )
    length_unit: float = parameter(
        0.01, 'length unit of SIGVerse worlds', low=0.0001, high=1000.0, unit='m'
    )
    gravity: GravityChoice = parameter(
        GravityChoice.FILE, 'acceleration of gravity: that of the file, or of the earth'
    )
    max_bodies: int = parameter(
        10_000, 'maximum number of bodies of a world', low=1, high=1_000_000
    )
    max_triangles: int = parameter(
        2_000_000, 'maximum number of triangles of a world', low=1, high=100_000_000
    )
    max_shape_triangles: int = parameter(
        200_000, 'maximum number of triangles of a shape', low=1, high=200_000
    )
    agent_time: AgentTime = parameter(
        AgentTime.LOCKSTEP, 'whether the world waits for the replies of controllers, or goes on'
    )
    patience: float = parameter(
        1.0, 'real time that the world waits for controllers in a step, in lockstep; .inf: as '
        'long as it takes', low=0.001, high=math.inf, unit='s',
    )  # fmt: skip
    controller_port: int = parameter(
        0, 'TCP port for controllers on other hosts; 0: none', low=0, high=65535
    )
    controller_host: str = parameter('127.0.0.1', 'address of the interface of `controller_port`')
    controller_token_file: str = parameter(
        '', 'file with the token that controllers on `controller_port` must know'
    )
    autostart: bool = parameter(True, 'configure and activate at start')

    @property
    def longest_wait(self) -> float | None:
        """Real time that the world waits in a step [s], 0 if it goes on; None: no limit."""
        if self.agent_time is AgentTime.FREE:
            return 0.0
        return None if math.isinf(self.patience) else self.patience

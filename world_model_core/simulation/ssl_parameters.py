# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What a simulated match is like."""

from __future__ import annotations

from dataclasses import dataclass, field

from world_model_core.ball.parameters import BallParameters
from world_model_core.errors import ConfigurationError

# A keeper and two who pass; eleven play in division A (SSL rules).
ROBOTS_LIMITS = (3, 11)
NOISE_LIMITS = (0.0, 0.1)


@dataclass(frozen=True, slots=True)
class SslMatchParameters:
    """
    A match and how well its cameras see it.

    Parameters
    ----------
    seed : int
        Same seed, same match, same bytes.
    robots_per_team : int
        Number 0 keeps the goal.
    yellow_name, blue_name : str
        As the referee has them.
    position_noise, heading_noise : float
        Standard deviations of a detection [m, rad]; 1.4 mm was measured on ER-Force's simulator
        with realistic noise.
    missed : float
        Part of the detections that a camera misses, 0 to 1.
    occlusion : bool
        Whether robots hide the ball from a camera.
    measured_height : bool
        False: a flying ball appears where the ray from the camera through it meets the carpet,
        without z, as ssl-vision and ER-Force's simulator send it, so that what works here works
        at a match. True: x, y and z are the ball's own, as grSim sends them.
    camera_rate : float
        Frames a second of each camera [Hz]; 73.2 at RoboCup 2022.
    ball : BallParameters
        How the ball moves; its models are on the wire as SSL_GeometryModels.

    Raises
    ------
    ConfigurationError
        A value is outside its limits.

    """

    seed: int = 2
    robots_per_team: int = 6
    yellow_name: str = 'Bears'
    blue_name: str = 'Foxes'
    position_noise: float = 0.0014
    heading_noise: float = 0.01
    missed: float = 0.05
    occlusion: bool = True
    measured_height: bool = False
    camera_rate: float = 73.2
    ball: BallParameters = field(default_factory=BallParameters)

    def __post_init__(self) -> None:
        """Refuse what cannot be played or seen."""
        _check('seed', self.seed, (0, 2**63 - 1))
        _check('robots_per_team', self.robots_per_team, ROBOTS_LIMITS)
        _check('position_noise', self.position_noise, NOISE_LIMITS, ' m')
        _check('heading_noise', self.heading_noise, NOISE_LIMITS, ' rad')
        _check('missed', self.missed, (0.0, 1.0))
        _check('camera_rate', self.camera_rate, (1.0, 500.0), ' Hz')


def _check(name: str, value: float, limits: tuple[float, float], unit: str = '') -> None:
    """Refuse a value outside its limits; NaN is outside any."""
    low, high = limits
    if not low <= value <= high:
        raise ConfigurationError(f'{name} is {value}{unit}; it must be from {low} to {high}{unit}')

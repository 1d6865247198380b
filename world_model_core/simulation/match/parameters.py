# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What a simulated match is like, and how well its cameras see it."""

from __future__ import annotations

from dataclasses import dataclass, field

from world_model_core.match.ball.parameters import BallParameters
from world_model_core.parameters import check_parameters, group, quantity, setting
from world_model_core.uncertainty.clutter import ClutterRate
from world_model_core.uncertainty.missed_detection import MissedDetection
from world_model_core.uncertainty.sensor_bias import PlaceBias
from world_model_core.uncertainty.sensor_noise import PlaceNoise


@dataclass(frozen=True, slots=True)
class SslSettings:
    """
    A match and its cameras, but for the ball's constants; each field's metadata explains it.

    Raises
    ------
    ConfigurationError
        A value is outside its limits.

    """

    seed: int = quantity(2, '', 0, 2**63 - 1, 'another seed, another match')
    # A keeper and two who pass at least; standard patterns are numbered 0 to 15.
    robots_per_team: int = quantity(6, '', 3, 16, 'number 0 keeps the goal')
    balls: int = quantity(1, '', 1, 6, 'nobody plays with those beyond the first')
    restitution: float = quantity(
        0.5, '', 0.0, 1.0, 'part of its speed that a ball keeps off robots and goals'
    )
    yellow_name: str = setting('Bears', "the yellow team's name")
    blue_name: str = setting('Foxes', "the blue team's name")
    noise: PlaceNoise = group(PlaceNoise(), 'balls and robots')
    missed_detection: MissedDetection = group(
        MissedDetection(probability=0.05), 'balls and robots'
    )
    clutter: ClutterRate = group(ClutterRate(), 'balls that are none, for 5 frames or so')
    bias: PlaceBias = group(PlaceBias(), 'each camera')
    robots_hide_balls: bool = setting(True, 'whether what is behind a robot is not seen')
    # ER-Force's simulator does as ssl-vision, so that what works here works at a match.
    measured_height: bool = setting(
        False, 'send the z of a flying ball as grSim does, not its shadow as ssl-vision does'
    )
    cameras: int = quantity(2, '', 1, 8, 'in a row along the field, or two from four on if even')
    camera_height: float = quantity(4.0, 'm', 2.0, 20.0, 'of each camera over the carpet')
    # 73.2 at RoboCup 2022.
    camera_rate: float = quantity(73.2, 'Hz', 1.0, 500.0, 'frames a second of each camera')
    distortion: float = quantity(
        0.0, '', 0.0, 0.5, "of the cameras' lenses, in ssl-vision's model"
    )
    camera_position_error: float = quantity(
        0.0, 'm', 0.0, 0.5, 'standard deviation of camera positions on the wire, by axis'
    )
    capture_delay: float = quantity(
        0.0, 's', 0.0, 0.05, 'standard deviation of what t_capture is late by, constant in a run'
    )
    clock_offset: float = quantity(
        0.0, 's', -1e6, 1e6, "how far vision's clock is ahead of the system's"
    )
    network_delay: float = quantity(0.0, 's', 0.0, 1.0, "of every frame of vision's")
    network_jitter: float = quantity(
        0.0, 's', 0.0, 1.0, 'mean of what some frames take longer, so that they overtake'
    )
    lost_frames: float = quantity(0.0, '', 0.0, 1.0, "part of vision's frames lost on the way")
    send_models: bool = setting(True, "send the ball's constants as SSL_GeometryModels")

    def __post_init__(self) -> None:
        """Refuse what cannot be played or seen."""
        check_parameters(self)


@dataclass(frozen=True, slots=True)
class SslMatchParameters(SslSettings):
    """
    A match, its cameras and its ball: same seed, same match, same bytes.

    Parameters
    ----------
    ball : BallParameters
        How balls truly move.

    """

    ball: BallParameters = field(default_factory=BallParameters)

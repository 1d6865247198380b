# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Parameters of a simulated match and of the errors of its cameras."""

from __future__ import annotations

from dataclasses import dataclass, field

from world_model_core.match.ball.ball_constants import BallParameters
from world_model_core.parameters import check_parameters, group, quantity, setting
from world_model_core.uncertainty.clutter import ClutterRate
from world_model_core.uncertainty.label_confusion import NumberConfusion
from world_model_core.uncertainty.missed_detection import MissedDetection
from world_model_core.uncertainty.sensor_bias import PlaceBias
from world_model_core.uncertainty.sensor_noise import PlaceNoise


@dataclass(frozen=True, slots=True)
class SslSettings:
    """
    Parameters of a match and its cameras, without the ball constants; see each field's metadata.

    Raises
    ------
    ConfigurationError
        A value is outside its limits.

    """

    seed: int = quantity(2, '', 0, 2**63 - 1, 'seed of all random draws')
    # At least a goalkeeper and two robots that pass; standard patterns have numbers 0 to 15.
    robots_per_team: int = quantity(
        6, '', 3, 16, 'robots of each team; number 0 is the goalkeeper'
    )
    balls: int = quantity(1, '', 1, 6, 'balls on the field; the match is played with the first')
    restitution: float = quantity(
        0.5,
        '',
        0.0,
        1.0,
        'fraction of its speed that a ball keeps when it bounces off robots and goals',
    )
    yellow_name: str = setting('Bears', "the yellow team's name")
    blue_name: str = setting('Foxes', "the blue team's name")
    noise: PlaceNoise = group(PlaceNoise(), 'balls and robots')
    missed_detection: MissedDetection = group(
        MissedDetection(probability=0.05), 'balls and robots'
    )
    label_confusion: NumberConfusion = group(NumberConfusion(), 'robots')
    clutter: ClutterRate = group(ClutterRate(), 'false balls, for about 5 frames')
    bias: PlaceBias = group(PlaceBias(), 'each camera')
    robots_hide_balls: bool = setting(True, 'whether robots hide balls from cameras')
    # ER-Force's simulator does the same as ssl-vision, so the default is that of a real match.
    measured_height: bool = setting(
        False, 'send z of a flying ball as grSim does, not its projection as ssl-vision does'
    )
    cameras: int = quantity(
        2, '', 1, 8, 'number of cameras; an even number from four on makes two rows'
    )
    camera_height: float = quantity(4.0, 'm', 2.0, 20.0, 'height of the cameras above the carpet')
    # 73.2 at RoboCup 2022.
    camera_rate: float = quantity(73.2, 'Hz', 1.0, 500.0, 'frame rate of each camera')
    distortion: float = quantity(0.0, '', 0.0, 0.5, "lens distortion in ssl-vision's model")
    camera_position_error: float = quantity(
        0.0,
        'm',
        0.0,
        0.5,
        'standard deviation of the errors of published camera positions, per axis',
    )
    capture_delay: float = quantity(
        0.0, 's', 0.0, 0.05, 'standard deviation of the delay of t_capture, constant in a run'
    )
    clock_offset: float = quantity(
        0.0, 's', -1e6, 1e6, "offset of vision's clock to the system clock"
    )
    network_delay: float = quantity(0.0, 's', 0.0, 1.0, 'network delay of each vision frame')
    network_jitter: float = quantity(
        0.0, 's', 0.0, 1.0, 'mean of the random additional delay, which can reorder frames'
    )
    lost_frames: float = quantity(0.0, '', 0.0, 1.0, 'fraction of vision frames that are lost')
    send_models: bool = setting(True, 'send the ball constants as SSL_GeometryModels')

    def __post_init__(self) -> None:
        """Check all limits."""
        check_parameters(self)


@dataclass(frozen=True, slots=True)
class SslMatchParameters(SslSettings):
    """
    Parameters of a match, its cameras and its ball; the same seed gives the same bytes.

    Parameters
    ----------
    ball : BallParameters
        True constants of the balls.
    stamp_delays : tuple of float
        Delays of the stamps of consecutive frames of a recording [s], of which each camera draws
        blocks; empty for exact stamps.

    """

    ball: BallParameters = field(default_factory=BallParameters)
    stamp_delays: tuple[float, ...] = ()

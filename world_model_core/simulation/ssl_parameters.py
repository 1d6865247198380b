# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What a simulated match is like, and how well its cameras see it."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from world_model_core.ball.parameters import BallParameters
from world_model_core.errors import ConfigurationError


def _setting(
    default: Any,
    description: str,
    limits: tuple[float, float] | tuple[None, None] = (None, None),
    unit: str = '',
) -> Any:
    """Declare a setting with what it is, its limits and its unit."""
    low, high = limits
    metadata = {'description': description, 'minimum': low, 'maximum': high, 'unit': unit}
    return field(default=default, metadata=metadata)


@dataclass(frozen=True, slots=True)
class SslSettings:
    """
    A match and its cameras, but for the ball's constants; each field's metadata explains it.

    Raises
    ------
    ConfigurationError
        A value is outside its limits.

    """

    seed: int = _setting(2, 'another seed, another match', (0, 2**63 - 1))
    # A keeper and two who pass at least; standard patterns are numbered 0 to 15.
    robots_per_team: int = _setting(6, 'number 0 keeps the goal', (3, 16))
    balls: int = _setting(1, 'nobody plays with those beyond the first', (1, 6))
    restitution: float = _setting(
        0.5, 'part of its speed that a ball keeps off robots and goals', (0.0, 1.0)
    )
    yellow_name: str = _setting('Bears', "the yellow team's name")
    blue_name: str = _setting('Foxes', "the blue team's name")
    # 1.4 mm was measured on ER-Force's simulator with realistic noise.
    position_noise: float = _setting(0.0014, 'standard deviation of detections', (0.0, 0.1), 'm')
    heading_noise: float = _setting(0.01, 'standard deviation of headings', (0.0, 0.1), 'rad')
    missed: float = _setting(0.05, 'part of the detections missed', (0.0, 1.0))
    occlusion: bool = _setting(True, 'whether robots hide the ball')
    # ER-Force's simulator does as ssl-vision, so that what works here works at a match.
    measured_height: bool = _setting(
        False, 'send the z of a flying ball as grSim does, not its shadow as ssl-vision does'
    )
    false_balls: float = _setting(
        0.0,
        'balls that are none and appear in each camera, for 5 frames or so',
        (0.0, 100.0),
        '1/s',
    )
    cameras: int = _setting(2, 'in a row along the field, or two from four on if even', (1, 8))
    camera_height: float = _setting(4.0, 'of each camera over the carpet', (2.0, 20.0), 'm')
    # 73.2 at RoboCup 2022.
    camera_rate: float = _setting(73.2, 'frames a second of each camera', (1.0, 500.0), 'Hz')
    distortion: float = _setting(0.0, "of the cameras' lenses, in ssl-vision's model", (0.0, 0.5))
    camera_bias: float = _setting(
        0.0, "standard deviation of each camera's constant offset, by axis", (0.0, 0.2), 'm'
    )
    calibration_error: float = _setting(
        0.0,
        'standard deviation of errors that grow with the distance from the camera, by coefficient',
        (0.0, 0.05),
        'm/m',
    )
    camera_position_error: float = _setting(
        0.0, 'standard deviation of camera positions on the wire, by axis', (0.0, 0.5), 'm'
    )
    capture_delay: float = _setting(
        0.0, 'standard deviation of what t_capture is late by, constant in a run', (0.0, 0.05), 's'
    )
    clock_offset: float = _setting(
        0.0, "how far vision's clock is ahead of the system's", (-1e6, 1e6), 's'
    )
    network_delay: float = _setting(0.0, "of every frame of vision's", (0.0, 1.0), 's')
    network_jitter: float = _setting(
        0.0, 'mean of what some frames take longer, so that they overtake', (0.0, 1.0), 's'
    )
    lost_frames: float = _setting(0.0, "part of vision's frames lost on the way", (0.0, 1.0))
    send_models: bool = _setting(True, "send the ball's constants as SSL_GeometryModels")

    def __post_init__(self) -> None:
        """Refuse what cannot be played or seen; NaN is outside any limits."""
        for item in fields(self):
            low, high = item.metadata.get('minimum'), item.metadata.get('maximum')
            value = getattr(self, item.name)
            if low is not None and not low <= value <= high:
                unit = f' {item.metadata["unit"]}'.rstrip()
                raise ConfigurationError(
                    f'{item.name} is {value}{unit}; it must be from {low} to {high}{unit}'
                )


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

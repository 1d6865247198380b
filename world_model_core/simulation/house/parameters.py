# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Parameters of the simulated house, its robot, and the noise of its sensors."""

from __future__ import annotations

import math
from dataclasses import dataclass

from world_model_core.errors import ConfigurationError
from world_model_core.parameters import group, quantity
from world_model_core.simulation.object_detector import DetectorParameters
from world_model_core.uncertainty.sensor_drift import PoseDrift
from world_model_core.uncertainty.sensor_noise import RangeNoise


@dataclass(frozen=True, slots=True)
class HouseParameters(DetectorParameters):
    """
    House, robot and camera; each field's metadata has unit, limits and meaning.

    Raises
    ------
    ConfigurationError
        If a value is outside its limits, or near is not less than far.

    """

    seed: int = quantity(1, '', 0, 2**63 - 1, 'seed of the house and of all noise')
    rooms: int = quantity(4, '', 1, 40, 'number of rooms')
    robot_speed: float = quantity(0.6, 'm/s', 0.01, 5.0, 'speed of the robot')
    turn_rate: float = quantity(0.8, 'rad/s', 0.01, 10.0, 'turn rate of the robot')
    viewpoints: int = quantity(3, '', 1, 20, 'viewpoints in each room')
    # Those of the challenge's camera.
    horizontal: float = quantity(
        2.0 * math.pi, 'rad', 0.1, 2.0 * math.pi, 'horizontal angle of view'
    )
    vertical: float = quantity(math.radians(120.0), 'rad', 0.1, math.pi, 'vertical angle of view')
    near: float = quantity(0.3, 'm', 0.0, 10.0, 'minimum range of the detector')
    far: float = quantity(5.0, 'm', 0.1, 100.0, 'maximum range of the detector')
    camera_height: float = quantity(1.0, 'm', 0.1, 2.5, 'height of the camera above the floor')
    least_visible: float = quantity(
        0.4, '', 0.0, 1.0, 'visible fraction of an object from which it can be detected'
    )
    # Two degrees, as lidars of the challenge's kind have.
    scan_step: float = quantity(0.035, 'rad', 0.005, 0.5, 'angle between the rays of a scan')
    scan_noise: RangeNoise = group(RangeNoise(range_fraction=0.0, range_std=0.01), 'a scan')
    pose_drift: PoseDrift = group(PoseDrift(), 'the estimated pose')

    def __post_init__(self) -> None:
        """Check all values."""
        DetectorParameters.__post_init__(self)
        if self.near >= self.far:
            raise ConfigurationError(
                f'near is {self.near} m; it must be less than far, {self.far} m'
            )

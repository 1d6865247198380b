# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What a simulated house is like, how a robot explores it, and how well it sees."""

from __future__ import annotations

import math
from dataclasses import dataclass

from world_model_core.errors import ConfigurationError
from world_model_core.parameters import check_parameters, group, quantity
from world_model_core.uncertainty.clutter import ClutterShare
from world_model_core.uncertainty.label_confusion import LabelConfusion
from world_model_core.uncertainty.missed_detection import MissedDetection
from world_model_core.uncertainty.sensor_drift import PoseDrift
from world_model_core.uncertainty.sensor_noise import BoxNoise, RangeBearingNoise, RangeNoise


@dataclass(frozen=True, slots=True)
class HouseParameters:
    """
    A house, a robot in it and its camera; each field's metadata has unit, limits and meaning.

    Raises
    ------
    ConfigurationError
        A value is outside its limits, or the camera sees nothing.

    """

    seed: int = quantity(1, '', 0, 2**63 - 1, 'another seed, another house and other noise')
    rooms: int = quantity(4, '', 1, 40, 'of the house')
    robot_speed: float = quantity(0.6, 'm/s', 0.01, 5.0, 'of the robot')
    turn_rate: float = quantity(0.8, 'rad/s', 0.01, 10.0, 'of the robot where it turns')
    viewpoints: int = quantity(3, '', 1, 20, 'places in each room from which the robot looks')
    # Those of the challenge's camera.
    horizontal: float = quantity(2.0 * math.pi, 'rad', 0.1, 2.0 * math.pi, 'angle of view')
    vertical: float = quantity(math.radians(120.0), 'rad', 0.1, math.pi, 'angle of view')
    near: float = quantity(0.3, 'm', 0.0, 10.0, 'distance from which things are detected')
    far: float = quantity(5.0, 'm', 0.1, 100.0, 'distance up to which things are detected')
    camera_height: float = quantity(1.0, 'm', 0.1, 2.5, 'of the camera above the floor')
    least_visible: float = quantity(
        0.4, '', 0.0, 1.0, 'part of a thing that must be in sight for it to be detected'
    )
    # Of a depth camera's order; a bearing is that of a box's centre in an image, not of a pixel.
    noise: RangeBearingNoise = group(
        RangeBearingNoise(range_fraction=0.02, bearing_std=0.01), 'middles of things'
    )
    box_noise: BoxNoise = group(BoxNoise(), 'things at any distance')
    missed_detection: MissedDetection = group(MissedDetection(probability=0.3), 'things')
    clutter: ClutterShare = group(ClutterShare(), 'things that are not there')
    label_confusion: LabelConfusion = group(LabelConfusion(), 'things')
    # Two degrees, as of lidars of the challenge's kind: what is between beams is not told.
    scan_step: float = quantity(0.035, 'rad', 0.005, 0.5, 'angle between the rays of a scan')
    scan_noise: RangeNoise = group(RangeNoise(range_fraction=0.0, range_std=0.01), 'a scan')
    pose_drift: PoseDrift = group(PoseDrift(), 'the believed pose')

    def __post_init__(self) -> None:
        """Refuse what cannot be built or seen."""
        check_parameters(self)
        if self.near >= self.far:
            raise ConfigurationError(
                f'near is {self.near} m; it must be less than far, {self.far} m'
            )

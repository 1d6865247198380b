# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What a simulated house is like, how a robot explores it, and how well it sees."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from typing import Any

from world_model_core.errors import ConfigurationError


def _quantity(default: float, unit: str, low: float, high: float, description: str) -> Any:
    """Declare a number with its unit, its limits and what it is."""
    metadata = {'unit': unit, 'minimum': low, 'maximum': high, 'description': description}
    return field(default=default, metadata=metadata)


@dataclass(frozen=True, slots=True)
class HouseParameters:
    """
    A house, a robot in it and its camera; each field's metadata has unit, limits and meaning.

    Raises
    ------
    ConfigurationError
        A value is outside its limits, or the camera sees nothing.

    """

    seed: int = _quantity(1, '', 0, 2**63 - 1, 'another seed, another house and other noise')
    rooms: int = _quantity(4, '', 1, 40, 'of the house')
    speed: float = _quantity(0.6, 'm/s', 0.01, 5.0, 'of the robot')
    turn_rate: float = _quantity(0.8, 'rad/s', 0.01, 10.0, 'of the robot where it turns')
    viewpoints: int = _quantity(3, '', 1, 20, 'places in each room from which the robot looks')
    # Those of the challenge's camera.
    horizontal: float = _quantity(2.0 * math.pi, 'rad', 0.1, 2.0 * math.pi, 'angle of view')
    vertical: float = _quantity(math.radians(120.0), 'rad', 0.1, math.pi, 'angle of view')
    near: float = _quantity(0.3, 'm', 0.0, 10.0, 'distance from which things are detected')
    far: float = _quantity(5.0, 'm', 0.1, 100.0, 'distance up to which things are detected')
    camera_height: float = _quantity(1.0, 'm', 0.1, 2.5, 'of the camera above the floor')
    detected: float = _quantity(0.7, '', 0.0, 1.0, 'probability that a thing in view is detected')
    least_visible: float = _quantity(
        0.4, '', 0.0, 1.0, 'part of a thing that must be in sight for it to be detected'
    )
    false: float = _quantity(0.02, '', 0.0, 0.9, 'part of the detections that show nothing')
    flicker: float = _quantity(0.05, '', 0.0, 1.0, "part of the labels that are another class's")
    color_error: float = _quantity(0.05, '', 0.0, 1.0, 'part of the colours that are another')
    # Of a depth camera's order; a bearing is that of a box's centre in an image, not of a pixel.
    range_noise: float = _quantity(
        0.02, 'm/m', 0.0, 1.0, 'standard deviation of distances, by the distance'
    )
    bearing_noise: float = _quantity(
        0.01, 'rad', 0.0, 1.0, 'standard deviation of directions, each way'
    )
    least_noise: float = _quantity(
        0.01, 'm', 1e-4, 1.0, 'standard deviation along each axis, however near'
    )
    size_noise: float = _quantity(0.08, '', 0.0, 1.0, "standard deviation of sizes' logarithms")
    heading_noise: float = _quantity(
        0.1, 'rad', 0.0, 1.0, "standard deviation of things' headings"
    )
    # Two degrees, as of lidars of the challenge's kind: what is between beams is not told.
    scan_step: float = _quantity(0.035, 'rad', 0.005, 0.5, 'angle between the rays of a scan')
    scan_noise: float = _quantity(0.01, 'm', 0.0, 0.5, "standard deviation of a scan's distances")
    pose_error: float = _quantity(
        0.02, 'm', 0.0, 1.0, 'standard deviation of the believed position along x and y'
    )
    pose_turn: float = _quantity(
        0.004, 'rad', 0.0, 0.5, 'standard deviation of the believed heading'
    )
    drift_time: float = _quantity(
        20.0, 's', 0.01, 1e5, 'time constant with which the error of the believed pose changes'
    )

    def __post_init__(self) -> None:
        """Refuse what cannot be built or seen; NaN is outside any limits."""
        for item in fields(self):
            low, high = item.metadata['minimum'], item.metadata['maximum']
            value = getattr(self, item.name)
            if not low <= value <= high:
                unit = f' {item.metadata["unit"]}'.rstrip()
                raise ConfigurationError(
                    f'{item.name} is {value}{unit}; it must be from {low} to {high}{unit}'
                )
        if self.near >= self.far:
            raise ConfigurationError(
                f'near is {self.near} m; it must be less than far, {self.far} m'
            )

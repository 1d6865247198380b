# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Parameters of what robots in a virtual world sense."""

from __future__ import annotations

from dataclasses import dataclass

from world_model_nodes.runtime.params import parameter
from world_model_nodes.uncertainty.noise_config import NoiseConfig


@dataclass(frozen=True)
class SenseConfig(NoiseConfig):
    """Errors and rates of senses; `preset` and `noise_file` are those of odom and landmarks."""

    landmarks: tuple[float, ...] = parameter(
        (),
        'x and y of each landmark in the frame world; empty: what is fixed to the world',
        unit='m',
    )
    place_odom: bool = parameter(
        True, 'send the static transform from world to odom; false if a localizer sends it'
    )
    odom_rate: float = parameter(20.0, 'rate of odometry', low=10.0, high=1000.0, unit='Hz')
    landmark_rate: float = parameter(
        10.0, 'rate of landmark readings', low=0.1, high=1000.0, unit='Hz'
    )
    scan_height: float = parameter(
        0.3,
        'height of the sensor of landmarks and scans above the frame of a robot',
        low=0.0,
        high=10.0,
        unit='m',
    )

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Parameters of what robots in a virtual world sense, and how far they are heard."""

from __future__ import annotations

from dataclasses import dataclass

from world_model_core.errors import ConfigurationError
from world_model_core.parameters import group
from world_model_core.simulation.object_detector import DetectorParameters
from world_model_core.uncertainty.sensor_noise import RangeNoise
from world_model_core.virtual_world.rendering.image_kinds import LARGEST_SIZE, Quality
from world_model_core.virtual_world.rendering.visible import LEAST_PIXELS, VisibilityRule
from world_model_nodes.runtime.params import parameter
from world_model_nodes.uncertainty.noise_config import NoiseConfig


@dataclass(frozen=True)
class SenseConfig(DetectorParameters, NoiseConfig):
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
    scan_rate: float = parameter(10.0, 'rate of scans', low=0.1, high=1000.0, unit='Hz')
    scan_step: float = parameter(
        0.035, 'angle between the rays of a scan', low=0.001, high=0.5, unit='rad'
    )
    scan_near: float = parameter(
        0.05, 'least range of scans and distance sensors', low=0.0, high=10.0, unit='m'
    )
    scan_far: float = parameter(
        10.0, 'greatest range of scans and distance sensors', low=0.1, high=100.0, unit='m'
    )
    scan_noise: RangeNoise = group(
        RangeNoise(range_fraction=0.0, range_std=0.01), 'scans and distance sensors'
    )
    scan_height: float = parameter(
        0.3,
        'height of the sensor of landmarks and scans above the frame of a robot',
        low=0.0,
        high=10.0,
        unit='m',
    )
    distance_rate: float = parameter(
        10.0, 'rate of distance sensors', low=0.1, high=1000.0, unit='Hz'
    )

    detection_rate: float = parameter(2.0, 'rate of detections', low=0.1, high=1000.0, unit='Hz')
    least_pixels: int = parameter(
        LEAST_PIXELS,
        'visible pixels, of 320 x 240, from which an entity is detected',
        low=1,
        high=76_800,
    )
    least_share: float = parameter(
        0.0,
        'visible part of the pixels that an entity would have with nothing in the way, from which '
        'it is detected; above 0: an image more for each entity',
        low=0.0,
        high=1.0,
    )
    original_detection: bool = parameter(
        False, 'entities are detected by their boxes and origins, as in SIGVerse'
    )
    voice_radius: float = parameter(
        -1.0,
        'how far texts and sounds of ROS nodes reach; negative: everywhere',
        low=-1.0,
        high=1e6,
        unit='m',
    )
    image_rate: float = parameter(5.0, 'rate of images', low=0.1, high=1000.0, unit='Hz')
    depth_rate: float = parameter(5.0, 'rate of depth images', low=0.1, high=1000.0, unit='Hz')
    segmentation_rate: float = parameter(
        10.0, 'rate of segmentation images', low=0.1, high=1000.0, unit='Hz'
    )
    image_width: int = parameter(
        320, 'width of all images', low=1, high=LARGEST_SIZE, unit='pixels'
    )
    image_height: int = parameter(
        240, 'height of all images', low=1, high=LARGEST_SIZE, unit='pixels'
    )
    image_quality: Quality = parameter(
        Quality.FAST,
        'images without shadows and smooth edges, or with both at nine times the cost',
    )

    @property
    def visibility_rule(self) -> VisibilityRule:
        """Which entities cameras see."""
        return VisibilityRule(self.least_pixels, self.least_share, self.original_detection)

    def __post_init__(self) -> None:
        """
        Validate landmarks and ranges.

        Raises
        ------
        ConfigurationError
            A landmark has no y, or no range is between the least and the greatest one.

        """
        NoiseConfig.__post_init__(self)
        DetectorParameters.__post_init__(self)
        if self.scan_near >= self.scan_far:
            raise ConfigurationError(
                f'scan_near is {self.scan_near} m; it must be below scan_far, {self.scan_far} m'
            )

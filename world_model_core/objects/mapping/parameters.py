# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Parameters of the object map: assumptions about detectors and rooms, each with its reason."""

from __future__ import annotations

from dataclasses import dataclass

from world_model_core.errors import ConfigurationError
from world_model_core.parameters import check_parameters, quantity

__all__ = ['ObjectMapParameters']


@dataclass(frozen=True, slots=True)
class ObjectMapParameters:
    """
    Assumptions of the object map; each field's metadata has unit, limits and meaning.

    None of them depends on the accuracy of the detector, which is in its covariances. The gates
    are chi-square quantiles with 3 degrees of freedom.

    Raises
    ------
    ConfigurationError
        If a value is outside its limits, or two values contradict each other.

    """

    # 99.9 % of the true matches pass; 7.815 (95 %) would start a duplicate for one in twenty.
    update_gate: float = quantity(
        16.266,
        '',
        1.0,
        100.0,
        'squared Mahalanobis distance up to which a detection updates an object',
    )
    # 1.4 in a million true matches lie beyond.
    birth_gate: float = quantity(
        30.0,
        '',
        1.0,
        400.0,
        'squared Mahalanobis distance beyond which a detection starts an object',
    )
    # One in a hundred duplicates is not merged until more detections have been fused.
    merge_gate: float = quantity(
        11.345, '', 0.1, 100.0, 'squared Mahalanobis distance up to which two objects are merged'
    )
    # Clutter coincides with an earlier detection by chance; three coincidences are improbable.
    confirm_hits: int = quantity(4, '', 1, 1000, 'detections after which an object is confirmed')
    # Common detectors mislabel one object in twenty; larger values mix neighboring classes.
    label_flicker: float = quantity(0.05, '', 1e-6, 0.5, 'probability of a wrong label')
    # 0.3 false or new detections per frame in a room of 60 m^3. A fifth of it costs 4 % of recall
    # in simulated rooms with sigma = 0.3 m, four times as much makes 1 % duplicates.
    clutter_density: float = quantity(
        0.005, '1/m^3', 1e-9, 100.0, 'density of false detections and new objects per frame'
    )
    # Initial value; the map estimates its own.
    detection_probability: float = quantity(
        0.5, '', 0.05, 0.99, 'initial probability that an object in view is detected'
    )
    # A detection within this distance shows that its place was in view: the size of furniture.
    neighborhood: float = quantity(
        1.5,
        'm',
        0.01,
        20.0,
        'without a camera view: places this close to a detection were in view',
    )
    unknown_std: float = quantity(
        0.3, 'm', 1e-3, 10.0, 'standard deviation of a position without a covariance'
    )
    # A millimeter: below it calibration errors dominate.
    least_std: float = quantity(
        0.002, 'm', 1e-6, 1.0, 'standard deviation added to every position'
    )
    # A less accurate detection does not determine which object of a room it shows.
    most_std: float = quantity(3.0, 'm', 0.01, 100.0, 'maximum standard deviation of a position')
    farthest: float = quantity(
        1e5, 'm', 1.0, 1e7, 'maximum distance of a position from the origin'
    )
    # Boxes from a detector have a relative error of about a tenth, and that of their position.
    size_error: float = quantity(0.1, '', 1e-3, 2.0, 'relative error of a detected size')
    heading_std: float = quantity(
        0.2, 'rad', 1e-3, 3.0, 'standard deviation of a detected heading'
    )
    # A tentative object at a place that is not visited again is discarded after this time.
    tentative_life: float = quantity(
        60.0, 's', 0.1, 1e6, 'time after which a tentative object is discarded'
    )
    missing_life: float = quantity(
        30.0, 's', 0.1, 1e6, 'time after which a missing object is deleted'
    )
    # One in twenty: a usual level of significance.
    missing_probability: float = quantity(
        0.05, '', 1e-6, 0.5, 'probability of presence below which an object is missing'
    )
    # Fifteen misses in view at one half undo it, so that moved objects are deleted within seconds.
    most_certain: float = quantity(0.999, '', 0.5, 0.999999, 'maximum probability of presence')
    # More than 40 frames show of an object at one half. In simulated rooms with sigma = 0.3 m, 8
    # find 94.6 % of the objects, 16 97.5 %, 24 and 32 98.0 %.
    window: int = quantity(24, '', 2, 256, 'detections of each object kept for joint association')
    # Bounds the time of a frame to some 0.1 s in the densest places.
    joint_association_limit: int = quantity(
        128, '', 2, 10000, 'maximum number of objects in a joint association'
    )
    lateness: float = quantity(
        1.0, 's', 0.0, 3600.0, 'maximum age of a frame relative to the newest'
    )
    leap: float = quantity(60.0, 's', 1e-3, 1e9, 'maximum step of stamps into the future')
    # Detectors report at most 100 to 300 objects of an image.
    frame_limit: int = quantity(500, '', 1, 100000, 'maximum number of detections of a frame')
    object_limit: int = quantity(200_000, '', 1, 10_000_000, 'maximum number of objects')
    label_limit: int = quantity(4096, '', 1, 1_000_000, 'maximum number of labels, and of colors')
    label_length: int = quantity(128, '', 1, 256, 'maximum length of a label')
    tombstone_limit: int = quantity(100_000, '', 0, 10_000_000, 'maximum number of tombstones')

    def __post_init__(self) -> None:
        """Check all values."""
        check_parameters(self)
        if self.birth_gate < self.update_gate:
            raise ConfigurationError(
                f'birth_gate is {self.birth_gate}, below update_gate, {self.update_gate}'
            )

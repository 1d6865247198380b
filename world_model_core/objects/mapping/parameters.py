# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What the object map assumes of detectors and rooms, each number with its reason."""

from __future__ import annotations

from dataclasses import dataclass

from world_model_core.errors import ConfigurationError
from world_model_core.parameters import check_parameters, quantity

__all__ = ['ObjectMapParameters']


@dataclass(frozen=True, slots=True)
class ObjectMapParameters:
    """
    What the map assumes; each field's metadata has unit, limits and meaning.

    None of them depends on how accurate the detector is: that is in its covariances. The gates
    are chi-square quantiles with 3 degrees of freedom.

    Raises
    ------
    ConfigurationError
        If a value is outside its limits, or two values contradict each other.

    """

    # 99.9 % of the true matches pass; with 7.815 (95 %) one in twenty would be born again.
    update_gate: float = quantity(
        16.266, '', 1.0, 100.0, 'squared Mahalanobis distance up to which a detection updates'
    )
    # 1.4 in a million true matches lie beyond.
    birth_gate: float = quantity(
        30.0, '', 1.0, 400.0, 'squared Mahalanobis distance from which a new object may begin'
    )
    # One in a hundred pairs that are one object stays two, until more is known of them.
    merge_gate: float = quantity(
        11.345, '', 0.1, 100.0, 'squared Mahalanobis distance up to which two objects may be one'
    )
    # By chance a false detection coincides with another; three times is beyond chance.
    confirm_hits: int = quantity(4, '', 1, 1000, 'frames that must show an object')
    # Common detectors name one object in twenty wrongly; more would blur classes side by side.
    label_flicker: float = quantity(
        0.05, '', 1e-6, 0.5, 'part of the detections that carry a wrong label'
    )
    # Of what a frame shows that is not known: 0.3 false or new detections in a room of 60 m^3. A
    # fifth of it costs 4 % of recall in simulated rooms with sigma = 0.3 m, four times as much
    # makes 1 % duplicates.
    clutter_density: float = quantity(
        0.005, '1/m^3', 1e-9, 100.0, 'false detections and new objects, per frame'
    )
    # Where nothing is known yet; the map learns its own.
    detection_probability: float = quantity(
        0.5, '', 0.05, 0.99, 'of an object in view, before any was seen'
    )
    # A detection within this distance shows that its frame looked there: furniture's size.
    neighborhood: float = quantity(
        1.5, 'm', 0.01, 20.0, 'what lies so close to a detection was in view, where none is given'
    )
    unknown_std: float = quantity(
        0.3, 'm', 1e-3, 10.0, 'standard deviation of a position that came without a covariance'
    )
    # A millimetre: below it calibration, not noise, is what errs.
    least_std: float = quantity(
        0.002, 'm', 1e-6, 1.0, 'added to every position, so that no covariance is singular'
    )
    # A detection vaguer than a room says nothing of which object it shows.
    most_std: float = quantity(3.0, 'm', 0.01, 100.0, 'a vaguer position is dropped')
    farthest: float = quantity(1e5, 'm', 1.0, 1e7, 'a position farther from the origin is wrong')
    # Boxes from a detector are off by about a tenth, and by what their position is off.
    size_error: float = quantity(0.1, '', 1e-3, 2.0, 'relative error of a detected size')
    heading_std: float = quantity(0.2, 'rad', 1e-3, 3.0, 'of a detected heading')
    # A tentative object of a place that is never seen again is forgotten after this.
    tentative_life: float = quantity(
        60.0, 's', 0.1, 1e6, 'how long an unconfirmed object waits for its next detection'
    )
    missing_life: float = quantity(
        30.0, 's', 0.1, 1e6, 'how long an object is missing before it is deleted'
    )
    # One in twenty: as surely as statistics rejects.
    missing_probability: float = quantity(
        0.05, '', 1e-6, 0.5, 'an object is missing below this probability that it is there'
    )
    # Fifteen misses in view at one half undo it, so that what was moved goes within seconds.
    most_certain: float = quantity(
        0.999, '', 0.5, 0.999999, 'no object is believed in more than this'
    )
    # More than 40 frames show of an object at one half. In simulated rooms with sigma = 0.3 m, 8
    # find 94.6 % of the objects, 16 97.5 %, 24 and 32 98.0 %.
    window: int = quantity(
        24, '', 2, 256, 'detections of each object that are kept to assign them again'
    )
    # Bounds the time of a frame, to some 0.1 s in the densest places.
    joint_association_limit: int = quantity(
        128, '', 2, 10000, 'objects whose detections are assigned again after one frame'
    )
    lateness: float = quantity(
        1.0, 's', 0.0, 3600.0, 'how much older than the newest frame one may be'
    )
    leap: float = quantity(
        60.0, 's', 1e-3, 1e9, 'a frame so far ahead is believed once the next one agrees'
    )
    # Detectors tell 100 to 300 things of a picture at most.
    frame_limit: int = quantity(500, '', 1, 100000, 'detections taken of one frame')
    object_limit: int = quantity(200_000, '', 1, 10_000_000, 'objects in the map')
    label_limit: int = quantity(4096, '', 1, 1_000_000, 'different labels, and colours')
    label_length: int = quantity(128, '', 1, 256, 'characters of a label')
    tombstone_limit: int = quantity(100_000, '', 0, 10_000_000, 'records of deleted objects')

    def __post_init__(self) -> None:
        """Refuse what no map could work with."""
        check_parameters(self)
        if self.birth_gate < self.update_gate:
            raise ConfigurationError(
                f'birth_gate is {self.birth_gate}; it must be at least update_gate, '
                f'{self.update_gate}'
            )

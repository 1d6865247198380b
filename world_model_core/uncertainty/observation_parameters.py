# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What a sensor is like: its sources of errors, and the order in which they act."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from world_model_core.parameters import check_parameters, group, read_parameters, setting
from world_model_core.uncertainty.clutter import Clutter
from world_model_core.uncertainty.field_of_view import PlanarFieldOfView
from world_model_core.uncertainty.missed_detection import MissedDetection
from world_model_core.uncertainty.occlusion import LastingOcclusion, Occlusion
from world_model_core.uncertainty.sensor_bias import SensorBias
from world_model_core.uncertainty.sensor_drift import SensorDrift
from world_model_core.uncertainty.sensor_noise import RangeBearingNoise

if TYPE_CHECKING:
    from collections.abc import Mapping

    from world_model_core.uncertainty.landmark_detections import SensorErrorSource

__all__ = ['ErrorOrder', 'ObservationParameters', 'read_observation']


class ErrorOrder(Enum):
    """
    In what order the sources of `ObservationParameters` act.

    The place of `missed_detection` changes no reading; early, it saves work. `clutter`
    stands first in both: the lecture replaces the landmark's position, which then is measured.
    """

    LECTURE = (
        'clutter',
        'field_of_view',
        'missed_detection',
        'noise',
        'bias',
        'drift',
        'lasting_occlusion',
        'occlusion',
    )
    """
    Chapter 4.3's: the deviation of ranges is a part of the true distance, and so is their bias;
    occlusion pushes away the measured range.
    """

    LNPR = (
        'clutter',
        'lasting_occlusion',
        'occlusion',
        'field_of_view',
        'missed_detection',
        'bias',
        'drift',
        'noise',
    )
    """
    That of LNPR's program: occlusion pushes away the true distance, before it is known what is in
    view, so that what is too near to be seen may come into view; the deviation of ranges is a
    part of the distance with its bias.
    """


@dataclass(frozen=True, slots=True)
class ObservationParameters:
    """
    A sensor that measures range and bearing of landmarks.

    Parameters
    ----------
    field_of_view : PlanarFieldOfView
    noise : RangeBearingNoise
    bias : SensorBias
    drift : SensorDrift
    clutter : Clutter
    missed_detection : MissedDetection
    occlusion : Occlusion
    lasting_occlusion : LastingOcclusion
    order : ErrorOrder
        In which these act.

    Raises
    ------
    ConfigurationError
        A source is of another class.

    """

    field_of_view: PlanarFieldOfView = group(PlanarFieldOfView())
    noise: RangeBearingNoise = group(RangeBearingNoise())
    bias: SensorBias = group(SensorBias())
    drift: SensorDrift = group(SensorDrift())
    clutter: Clutter = group(Clutter())
    missed_detection: MissedDetection = group(MissedDetection())
    occlusion: Occlusion = group(Occlusion())
    lasting_occlusion: LastingOcclusion = group(LastingOcclusion())
    order: ErrorOrder = setting(ErrorOrder.LNPR, 'in which the sources act')

    def __post_init__(self) -> None:
        """Refuse what is no source, or another one."""
        check_parameters(self)

    def sources(self) -> dict[str, SensorErrorSource]:
        """List those that are on by name, in the order in which they act."""
        listed: dict[str, SensorErrorSource] = {
            name: getattr(self, name) for name in self.order.value
        }
        return {name: source for name, source in listed.items() if source.is_on()}


# What the lecture's figures show, section by section, all at once. It leaves open what LNPR
# decides: view, deviations and rectangle. In its text the false landmarks' rectangle and the bias
# have no numbers at all.
LECTURE = ObservationParameters(
    clutter=Clutter(probability=0.5),
    missed_detection=MissedDetection(probability=0.1),
    occlusion=Occlusion(probability=0.5),
    order=ErrorOrder.LECTURE,
)
# The defaults of LNPR's class Camera.
LNPR = ObservationParameters()


def read_observation(document: Mapping[str, Any]) -> ObservationParameters:
    """
    Make parameters of what YAML holds: the fields of each source by its name, and the order.

    Parameters
    ----------
    document : mapping
        Sources and fields that are absent have their defaults, and sources that are null are off;
        a view there always is. `order` is `lecture` or `lnpr`.

    Raises
    ------
    ConfigurationError
        There is no such source, field or order, or a value is outside its limits.

    """
    return read_parameters(ObservationParameters, document)

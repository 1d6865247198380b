# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Parameters of the error sources of a sensor, and the order in which they act."""

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
    Order in which the sources of `ObservationParameters` act.

    The place of `missed_detection` changes no reading; early, it saves work. `clutter`
    is first in both: the lecture replaces the position of the landmark before it is measured.
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
    Order of chapter 4.3: noise and bias of ranges are fractions of the true distance; occlusion
    increases the measured range.
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
    Order of LNPR's program: occlusion increases the true distance before the test of the field of
    view, so a landmark that is too near may come into view; the noise of ranges is a fraction of
    the biased distance.
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
        Order in which the sources act.

    Raises
    ------
    ConfigurationError
        A source has the wrong class.

    """

    field_of_view: PlanarFieldOfView = group(PlanarFieldOfView())
    noise: RangeBearingNoise = group(RangeBearingNoise())
    bias: SensorBias = group(SensorBias())
    drift: SensorDrift = group(SensorDrift())
    clutter: Clutter = group(Clutter())
    missed_detection: MissedDetection = group(MissedDetection())
    occlusion: Occlusion = group(Occlusion())
    lasting_occlusion: LastingOcclusion = group(LastingOcclusion())
    order: ErrorOrder = setting(ErrorOrder.LNPR, 'order in which the sources act')

    def __post_init__(self) -> None:
        """Validate the classes of the sources."""
        check_parameters(self)

    def sources(self) -> dict[str, SensorErrorSource]:
        """Return the sources that are on by name, in the order in which they act."""
        listed: dict[str, SensorErrorSource] = {
            name: getattr(self, name) for name in self.order.value
        }
        return {name: source for name, source in listed.items() if source.is_on()}


# All sources of the lecture's figures. The field of view, the deviations and the rectangle
# of clutter are LNPR's; the lecture has no numbers for them.
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
    Convert a mapping of sources and the order, as read from YAML, to parameters.

    Parameters
    ----------
    document : mapping
        Absent sources and fields have their defaults, null sources are off; `field_of_view`
        cannot be null. `order` is `lecture` or `lnpr`.

    Returns
    -------
    ObservationParameters

    Raises
    ------
    ConfigurationError
        A source, field or order is unknown, or a value is outside its limits.

    """
    return read_parameters(ObservationParameters, document)

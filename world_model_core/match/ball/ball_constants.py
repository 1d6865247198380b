# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Constants of a ball on a carpet and in the air."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from enum import Enum
from typing import TYPE_CHECKING

from world_model_core.errors import ConfigurationError
from world_model_core.parameters import check_parameters, quantity, setting

if TYPE_CHECKING:
    from world_model_core.match.ssl.geometry_values import ChipModel, StraightModel

__all__ = ['BallConstants', 'BallParameters', 'RollingModel']

# Standard deviations of height and vertical speed of a ball on the carpet [m, m/s].
FLAT_STD, LEVEL_STD = 1e-3, 1e-2


class RollingModel(str, Enum):
    """Model of how a ball on the carpet slows down."""

    TWO_PHASE = 'two_phase'
    CONSTANT = 'constant'
    EXPONENTIAL = 'exponential'


@dataclass(frozen=True, slots=True)
class BallConstants:
    """
    Constants of ball and carpet; the metadata of each field has unit, limits and meaning.

    The defaults are the SSL_GeometryModels that vision sent on the Division A field of RoboCup
    2022.
    """

    slide_acceleration: float = quantity(
        -2.79, 'm/s^2', -50.0, -1e-3, 'acceleration of a kicked ball that still slides'
    )
    roll_acceleration: float = quantity(
        -0.33, 'm/s^2', -20.0, -1e-3, 'acceleration of a rolling ball'
    )
    switch_ratio: float = quantity(
        0.7,
        '',
        0.0,
        1.0,
        'ratio of the speed at the switch from sliding to rolling to the kick speed',
    )
    damping_xy_first_hop: float = quantity(
        0.6, '', 0.0, 1.0, 'ratio of horizontal speed after to before the first bounce'
    )
    damping_xy_other_hops: float = quantity(
        0.95, '', 0.0, 1.0, 'ratio of horizontal speed after to before each later bounce'
    )
    damping_z: float = quantity(
        0.7, '', 0.0, 0.95, 'ratio of vertical speed after to before each bounce'
    )


@dataclass(frozen=True, slots=True)
class BallParameters(BallConstants):
    """
    All constants of a ball, validated; the metadata of each field has unit, limits and meaning.

    Six of them come from the seed (ball tracking design, `struct Config`). `with_models` replaces
    the BallConstants by those received from vision.

    Raises
    ------
    ConfigurationError
        If a value is outside its limits, or two values contradict each other.

    """

    deceleration: float = quantity(
        0.7, 'm/s^2', 1e-3, 20.0, "deceleration of a rolling ball in the rolling model 'constant'"
    )
    gravity: float = quantity(
        -9.81, 'm/s^2', -30.0, -0.1, 'vertical acceleration, z = z0 + v t + g t^2 / 2'
    )
    air_resistance: float = quantity(
        0.0,
        '1/s',
        0.0,
        100.0,
        "c of dv/dt = -c v, in the rolling model 'exponential' and in flight",
    )
    height_threshold: float = quantity(0.05, 'm', 1e-3, 1.0, 'height above which a ball is FLYING')
    speed_threshold: float = quantity(
        0.1, 'm/s', 1e-3, 5.0, 'speed from which a STOPPED ball is ROLLING'
    )
    stop_threshold: float = quantity(
        0.05, 'm/s', 1e-3, 5.0, 'speed below which a ROLLING ball is STOPPED'
    )
    rolling_model: RollingModel = setting(
        RollingModel.TWO_PHASE, "rolling model: 'two_phase', 'constant' or 'exponential'"
    )
    # The smallest bounce of TIGERs.
    smallest_bounce: float = quantity(
        0.01, 'm', 1e-4, 1.0, 'a ball rolls when its next bounce would be lower than this'
    )
    # SSL rules: an orange golf ball, 43 mm in diameter.
    radius: float = quantity(0.0215, 'm', 1e-3, 0.2, 'radius of the ball')

    def __post_init__(self) -> None:
        """Validate the constants."""
        object.__setattr__(self, 'rolling_model', _check_rolling_model(self.rolling_model))
        check_parameters(self)
        self._check_drag()
        if self.stop_threshold > self.speed_threshold:
            raise ConfigurationError(
                f'stop_threshold: {self.stop_threshold} m/s is above speed_threshold, '
                f'{self.speed_threshold} m/s'
            )

    def _check_drag(self) -> None:
        """Reject a drag too small for the closed forms, or missing where the model needs it."""
        needed = self.rolling_model is RollingModel.EXPONENTIAL
        if self.air_resistance < 1e-3 and (needed or self.air_resistance != 0.0):
            limit = "the minimum 0.001 1/s of the rolling model 'exponential'"
            if not needed:
                limit = 'the minimum 0.001 1/s (0 switches drag off)'
            raise ConfigurationError(f'air_resistance: {self.air_resistance} 1/s is below {limit}')

    def with_models(
        self, straight: StraightModel | None, chip: ChipModel | None
    ) -> BallParameters:
        """
        Replace the configured constants by those received from vision.

        Parameters
        ----------
        straight, chip
            The models of SSL_GeometryData; None where the packet has none.

        Raises
        ------
        ConfigurationError
            If a received constant is outside the limits of its field.

        """
        models = (model for model in (straight, chip) if model is not None)
        wire = {item.name: getattr(model, item.name) for model in models for item in fields(model)}
        return replace(self, **wire)


def _check_rolling_model(model: RollingModel | str) -> RollingModel:
    """Convert the name of a rolling model."""
    try:
        return RollingModel(model)
    except ValueError:
        names = ', '.join(item.value for item in RollingModel)
        raise ConfigurationError(f'rolling_model: {model!r} is not one of {names}') from None

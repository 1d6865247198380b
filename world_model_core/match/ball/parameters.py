# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The constants of a ball on a carpet and in the air."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from enum import Enum
from typing import TYPE_CHECKING

from world_model_core.errors import ConfigurationError
from world_model_core.parameters import check_parameters, quantity, setting

if TYPE_CHECKING:
    from world_model_core.match.ssl.values import ChipModel, StraightModel

__all__ = ['BallConstants', 'BallParameters', 'RollingLaw']


class RollingLaw(str, Enum):
    """How a ball on the carpet slows down."""

    TWO_PHASE = 'two_phase'
    CONSTANT = 'constant'
    EXPONENTIAL = 'exponential'


@dataclass(frozen=True, slots=True)
class BallConstants:
    """
    How carpet and ball are; each field's metadata has unit, limits and meaning.

    The values are those that the vision of the RoboCup 2022 Division A field sent in its
    SSL_GeometryModels.
    """

    slide_acceleration: float = quantity(
        -2.79, 'm/s^2', -50.0, -1e-3, 'of a kicked ball that still slides'
    )
    roll_acceleration: float = quantity(-0.33, 'm/s^2', -20.0, -1e-3, 'of a ball that rolls')
    switch_ratio: float = quantity(
        0.7, '', 0.0, 1.0, 'part of the kick speed at which sliding turns into rolling'
    )
    damping_xy_first_hop: float = quantity(
        0.6, '', 0.0, 1.0, 'part of the horizontal velocity kept at the first bounce'
    )
    damping_xy_other_hops: float = quantity(
        0.95, '', 0.0, 1.0, 'part of the horizontal velocity kept at a later bounce'
    )
    damping_z: float = quantity(0.7, '', 0.0, 0.95, 'part of the vertical speed kept at a bounce')


@dataclass(frozen=True, slots=True)
class BallParameters(BallConstants):
    """
    A ball's constants, valid as a whole; each field's metadata has unit, limits and meaning.

    Six of its own are the seed's (ball tracking design, `struct Config`); `with_models` replaces
    the BallConstants by what is on the wire.

    Raises
    ------
    ConfigurationError
        If a value is outside its limits, or two values contradict each other.

    """

    deceleration: float = quantity(
        0.7, 'm/s^2', 1e-3, 20.0, "slowing of a rolling ball under the law 'constant'"
    )
    gravity: float = quantity(
        -9.81, 'm/s^2', -30.0, -0.1, 'vertical acceleration, z = z0 + v t + g t^2 / 2'
    )
    air_resistance: float = quantity(
        0.0, '1/s', 0.0, 100.0, "c of dv/dt = -c v: of the law 'exponential', and in flight"
    )
    height_threshold: float = quantity(0.05, 'm', 1e-3, 1.0, 'a ball above this height is FLYING')
    speed_threshold: float = quantity(
        0.1, 'm/s', 1e-3, 5.0, 'a ball at rest is ROLLING from this speed on'
    )
    stop_threshold: float = quantity(
        0.05, 'm/s', 1e-3, 5.0, 'a moving ball is STOPPED below this speed'
    )
    law: RollingLaw = setting(
        RollingLaw.TWO_PHASE, "rolling law: 'two_phase', 'constant' or 'exponential'"
    )
    # TIGERs' smallest hop.
    smallest_hop: float = quantity(
        0.01, 'm', 1e-4, 1.0, 'a ball that would rise less than this rolls'
    )
    # SSL rules: an orange golf ball, 43 mm across.
    radius: float = quantity(
        0.0215, 'm', 1e-3, 0.2, "height of the ball's centre when it lies on the carpet"
    )

    def __post_init__(self) -> None:
        """Refuse what no ball could have."""
        object.__setattr__(self, 'law', _check_law(self.law))
        check_parameters(self)
        self._check_drag()
        if self.stop_threshold > self.speed_threshold:
            raise ConfigurationError(
                f'stop_threshold is {self.stop_threshold}; it must not exceed speed_threshold, '
                f'{self.speed_threshold} m/s'
            )

    def _check_drag(self) -> None:
        """Refuse a drag too small for its closed forms, and none where the law needs one."""
        needed = self.law is RollingLaw.EXPONENTIAL
        if self.air_resistance < 1e-3 and (needed or self.air_resistance != 0.0):
            limit = "at least 0.001 1/s under the law 'exponential'"
            if not needed:
                limit = '0 or at least 0.001 1/s'
            raise ConfigurationError(
                f'air_resistance is {self.air_resistance}; it must be {limit}'
            )

    def with_models(
        self, straight: StraightModel | None, chip: ChipModel | None
    ) -> BallParameters:
        """
        Let the constants on the wire win over the configured ones.

        Parameters
        ----------
        straight, chip
            The models of SSL_GeometryData; None where the packet has none.

        Raises
        ------
        ConfigurationError
            If a constant on the wire is outside the limits of its field.

        """
        models = (model for model in (straight, chip) if model is not None)
        wire = {item.name: getattr(model, item.name) for model in models for item in fields(model)}
        return replace(self, **wire)


def _check_law(law: RollingLaw | str) -> RollingLaw:
    """Accept a rolling law by its name."""
    try:
        return RollingLaw(law)
    except ValueError:
        names = ', '.join(item.value for item in RollingLaw)
        raise ConfigurationError(f'law is {law!r}; it must be one of {names}') from None

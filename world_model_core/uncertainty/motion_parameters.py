# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Which sources of uncertainty act on motion, and how strongly; two presets.

`LECTURE` is chapter 4 of Ueda's lecture, all sources on, and `LNPR` what the program of his book
does by default. Where they are ambiguous:

==================  ==============================  =============================================
question            lecture, and `LECTURE`          LNPR, and `LNPR`
==================  ==============================  =============================================
pebbles along what  the path                        the path and 0.2 m for each radian turned
how many in a step  as many as there are            one at most, at its end: here as in `LECTURE`
mean of the bias    0: an error, here 1 as drawn    1, a factor
stuck, kidnapped    60 s and 60 s, 5 s              off: mean times of 1e100 s
heading after that  from -pi to pi                  from 0 to 2 pi
kidnapped if stuck  does not say: stays stuck       stays stuck
==================  ==============================  =============================================

All use velocities that are biased, and none while stuck, as LNPR does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from world_model_core.parameters import check_parameters, group, read_parameters
from world_model_core.uncertainty.kidnapping import KidnapParameters
from world_model_core.uncertainty.pebble_noise import PebbleParameters
from world_model_core.uncertainty.stuck_robots import StuckParameters
from world_model_core.uncertainty.velocity_bias import VelocityBiasParameters

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ['MotionParameters', 'read_motion']


@dataclass(frozen=True, slots=True)
class MotionParameters:
    """
    Of each source of uncertainty; None switches it off.

    Raises
    ------
    ConfigurationError
        A source is of another class.

    """

    pebbles: PebbleParameters | None = group(None, kind=PebbleParameters)
    velocity_bias: VelocityBiasParameters | None = group(None, kind=VelocityBiasParameters)
    stuck: StuckParameters | None = group(None, kind=StuckParameters)
    kidnap: KidnapParameters | None = group(None, kind=KidnapParameters)

    def __post_init__(self) -> None:
        """Refuse what is no source, or another one."""
        check_parameters(self)


def read_motion(document: Mapping[str, Mapping[str, float] | None]) -> MotionParameters:
    """
    Make parameters of what YAML holds: the fields of each source by its name.

    Parameters
    ----------
    document : mapping
        As `dataclasses.asdict` writes it; sources that are absent, or null, are off, and fields
        that are absent have their defaults.

    Raises
    ------
    ConfigurationError
        There is no such source or field, or a value is outside its limits.

    """
    return read_parameters(MotionParameters, document)


LECTURE = MotionParameters(
    pebbles=PebbleParameters(),
    velocity_bias=VelocityBiasParameters(),
    stuck=StuckParameters(),
    kidnap=KidnapParameters(),
)
LNPR = MotionParameters(
    pebbles=PebbleParameters(turning_radius=0.2),
    velocity_bias=VelocityBiasParameters(),
)

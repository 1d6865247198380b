# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Parameters of the error sources of motion, with two presets.

`LECTURE` is chapter 4 of Ueda's lecture with all sources on, `LNPR` the defaults of the program of
his book. Decisions where they are ambiguous:

==================  ==============================  =============================================
question            lecture, and `LECTURE`          LNPR, and `LNPR`
==================  ==============================  =============================================
path of pebbles     the path                        the path and 0.2 m for each radian turned
pebbles in a step   any number                      at most one, at its end: here as in `LECTURE`
mean of the bias    0: an error, here 1 as drawn    1, a factor
stuck, kidnapped    60 s and 60 s, 5 s              off: mean times of 1e100 s
heading thereafter  from -pi to pi                  from 0 to 2 pi
kidnapped if stuck  not specified: stays stuck      stays stuck
==================  ==============================  =============================================

Velocities are biased, and zero while stuck, as in LNPR.
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
    Parameters of each error source; None switches a source off.

    Raises
    ------
    ConfigurationError
        A source has the wrong class.

    """

    pebbles: PebbleParameters | None = group(None, kind=PebbleParameters)
    velocity_bias: VelocityBiasParameters | None = group(None, kind=VelocityBiasParameters)
    stuck: StuckParameters | None = group(None, kind=StuckParameters)
    kidnap: KidnapParameters | None = group(None, kind=KidnapParameters)

    def __post_init__(self) -> None:
        """Validate the classes of the sources."""
        check_parameters(self)


def read_motion(document: Mapping[str, Mapping[str, float] | None]) -> MotionParameters:
    """
    Convert a mapping of sources, as read from YAML, to parameters.

    Parameters
    ----------
    document : mapping
        As written by `dataclasses.asdict`; absent and null sources are off, absent fields have
        their defaults.

    Returns
    -------
    MotionParameters

    Raises
    ------
    ConfigurationError
        A source or field is unknown, or a value is outside its limits.

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

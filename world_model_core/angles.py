# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Angles in radians: one convention at pi, one circular mean.

Wrapped angles are in (-pi, pi], as those of `atan2` and of `angles::normalize_angle` in ROS.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from world_model_core.gaussian import Array

__all__ = ['FULL_TURN', 'circular_mean', 'wrap_angle', 'wrap_angles']

FULL_TURN = 2.0 * math.pi


def wrap_angle(angle: float) -> float:
    """Return an angle [rad] plus the number of full turns that brings it into (-pi, pi]."""
    wrapped = math.remainder(angle, FULL_TURN)
    return wrapped if wrapped > -math.pi else math.pi


def wrap_angles(angles: Array) -> Array:
    """
    Return each angle [rad] plus the number of full turns that brings it into (-pi, pi].

    NaN stays NaN. The result is exact to some 4e-16 rad for angles up to a few turns.
    """
    turned = np.remainder(angles + math.pi, FULL_TURN)
    # A remainder of 0 stands for -pi. The test saves a copy, since it is rarely true.
    if (edge := turned == 0.0).any():
        turned = np.where(edge, FULL_TURN, turned)
    wrapped: Array = turned - math.pi
    return wrapped


def circular_mean(angles: Array, weights: Array) -> Array:
    """
    Return the weighted mean direction of angles along the last axis.

    Parameters
    ----------
    angles : array, shape (..., k)
        [rad]
    weights : array, shape (..., k)
        They need not sum to 1.

    Returns
    -------
    array, shape (...)
        In [-pi, pi] [rad]; 0 if all weights are 0.

    """
    sines, cosines = weights * np.sin(angles), weights * np.cos(angles)
    mean: Array = np.arctan2(sines.sum(axis=-1), cosines.sum(axis=-1))
    return mean

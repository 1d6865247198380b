# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Explanations of a reading by a Kalman filter: a landmark that is clear, occluded, or none at all.

The probabilities are those of probabilistic data association (Bar-Shalom, Li, Kirubarajan,
Estimation with Applications to Tracking and Navigation, 2001, 6.4), with the clutter and occlusion
of the sensor. A small part of all readings may be false also if the sensor has no clutter.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.special import ndtr

from world_model_core.gaussian import chi_square_gate, mahalanobis_squared
from world_model_core.uncertainty.quadrature import log_normal, log_probability
from world_model_core.uncertainty.range_density import RangeDensity

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.observation_parameters import ObservationParameters

__all__ = ['ReadingHypotheses', 'ReadingWeights', 'log_occluded_range']

# Probability of a false reading that no model of the sensor explains.
MISFIT = 1e-3


class ReadingWeights(NamedTuple):
    """
    Probabilities of the explanations of readings.

    `log_density` (...) of the readings; `clear` and `occluded` (...), the probabilities that the
    landmark was measured, and that only its bearing was.
    """

    log_density: Array
    clear: Array
    occluded: Array

    @property
    def false(self) -> Array:
        """Probabilities (...) that the reading is not of the landmark."""
        return np.maximum(1.0 - self.clear - self.occluded, 0.0)


class ReadingHypotheses:
    """
    Weighs the explanations of readings.

    Parameters
    ----------
    observation : ObservationParameters
        Clutter, occlusion and the end of the field of view are used.
    gate : float
        Probability that the reading of a clear landmark is accepted.

    Attributes
    ----------
    occludes : bool
        Whether landmarks may be occluded.

    """

    def __init__(self, observation: ObservationParameters, gate: float) -> None:
        self._gate = chi_square_gate(2, gate)
        self._false = max(observation.clutter.probability, MISFIT)
        self._area = observation.clutter.area()
        self._far = observation.field_of_view.far
        self._hidden = RangeDensity(observation).hidden
        self.occludes = self._hidden > 0.0

    def log_anywhere(self, ranges: Array) -> Array:
        """Return the log density (...) of readings of a landmark that is anywhere."""
        return log_probability(np.abs(ranges) / self._area)

    def weigh(self, ranges: Array, off: Array, spread: Array, excess: Array) -> ReadingWeights:
        """
        Weigh the explanations of readings.

        Parameters
        ----------
        ranges : array
            Measured ranges [m]; its shape broadcasts against (...).
        off : array, shape (..., 2)
            Innovations: measured minus predicted range [m] and bearing [rad].
        spread : array, shape (..., 2, 2)
            Covariances of the innovations of clear landmarks.
        excess : array, shape (..., 2, 2)
            Additional covariance after a rare event, by which readings are accepted.

        """
        log_real = log_probability(1.0 - self._false)
        log_clear = (
            log_real + log_probability(1.0 - self._hidden) + self._log_clear(off, spread, excess)
        )
        log_occluded = np.full_like(log_clear, -np.inf)
        if self.occludes:
            stds = np.sqrt(np.diagonal(spread, axis1=-2, axis2=-1))
            log_occluded = (
                log_real + math.log(self._hidden) + log_normal(off[..., 1], stds[..., 1])
            )
            log_occluded += log_occluded_range(
                ranges, ranges - off[..., 0], stds[..., 0], self._far
            )
        log_false = math.log(self._false) + self.log_anywhere(ranges)
        log_any = np.logaddexp(np.logaddexp(log_clear, log_occluded), log_false)
        return ReadingWeights(log_any, np.exp(log_clear - log_any), np.exp(log_occluded - log_any))

    def _log_clear(self, off: Array, spread: Array, excess: Array) -> Array:
        """Return the log density of readings of clear landmarks; -inf outside of the gate."""
        wide = spread + excess
        missed = mahalanobis_squared(off, wide)
        likely = np.maximum(
            _log_density(mahalanobis_squared(off, spread), spread), _log_density(missed, wide)
        )
        log_density: Array = np.where(missed <= self._gate, likely, -np.inf)
        return log_density


def log_occluded_range(ranges: Array, expected: Array, stds: Array, far: float) -> Array:
    """Return the log density of ranges that are uniform from the expected ones to `far` [m]."""
    width = far - expected
    inside = ndtr((ranges - expected) / stds) - ndtr((ranges - far) / stds)
    log_density: Array = np.full_like(width, -np.inf)
    np.log(inside / width, out=log_density, where=(width > 0.0) & (inside > 0.0))
    return log_density


def _log_density(missed: Array, spread: Array) -> Array:
    """Return the log of a normal density with squared Mahalanobis distances (...)."""
    determinants = np.linalg.det(spread)
    log_density: Array = -0.5 * (missed + np.log(determinants)) - math.log(2.0 * math.pi)
    return log_density

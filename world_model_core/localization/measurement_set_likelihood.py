# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Likelihood of a set of readings for a particle filter.

The exact density is 0 outside the field of view: a landmark that comes into view determines the
heading to a fraction of a degree, and none of a thousand particles would be left. The limits of
the field of view and missing readings are therefore ignored. Lasting errors are integrated out
by the estimate of each particle. Clutter and occlusion, whose exact densities cost a thousand
times as much, are taken without lasting errors, and with the same noise everywhere.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.angles import wrap_angles
from world_model_core.localization.reading_hypotheses import log_occluded_range
from world_model_core.localization.sensor_error_filter import SensorErrorFilter, SensorErrors
from world_model_core.uncertainty.quadrature import log_normal, log_probability
from world_model_core.uncertainty.range_bearing import observe_exactly
from world_model_core.uncertainty.range_density import RangeDensity

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.observation_parameters import ObservationParameters

__all__ = ['MeasurementSetLikelihood', 'WeighedReadings']

# Minimum standard deviation of ranges [m].
LEAST = 1e-9


class WeighedReadings(NamedTuple):
    """
    Likelihood of a set of readings.

    `log_density` (r, k) for each particle; `errors`: sensor errors estimated with the readings.
    """

    log_density: Array
    errors: SensorErrors


class MeasurementSetLikelihood:
    """
    Evaluates log p(z | x) of the landmarks that were read.

    Clutter is uniform in a rectangle of area A, so range and bearing have the density range / A
    at any pose. The range of an occluded landmark at a distance r is uniform from r to `far`.

    Parameters
    ----------
    parameters : ObservationParameters

    Attributes
    ----------
    noise : RangeBearingNoise
    lasting : SensorErrorFilter
        Filter of bias and drift.

    Raises
    ------
    ConfigurationError
        Ranges or bearings have no noise, and so no density.

    """

    def __init__(self, parameters: ObservationParameters) -> None:
        parameters.noise.check_density()
        self.noise, self._clutter = parameters.noise, parameters.clutter
        self._far = parameters.field_of_view.far
        density = RangeDensity(parameters)
        self._hidden, self._by_reading = density.hidden, density.hides_truth
        self.lasting = SensorErrorFilter(parameters.bias, parameters.drift)

    def weigh(
        self, readings: Array, poses: Array, landmarks: Array, errors: SensorErrors
    ) -> WeighedReadings:
        """
        Evaluate the likelihood, one landmark after the other.

        Parameters
        ----------
        readings : array, shape (r, m, 2)
            Range [m] and bearing [rad]; NaN without a reading.
        poses : array, shape (r, k, 3)
        landmarks : array, shape (m, 2)
        errors : SensorErrors
            Estimates before the readings.

        """
        total, errors = np.zeros(poses.shape[:2]), SensorErrors(*(a.copy() for a in errors))
        for number, place in enumerate(landmarks):
            rows = np.flatnonzero(~np.isnan(readings[:, number]).any(axis=1))
            if not len(rows):
                continue
            seen = observe_exactly(poses[rows].reshape(-1, 3), place[None])
            exact = seen.reshape(len(rows), -1, 2)
            one = self._weigh_one(readings[rows, None, number], exact, errors.take(rows))
            total[rows] += one.log_density
            errors.means[rows], errors.covariances[rows] = one.errors
        return WeighedReadings(total, errors)

    def _weigh_one(self, reading: Array, exact: Array, errors: SensorErrors) -> WeighedReadings:
        """Evaluate readings (r, 1, 2) of a landmark with exact readings (r, k, 2)."""
        expected = self.lasting.expect(errors, exact)
        off = reading - expected.readings
        off[..., 1] = wrap_angles(off[..., 1])
        noise = np.empty_like(off)
        noisy = expected.readings if self._by_reading else exact
        noise[..., 0] = np.maximum(self.noise.deviation(noisy[..., 0]), LEAST) ** 2
        noise[..., 1] = self.noise.bearing_std**2
        stds = np.sqrt(expected.variances + noise)
        log_range, log_bearing = np.moveaxis(log_normal(off, stds), -1, 0)
        log_clear = log_probability(1.0 - self._hidden) + log_range
        if self._hidden:
            ranges = reading[..., 0], expected.readings[..., 0], stds[..., 0]
            pushed = log_occluded_range(*ranges, self._far)
            log_range = np.logaddexp(log_clear, math.log(self._hidden) + pushed)
        log_real = log_probability(1.0 - self._clutter.probability) + log_range + log_bearing
        log_any = np.logaddexp(log_real, self._log_false(reading[..., 0]))
        real = _share(log_real, log_any)
        shares = np.stack((real * _share(log_clear, log_range), real), axis=-1)
        return WeighedReadings(log_any, self.lasting.correct(errors, expected, off, noise, shares))

    def _log_false(self, ranges: Array) -> Array:
        """Return the log of probability times density of range and bearing of clutter."""
        density = self._clutter.probability * np.abs(ranges) / self._clutter.area()
        return log_probability(density)


def _share(log_part: Array, log_whole: Array) -> Array:
    """Return a part as a fraction of the whole; 0 if the whole is 0."""
    possible = np.isfinite(log_whole)
    difference = np.subtract(
        log_part, log_whole, out=np.full_like(log_whole, -np.inf), where=possible
    )
    share: Array = np.exp(difference)
    return share

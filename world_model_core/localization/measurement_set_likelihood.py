# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
The law of a list of readings as a particle filter can use it.

The exact law falls to nothing at the edges of the view: a landmark that comes into view tells the
heading to a fraction of a degree, and of a thousand particles none is left. So edges, and what is
not read, tell nothing here. Errors that last are integrated out by the law that each particle
has of them; clutter and what is hidden, whose exact laws cost a thousand times as much, are
taken to be read without an error, and with noise of the same size anywhere.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.special import ndtr

from world_model_core.angles import wrap_angles
from world_model_core.localization.sensor_error_filter import SensorErrorFilter, SensorErrors
from world_model_core.uncertainty.quadrature import log_normal, log_probability
from world_model_core.uncertainty.range_bearing import observe_exactly
from world_model_core.uncertainty.range_density import RangeDensity

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.observation_parameters import ObservationParameters

__all__ = ['MeasurementSetLikelihood', 'WeighedReadings']

# Of a deviation that grows with the range, at none [m].
LEAST = 1e-9


class WeighedReadings(NamedTuple):
    """
    What a list says.

    `log_density` (r, k) of the list by particle; `errors`, those of the sensor after it.
    """

    log_density: Array
    errors: SensorErrors


class MeasurementSetLikelihood:
    """
    log p(z | x) of lists, of the landmarks that were read.

    A clutter's place is uniform in its rectangle, of area A, so that its range and bearing have
    the density range / A, wherever the pose is. What is hidden at a distance r is read at any
    range from r to `far`.

    Parameters
    ----------
    parameters : ObservationParameters

    Attributes
    ----------
    noise : RangeBearingNoise
    lasting : SensorErrorFilter
        Of bias and drift.

    Raises
    ------
    ConfigurationError
        Without noise of ranges, or of bearings, there is no density.

    """

    def __init__(self, parameters: ObservationParameters) -> None:
        parameters.noise.check_density()
        self.noise, self._clutter = parameters.noise, parameters.clutter
        self._far = parameters.field_of_view.far
        law = RangeDensity(parameters)
        self._hidden, self._by_reading = law.hidden, law.hides_truth
        self.lasting = SensorErrorFilter(parameters.bias, parameters.drift)

    def weigh(
        self, readings: Array, poses: Array, landmarks: Array, errors: SensorErrors
    ) -> WeighedReadings:
        """
        Evaluate the law of lists, one landmark after the other.

        Parameters
        ----------
        readings : array, shape (r, m, 2)
            Range [m] and bearing [rad]; NaN without a reading.
        poses : array, shape (r, k, 3)
        landmarks : array, shape (m, 2)
        errors : SensorErrors
            What is believed of them before.

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
        """Evaluate the law of readings (r, 1, 2) of what is exactly at (r, k, 2)."""
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
            pushed = self._log_pushed(reading[..., 0], expected.readings[..., 0], stds[..., 0])
            log_range = np.logaddexp(log_clear, math.log(self._hidden) + pushed)
        log_real = log_probability(1.0 - self._clutter.probability) + log_range + log_bearing
        log_any = np.logaddexp(log_real, self._log_false(reading[..., 0]))
        real = _share(log_real, log_any)
        shares = np.stack((real * _share(log_clear, log_range), real), axis=-1)
        return WeighedReadings(log_any, self.lasting.correct(errors, expected, off, noise, shares))

    def _log_pushed(self, ranges: Array, expected: Array, stds: Array) -> Array:
        """Give the log density of ranges from anywhere between those expected and `far`."""
        width = self._far - expected
        inside = ndtr((ranges - expected) / stds) - ndtr((ranges - self._far) / stds)
        log_density: Array = np.full_like(width, -np.inf)
        np.log(inside / width, out=log_density, where=(width > 0.0) & (inside > 0.0))
        return log_density

    def _log_false(self, ranges: Array) -> Array:
        """Give the log density of a clutter's range and bearing, its probability in it."""
        density = self._clutter.probability * np.abs(ranges) / self._clutter.area()
        return log_probability(density)


def _share(log_part: Array, log_whole: Array) -> Array:
    """Divide a part by the whole; of nothing it is nothing."""
    possible = np.isfinite(log_whole)
    difference = np.subtract(
        log_part, log_whole, out=np.full_like(log_whole, -np.inf), where=possible
    )
    share: Array = np.exp(difference)
    return share

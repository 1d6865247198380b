# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Estimates of the lasting errors of a sensor, bias and drift, by each particle.

For a known pose readings are linear in these errors: range = r (1 + b) + d + noise,
bearing = phi + b' + d' + noise. A particle is a known pose, so it has a Kalman filter of the
errors instead of samples (Rao-Blackwellized particle filter: Doucet, de Freitas, Murphy and
Russell, UAI 2000).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.uncertainty.input_checks import check_step

if TYPE_CHECKING:
    from typing import Any

    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.sensor_bias import SensorBias
    from world_model_core.uncertainty.sensor_drift import SensorDrift

__all__ = ['PredictedReadings', 'SensorErrorFilter', 'SensorErrors']

# Correlation time of the bias in the filter [s]. All particles descend from one particle some
# seconds ago, so a constant would be estimated too confidently (Kantas et al., On particle
# methods for parameter estimation in state-space models, Statistical Science 30, 2015). With 15 s
# the mean NEES is consistent; with 60 s it is a third too large, with 240 s two thirds.
MEMORY = 15.0


class SensorErrors(NamedTuple):
    """
    Normal distributions of the lasting errors of k particles of r filters.

    Ranges and bearings have two errors each: a bias, a fraction of the range or an angle [rad],
    and a drift, a length [m] or an angle [rad].
    """

    means: Array
    """Shape (r, k, 2 for range and bearing, 2 for bias and drift)."""
    covariances: Array
    """Shape (r, k, 2, 2, 2)."""

    def take(self, particles: Any) -> SensorErrors:
        """Return those of some particles, by any index of the first two axes."""
        return SensorErrors(self.means[particles], self.covariances[particles])

    def joined(self, others: SensorErrors) -> SensorErrors:
        """Return the errors of both sets of particles of the same filters."""
        pairs = zip(self, others, strict=True)
        return SensorErrors(*(np.concatenate(pair, axis=1) for pair in pairs))

    def pooled(self, weights: Array) -> SensorErrors:
        """Return the mixture over particles with weights (r, k) as one normal each, k = 1."""
        weights = weights[..., None, None]
        means = (weights * self.means).sum(axis=1, keepdims=True)
        off = self.means - means
        spread = self.covariances + off[..., :, None] * off[..., None, :]
        return SensorErrors(means, (weights[..., None] * spread).sum(axis=1, keepdims=True))

    def repeated(self, count: int) -> SensorErrors:
        """Return each of these `count` times."""
        return SensorErrors(*(np.repeat(array, count, axis=1) for array in self))


class PredictedReadings(NamedTuple):
    """Predicted readings of a landmark by each particle, without noise."""

    model: Array
    """Jacobian of range and bearing by the errors, shape (r, k, 2, 2)."""
    cross: Array
    """Covariances of the errors with range and bearing, shape (r, k, 2, 2)."""
    readings: Array
    """Range [m] and bearing [rad], shape (r, k, 2)."""
    variances: Array
    """Variances by the errors, shape (r, k, 2)."""


@dataclass(frozen=True, slots=True)
class SensorErrorFilter:
    """
    Kalman filter of the lasting errors of a sensor, one for each particle.

    Parameters
    ----------
    bias : SensorBias
    drift : SensorDrift

    """

    bias: SensorBias
    drift: SensorDrift

    def begin(self, runs: int, count: int) -> SensorErrors:
        """Return the prior distribution of the errors."""
        covariances = np.zeros((runs, count, 2, 2, 2))
        covariances[..., [0, 1], [0, 1]] = self._deviations() ** 2
        return SensorErrors(np.zeros((runs, count, 2, 2)), covariances)

    def predict(self, errors: SensorErrors, dt: float) -> SensorErrors:
        """
        Predict the errors over `dt` [s]; the bias with `MEMORY`.

        Raises
        ------
        InputError
            dt is not above 0, or too long.

        """
        check_step(dt)
        kept = np.exp(-dt / self._times())
        covariances = errors.covariances * (kept[:, :, None] * kept[:, None, :])
        covariances[..., [0, 1], [0, 1]] += self._deviations() ** 2 * (1.0 - kept**2)
        return SensorErrors(errors.means * kept, covariances)

    def expect(self, errors: SensorErrors, exact: Array) -> PredictedReadings:
        """Return the predicted readings for exact ranges and bearings, shape (r, k, 2)."""
        model = np.ones_like(errors.means)
        model[..., 0, 0] = exact[..., 0]
        cross = np.einsum('rkcij,rkcj->rkci', errors.covariances, model)
        readings = exact + (model * errors.means).sum(axis=-1)
        return PredictedReadings(model, cross, readings, (model * cross).sum(axis=-1))

    def correct(
        self,
        errors: SensorErrors,
        expected: PredictedReadings,
        off: Array,
        noise: Array,
        shares: Array,
    ) -> SensorErrors:
        """
        Correct the errors by readings.

        Parameters
        ----------
        errors : SensorErrors
        expected : PredictedReadings
            Prediction with these errors.
        off : array, shape (r, k, 2)
            Innovations.
        noise : array, shape (r, k, 2)
            Variances of the readings.
        shares : array, shape (r, k, 2)
            Probability that it is a reading of that landmark, from 0 to 1: the result is normal
            with the moments of the mixture of both cases (Bar-Shalom and Fortmann, Tracking and
            Data Association, 1988, 6.3).

        """
        gain = expected.cross / (expected.variances + noise)[..., None]
        change = gain * off[..., None]
        share = shares[..., None, None]
        known = share * gain[..., :, None] * expected.cross[..., None, :]
        unsure = share * (1.0 - share) * change[..., :, None] * change[..., None, :]
        return SensorErrors(
            errors.means + shares[..., None] * change, errors.covariances - known + unsure
        )

    def _deviations(self) -> Array:
        """Return the standard deviations of both errors of both channels, shape (2, 2)."""
        bias, drift = self.bias, self.drift
        return np.array(
            ((bias.range_fraction, drift.range_std), (bias.bearing_std, drift.bearing_std))
        )

    def _times(self) -> Array:
        """Return the correlation times [s], shape (2, 2)."""
        return np.array(((MEMORY, self.drift.range_time), (MEMORY, self.drift.bearing_time)))

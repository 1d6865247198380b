# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
What particles believe of the lasting errors of their sensor: its bias, and what drifts.

If the pose were known readings would tell these errors linearly: range = r (1 + b) + d + noise,
bearing = phi + b' + d' + noise. So a particle, which is a known pose, carries their normal law
with it, a Kalman filter, and no guess at their values (Rao-Blackwellised particle filter: Doucet,
de Freitas, Murphy and Russell, UAI 2000).
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

__all__ = ['Expected', 'SensorErrorFilter', 'SensorErrors']

# A bias is taken to change slowly, with this correlation time [s]. All particles descend from one
# that lived some seconds ago, whose history is but one of those that may have been: what they
# learnt of a constant together they would never doubt again (Kantas et al., On particle methods
# for parameter estimation in state-space models, Statistical Science 30, 2015). With 15 s the
# mean NEES is that of right beliefs; with 60 s a third too large, with 240 s by two thirds.
MEMORY = 15.0


class SensorErrors(NamedTuple):
    """
    Normal laws of lasting errors of r filters' k particles, those of ranges and of bearings apart.

    Each has two parts: a bias, which is a part of the range or an angle [rad], and what drifts, a
    length [m] or an angle [rad].
    """

    means: Array
    """Shape (r, k, 2 for range and bearing, 2 for bias and drift)."""
    covariances: Array
    """Shape (r, k, 2, 2, 2)."""

    def take(self, particles: Any) -> SensorErrors:
        """Take those of some particles, by any index of the first two axes."""
        return SensorErrors(self.means[particles], self.covariances[particles])

    def joined(self, others: SensorErrors) -> SensorErrors:
        """Put those of other particles of the same filters beside these."""
        pairs = zip(self, others, strict=True)
        return SensorErrors(*(np.concatenate(pair, axis=1) for pair in pairs))

    def pooled(self, weights: Array) -> SensorErrors:
        """Give what particles of weights (r, k) believe together, as one particle each, k = 1."""
        weights = weights[..., None, None]
        means = (weights * self.means).sum(axis=1, keepdims=True)
        off = self.means - means
        spread = self.covariances + off[..., :, None] * off[..., None, :]
        return SensorErrors(means, (weights[..., None] * spread).sum(axis=1, keepdims=True))

    def repeated(self, count: int) -> SensorErrors:
        """Give each of these `count` times."""
        return SensorErrors(*(np.repeat(array, count, axis=1) for array in self))


class Expected(NamedTuple):
    """What particles expect to read of a landmark, all but the noise."""

    model: Array
    """How the errors act on range and bearing, shape (r, k, 2, 2)."""
    cross: Array
    """Covariances of the errors with range and bearing, shape (r, k, 2, 2)."""
    readings: Array
    """Range [m] and bearing [rad], shape (r, k, 2)."""
    variances: Array
    """By how much they may be off by the errors, shape (r, k, 2)."""


@dataclass(frozen=True, slots=True)
class SensorErrorFilter:
    """
    Estimates the lasting errors of sensors, by each particle apart.

    Parameters
    ----------
    bias : SensorBias
    drift : SensorDrift

    """

    bias: SensorBias
    drift: SensorDrift

    def begin(self, runs: int, count: int) -> SensorErrors:
        """Know of errors what is known before anything is read."""
        covariances = np.zeros((runs, count, 2, 2, 2))
        covariances[..., [0, 1], [0, 1]] = self._deviations() ** 2
        return SensorErrors(np.zeros((runs, count, 2, 2)), covariances)

    def predict(self, errors: SensorErrors, dt: float) -> SensorErrors:
        """
        Let errors drift for `dt` [s]; the bias as well, by `MEMORY`.

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

    def expect(self, errors: SensorErrors, exact: Array) -> Expected:
        """Tell what is to be read where range and bearing are `exact`, shape (r, k, 2)."""
        model = np.ones_like(errors.means)
        model[..., 0, 0] = exact[..., 0]
        cross = np.einsum('rkcij,rkcj->rkci', errors.covariances, model)
        readings = exact + (model * errors.means).sum(axis=-1)
        return Expected(model, cross, readings, (model * cross).sum(axis=-1))

    def correct(
        self, errors: SensorErrors, expected: Expected, off: Array, noise: Array, shares: Array
    ) -> SensorErrors:
        """
        Take in readings.

        Parameters
        ----------
        errors : SensorErrors
        expected : Expected
            Of these errors.
        off : array, shape (r, k, 2)
            By how much what was read differs.
        noise : array, shape (r, k, 2)
            Variances of what was read.
        shares : array, shape (r, k, 2)
            How probably it is a reading of that landmark and not something else, from 0 to 1: the
            law becomes the normal one with the moments of both cases together (Bar-Shalom and
            Fortmann, Tracking and Data Association, 1988, 6.3).

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
        """Give standard deviations of both errors of both channels, shape (2, 2)."""
        bias, drift = self.bias, self.drift
        return np.array(
            ((bias.range_fraction, drift.range_std), (bias.bearing_std, drift.bearing_std))
        )

    def _times(self) -> Array:
        """Give correlation times [s], shape (2, 2)."""
        return np.array(((MEMORY, self.drift.range_time), (MEMORY, self.drift.bearing_time)))

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Weighted particles, their statistics, and resampling."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import logsumexp

from world_model_core.angles import circular_mean, wrap_angles
from world_model_core.localization.particle_resampling import draw_indices

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.localization.sensor_error_filter import SensorErrors
    from world_model_core.uncertainty.random_draws import Draws

__all__ = ['MAX_ROUGHENING', 'Particles']

# Roughening: copies are spread by this fraction of the deviation of poses (Gordon, Salmond and
# Smith, Novel approach to nonlinear/non-Gaussian Bayesian state estimation, 1993).
ROUGHENING = 0.2
# Maximum spread of copies [m, m, rad].
MAX_ROUGHENING = np.array((0.1, 0.1, 0.05))


@dataclass(frozen=True, slots=True, eq=False)
class Particles:
    """
    Particles of r filters, k each.

    Attributes
    ----------
    poses : array, shape (r, k, 3)
        x, y [m], theta [rad] in the map frame.
    log_weights : array, shape (r, k)
        Logarithms of weights that sum to 1 in each filter.
    errors : SensorErrors
        Estimated sensor errors of each particle.

    """

    poses: Array
    log_weights: Array
    errors: SensorErrors

    @property
    def mean(self) -> Array:
        """Mean pose, shape (r, 3), with the circular mean of headings."""
        weights = np.exp(self.log_weights)[..., None]
        mean: Array = (weights * self.poses).sum(axis=1)
        mean[:, 2] = circular_mean(self.poses[..., 2], weights[..., 0])
        return mean

    @property
    def covariance(self) -> Array:
        """Covariance of poses, shape (r, 3, 3)."""
        off = self._off()
        covariance: Array = np.einsum('rk,rki,rkj->rij', np.exp(self.log_weights), off, off)
        return covariance

    @property
    def effective(self) -> Array:
        """Effective number of particles, shape (r,)."""
        number: Array = np.exp(-logsumexp(2.0 * self.log_weights, axis=1))
        return number

    def weighted(self, log_weights: Array) -> Particles:
        """Return particles with other weights, normalized; filters with only zeros keep theirs."""
        total = logsumexp(log_weights, axis=1, keepdims=True)
        possible = np.isfinite(total)
        scaled = log_weights - np.where(possible, total, 0.0)
        return replace(self, log_weights=np.where(possible, scaled, self.log_weights))

    def joined(self, others: Particles) -> Particles:
        """Return the particles of both in the same filters."""
        poses = np.concatenate((self.poses, others.poses), axis=1)
        log_weights = np.concatenate((self.log_weights, others.log_weights), axis=1)
        return Particles(poses, log_weights, self.errors.joined(others.errors))

    def roughening(self) -> Array:
        """
        Return the spread of copies for roughening, shape (r, 3) [m, m, rad].

        Compute it before weighing: after surprising readings few particles have weight, and their
        spread is nearly zero.
        """
        deviations = np.sqrt(np.diagonal(self.covariance, axis1=1, axis2=2))
        apart: Array = np.minimum(ROUGHENING * deviations, MAX_ROUGHENING)
        return apart

    def resampled(
        self, count: int, where: NDArray[np.bool_], reach: Array, step: int, draws: Draws
    ) -> Particles:
        """
        Resample `count` particles of equal weight; other filters keep their first particles.

        Parameters
        ----------
        count : int
            At most the number of particles.
        where : array of bool, shape (r,)
            Filters to resample.
        reach : array, shape (r, j, 3)
            Spread of copies of each particle, standard deviations.
        step : int
            Number of the step, for the draws.
        draws : Draws

        """
        runs = len(self.poses)
        drawn = draw_indices(
            np.exp(self.log_weights), count, draws.uniform('resampling', step, 0, runs)
        )
        noise = draws.normal('resampling/apart', step, range(3), runs * count)
        filters, worn = np.arange(runs)[:, None], where[:, None]
        moved = self.poses[filters, drawn] + reach[filters, drawn] * noise.reshape(runs, count, 3)
        rows = np.where(worn, drawn, np.arange(count))
        poses = np.where(worn[..., None], moved, self.poses[:, :count])
        kept = Particles(poses, self.log_weights[:, :count], self.errors.take((filters, rows)))
        log_weights = np.where(worn, -math.log(count), kept.weighted(kept.log_weights).log_weights)
        return replace(kept, log_weights=log_weights)

    def _off(self) -> Array:
        """Return poses relative to their mean."""
        off = self.poses - self.mean[:, None]
        off[..., 2] = wrap_angles(off[..., 2])
        return off

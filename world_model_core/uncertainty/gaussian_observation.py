# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Gaussian approximation of the observation model, for Kalman filters."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.angles import wrap_angles
from world_model_core.uncertainty.input_checks import InputError
from world_model_core.uncertainty.range_bearing import check_readings, observe_exactly
from world_model_core.uncertainty.sensor_bias import SensorBias
from world_model_core.uncertainty.sensor_drift import SensorDrift
from world_model_core.uncertainty.sensor_noise import RangeBearingNoise

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.observation_parameters import ObservationParameters

__all__ = ['GaussianObservation']


def _filter_noise() -> RangeBearingNoise:
    """Return the deviations of LNPR's filters, which account for bias and noise together."""
    return RangeBearingNoise(range_fraction=0.14, bearing_std=0.05)


@dataclass(frozen=True, slots=True)
class GaussianObservation:
    """
    The Gaussian approximation p(z | x) = N(h(x), R).

    It does not model clutter, missed detections, occlusion and field of view: a missing reading
    carries no information, and its log density is 0. The noise is a function of the distance from
    the pose, in any order of the errors.

    Parameters
    ----------
    noise : RangeBearingNoise
        Default: the noise of LNPR's filters (distance_dev_rate, direction_dev).
    bias : SensorBias
        Unknown; shared by all readings of an observation.
    drift : SensorDrift
        Unknown; shared by all readings of an observation.

    """

    noise: RangeBearingNoise = field(default_factory=_filter_noise)
    bias: SensorBias = field(
        default_factory=lambda: SensorBias(range_fraction=0.0, bearing_std=0.0)
    )
    drift: SensorDrift = field(default_factory=SensorDrift)

    @classmethod
    def of(cls, parameters: ObservationParameters) -> GaussianObservation:
        """
        Use noise, bias and drift of a sensor.

        In the order of the lecture, without clutter, missed detections and occlusion, `joint` is
        the exact density of the landmarks in view. In LNPR's order the noise depends on the bias;
        this dependence is neglected.
        """
        return cls(parameters.noise, parameters.bias, parameters.drift)

    def covariances(self, poses: ArrayLike, landmarks: ArrayLike) -> Array:
        """
        Return R of each reading, including the shared errors, shape (n, m, 2, 2) [m, rad].

        Parameters
        ----------
        poses : array_like, shape (n, 3)
        landmarks : array_like, shape (m, 2)

        Raises
        ------
        InputError
            The shape of an array is wrong, or a value is not finite.

        """
        ranges = observe_exactly(poses, landmarks)[..., 0]
        spread = np.zeros((*ranges.shape, 2, 2))
        bias, drift = self.bias, self.drift
        lengths = (bias.range_fraction * ranges) ** 2 + drift.range_std**2
        spread[..., 0, 0] = self.noise.deviation(ranges) ** 2 + lengths
        angles = (self.noise.bearing_std, bias.bearing_std, drift.bearing_std)
        spread[..., 1, 1] = math.hypot(*angles) ** 2
        return spread

    def each(self, readings: ArrayLike, poses: ArrayLike, landmarks: ArrayLike) -> Array:
        """
        Evaluate log p(z | x) of each reading alone, shape (n, m).

        Parameters
        ----------
        readings : array_like, shape (n, m, 2) or (1, m, 2)
            Range [m] and bearing [rad]; NaN without a reading.
        poses : array_like, shape (n, 3)
            x [m], y [m], theta [rad] in the map frame.
        landmarks : array_like, shape (m, 2)
            x, y [m] in the map frame.

        Raises
        ------
        InputError
            Shapes do not match, a reading is infinite, a pose or a landmark is not finite, or
            there is no noise.

        """
        missed, _ = self._innovations(readings, poses, landmarks)
        variances = np.diagonal(self.covariances(poses, landmarks), axis1=-2, axis2=-1)
        _check_variances(variances[~np.isnan(missed)])
        variances = np.where(np.isnan(missed), 1.0, variances)
        terms = missed**2 / variances + np.log(2.0 * math.pi * variances)
        log: Array = -0.5 * np.nansum(terms, axis=-1)
        return log

    def joint(self, readings: ArrayLike, poses: ArrayLike, landmarks: ArrayLike) -> Array:
        """
        Evaluate log p(z | x) of all readings together, shape (n,), in closed form.

        With the bias b and the drift d shared, ranges have the covariance
        diag(s_j^2) + b^2 r r' + d^2 1 1', and bearings likewise.

        Parameters
        ----------
        readings, poses, landmarks : array_like
            As in `each`.

        Raises
        ------
        InputError
            As in `each`.

        """
        missed, ranges = self._innovations(readings, poses, landmarks)
        noise, bias, drift = self.noise, self.bias, self.drift
        lengths = (bias.range_fraction * ranges, np.full_like(ranges, drift.range_std))
        turn = math.hypot(bias.bearing_std, drift.bearing_std)
        of_ranges = _log_list(missed[..., 0], noise.deviation(ranges) ** 2, *lengths)
        steady = np.full_like(ranges, noise.bearing_std**2)
        return of_ranges + _log_list(missed[..., 1], steady, np.full_like(ranges, turn))

    def _innovations(
        self, readings: ArrayLike, poses: ArrayLike, landmarks: ArrayLike
    ) -> tuple[Array, Array]:
        """Return innovations (n, m, 2), NaN without a reading, and exact ranges (n, m)."""
        exact = observe_exactly(poses, landmarks)
        missed = check_readings(readings, *exact.shape[:2], shared=True) - exact
        missed[np.isnan(missed).any(axis=-1)] = np.nan
        missed[..., 1] = wrap_angles(missed[..., 1])
        return missed, exact[..., 0]


def _log_list(missed: Array, variances: Array, *shared: Array) -> Array:
    """
    Evaluate log N(missed; 0, diag(variances) + sum of s s'), shape (n,), ignoring NaN.

    Missing values get variance 1 and innovation 0, and do not contribute to the density.
    """
    there = ~np.isnan(missed)
    _check_variances(variances[there])
    covariance = np.where(there, variances, 1.0)[..., None] * np.eye(missed.shape[-1])
    for each in shared:
        part = np.where(there, each, 0.0)
        covariance += part[..., :, None] * part[..., None, :]
    root = np.linalg.cholesky(covariance)
    scaled = np.linalg.solve(root, np.where(there, missed, 0.0)[..., None])[..., 0]
    logs = np.log(np.diagonal(root, axis1=-2, axis2=-1))
    counted = 0.5 * math.log(2.0 * math.pi) * np.sum(there, axis=-1)
    log: Array = -0.5 * np.sum(scaled**2, axis=-1) - np.sum(logs, axis=-1) - counted
    return log


def _check_variances(variances: Array) -> None:
    """Reject readings without variance, which have no density."""
    if variances.size and variances.min() <= 0.0:
        raise InputError(
            'the variance of a reading is 0: its noise is 0, or a landmark is at the robot itself'
        )

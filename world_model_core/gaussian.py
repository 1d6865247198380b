# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Gaussian estimates: gates, the Kalman filter in batches, and the Gauss-Newton fit.

Every function except the fit accepts any number of leading batch axes, so that one call processes
one ball or all robots. Units are those of the caller's state.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtri

__all__ = [
    'Array',
    'Posterior',
    'Prior',
    'ResidualModel',
    'Update',
    'chi_square_gate',
    'constant_velocity',
    'fit_gauss_newton',
    'joseph',
    'mahalanobis_squared',
    'predict',
    'update',
    'white_acceleration',
]

Array = NDArray[np.float64]

# Powers of the time step in the covariance of white acceleration, which are also its divisors.
_POWERS = np.array(((3.0, 2.0), (2.0, 1.0)))
# A step with a smaller squared Mahalanobis length is negligible.
_SMALLEST_STEP = 0.1
# Rounding error of numbers near 1 after some thousand operations.
_ROUNDING = 1e-12


class Update(NamedTuple):
    """
    Result of a measurement: the posterior and the normalized innovation squared (NIS).

    `mean` (..., n), `covariance` (..., n, n), `nis` (...), the squared Mahalanobis distance of
    the innovation, chi-square distributed with as many degrees of freedom as the measurement.
    """

    mean: Array
    covariance: Array
    nis: Array


def chi_square_gate(degrees: int, probability: float) -> float:
    """
    Return the squared Mahalanobis distance below which `probability` of the true matches are.

    Parameters
    ----------
    degrees : int
        Degrees of freedom, the dimension of the measurement.
    probability : float
        Within (0, 1); 0.95 with 3 degrees gives 7.815.

    """
    return float(chdtri(degrees, 1.0 - probability))


def mahalanobis_squared(difference: Array, covariance: Array) -> Array:
    """
    Return the squared Mahalanobis norm of `difference` (..., n) under `covariance` (..., n, n).

    Returns
    -------
    array, shape (...)
        Without unit.

    """
    solved = np.linalg.solve(covariance, difference[..., None])[..., 0]
    squared: Array = np.einsum('...i,...i->...', difference, solved)
    return squared


def predict(
    mean: Array, covariance: Array, transition: Array, noise: Array
) -> tuple[Array, Array]:
    """
    Predict a Gaussian by x' = F x + w, w ~ N(0, Q).

    Parameters
    ----------
    mean : array, shape (..., n)
    covariance : array, shape (..., n, n)
    transition : array, shape (n, n) or (..., n, n)
        F.
    noise : array, shape (n, n) or (..., n, n)
        Q.

    """
    moved = transition @ covariance @ transition.swapaxes(-1, -2) + noise
    return (transition @ mean[..., None])[..., 0], moved


def update(mean: Array, covariance: Array, measured: Array, model: Array, noise: Array) -> Update:
    """
    Correct a Gaussian by z = H x + v, v ~ N(0, R).

    Parameters
    ----------
    mean : array, shape (..., n)
    covariance : array, shape (..., n, n)
    measured : array, shape (..., m)
        z.
    model : array, shape (m, n)
        H.
    noise : array, shape (..., m, m)
        R.

    """
    if len(model) == 1:
        return _update_by_number(mean, covariance, measured[..., 0], model[0], noise[..., 0, 0])
    innovation = measured - mean @ model.T
    cross = covariance @ model.T
    spread = model @ cross + noise
    inverse = np.asarray(np.linalg.inv(spread), dtype=np.float64)
    gain = cross @ inverse
    corrected = joseph(covariance, gain, model, noise)
    nis = np.einsum('...i,...ij,...j->...', innovation, inverse, innovation)
    return Update(mean + (gain @ innovation[..., None])[..., 0], corrected, nis)


def _update_by_number(
    mean: Array, covariance: Array, measured: Array, model: Array, noise: Array
) -> Update:
    """
    Correct by scalar measurements, shape (...), the most common case, without linear algebra.

    `model` is (n,) and `noise` (...). Unlike Joseph's form, the subtraction could round below zero
    if the prior variance were some 1e15 times the measurement's; after the longest gap of a track
    it is 1e8 times.
    """
    cross = covariance @ model
    innovation, spread = measured - mean @ model, cross @ model + noise
    gain = cross / spread[..., None]
    corrected = covariance - gain[..., :, None] * cross[..., None, :]
    nis = innovation * innovation / spread
    return Update(mean + gain * innovation[..., None], corrected, nis)


def joseph(covariance: Array, gain: Array, model: Array, noise: Array) -> Array:
    """
    Return the covariance after a measurement, in Joseph form.

    It stays positive semi-definite under rounding (Bucy and Joseph, Filtering for Stochastic
    Processes, 1968).

    Parameters
    ----------
    covariance : array, shape (..., n, n)
    gain : array, shape (..., n, m)
        Any gain, not only the optimal one.
    model : array, shape (m, n) or (..., m, n)
        H.
    noise : array, shape (..., m, m)
        R.

    """
    kept = np.eye(covariance.shape[-1]) - gain @ model
    corrected = kept @ covariance @ kept.swapaxes(-1, -2)
    corrected += gain @ noise @ gain.swapaxes(-1, -2)
    symmetric: Array = 0.5 * (corrected + corrected.swapaxes(-1, -2))
    return symmetric


def constant_velocity(dt: float | Array) -> Array:
    """Return F of (position, velocity) over `dt` [s], shape (...), as shape (..., 2, 2)."""
    transition = np.zeros((*np.shape(dt), 2, 2))
    transition[..., 0, 0] = transition[..., 1, 1] = 1.0
    transition[..., 0, 1] = dt
    return transition


def white_acceleration(dt: float | Array, density: float | Array) -> Array:
    """
    Return Q of (position, velocity) when acceleration is white noise.

    Its elements are dt^3 / 3, dt^2 / 2 twice and dt, times the density (Bar-Shalom, Li,
    Kirubarajan, Estimation with Applications to Tracking and Navigation, 2001, eq. 6.2.2-12).

    Parameters
    ----------
    dt : float or array, shape (...)
        Time step [s], not negative.
    density : float or array, shape (...)
        Power spectral density of the acceleration [m^2/s^3], broadcast against `dt`.

    Returns
    -------
    array, shape (..., 2, 2)

    """
    step, power = np.asarray(dt)[..., None, None], np.asarray(density)[..., None, None]
    noise: Array = power * step**_POWERS / _POWERS
    return noise


class ResidualModel(Protocol):
    """Residuals of measurements as a function of the parameters."""

    def linearized(self, mean: Array) -> tuple[Array, Array]:
        """Return the residuals (r,) in standard deviations and their derivatives (r, m)."""


@dataclass(frozen=True, slots=True, eq=False)
class Prior:
    """Gaussian prior: `mean` (m,) and inverse covariance (m, m)."""

    mean: Array
    information: Array
    log_determinant: float  # of the information

    @classmethod
    def independent(cls, mean: Array, spread: Array) -> Prior:
        """Create a prior of independent parameters from standard deviations (m,)."""
        log_determinant = -2.0 * float(np.log(spread).sum())
        return cls(mean, np.diag(spread**-2.0), log_determinant)

    @classmethod
    def correlated(cls, mean: Array, covariance: Array) -> Prior:
        """Create a prior from a covariance (m, m)."""
        return cls(mean, _inverse(covariance), -_log_determinant(covariance))


@dataclass(frozen=True, slots=True, eq=False)
class Posterior:
    """
    Result of a fit.

    Parameters
    ----------
    mean : array, shape (m,)
    covariance : array, shape (m, m)
    residuals : array, shape (r,)
        Residuals of the measurements, in standard deviations.
    cost : float
        Sum of the squared residuals and the squared Mahalanobis distance from the prior.
    prior_log_determinant : float
        Log determinant of the prior's information matrix.

    """

    mean: Array
    covariance: Array
    residuals: Array
    cost: float
    prior_log_determinant: float

    @property
    def finite(self) -> bool:
        """Whether all numbers of the result are finite."""
        return bool(np.isfinite(self.mean).all() and np.isfinite(self.covariance).all())

    def log_occam(self) -> float:
        """
        Return the log Occam factor, the part of the prior volume that remains.

        Minus half the cost plus this factor is the log evidence, up to a constant of the
        measurements (D. MacKay, Information Theory, Inference, and Learning Algorithms, 2003,
        section 28.1).
        """
        return 0.5 * (self.prior_log_determinant + _log_determinant(self.covariance))


def fit_gauss_newton(model: ResidualModel, prior: Prior, start: Array, steps: int) -> Posterior:
    """
    Find the parameters of maximum posterior probability by Gauss-Newton steps.

    Parameters
    ----------
    model : ResidualModel
    prior : Prior
    start : array, shape (m,)
        Initial guess.
    steps : int
        Maximum number of steps; the fit ends early after a negligible step.

    """
    mean = start
    for _ in range(steps):
        residuals, slopes = model.linearized(mean)
        information = slopes.T @ slopes + prior.information
        away = prior.mean - mean
        toward = prior.information @ away
        pull = toward - slopes.T @ residuals
        covariance = _inverse(information)
        step = covariance @ pull
        mean = mean + step
        gain = float(step @ pull)
        if gain < _SMALLEST_STEP:
            break
    # The cost after the last step follows without evaluating the model again.
    cost = float(residuals @ residuals + away @ toward) - gain
    covariance = 0.5 * (covariance + covariance.T)
    residuals = residuals + slopes @ step
    return Posterior(mean, covariance, residuals, cost, prior.log_determinant)


def _inverse(matrix: Array) -> Array:
    """Invert a positive definite matrix whose rows have different units."""
    scale = 1.0 / np.sqrt(matrix.diagonal())
    scales = scale[:, None] * scale
    scaled = matrix * scales
    # Makes a matrix invertible that rounding has made singular.
    scaled.flat[:: len(matrix) + 1] += _ROUNDING
    inverse: Array = np.linalg.inv(scaled) * scales
    return inverse


def _log_determinant(matrix: Array) -> float:
    return float(np.linalg.slogdet(matrix)[1])

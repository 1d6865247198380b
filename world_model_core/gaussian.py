# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Means and covariances: gates, and the Kalman filter in batches.

Every function takes any number of leading batch axes, so that one call serves one ball or all
robots. Units are those of the caller's state.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtri

Array = NDArray[np.float64]


class Update(NamedTuple):
    """
    Result of a measurement: the posterior and how surprising the measurement was.

    `mean` (..., n), `covariance` (..., n, n), `nis` (...), the squared Mahalanobis distance of
    the innovation, chi-square distributed with as many degrees of freedom as the measurement.
    """

    mean: Array
    covariance: Array
    nis: Array


def chi_square_gate(degrees: int, probability: float) -> float:
    """
    Find the squared Mahalanobis distance that `probability` of true matches stay below.

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
    Square the Mahalanobis length of `difference` (..., n) under `covariance` (..., n, n).

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
    Move a Gaussian through x' = F x + w, w ~ N(0, Q).

    Parameters
    ----------
    mean : array, shape (..., n)
    covariance : array, shape (..., n, n)
    transition : array, shape (n, n)
        F.
    noise : array, shape (n, n) or (..., n, n)
        Q.

    """
    moved = transition @ covariance @ transition.T + noise
    return mean @ transition.T, moved


def update(mean: Array, covariance: Array, measured: Array, model: Array, noise: Array) -> Update:
    """
    Correct a Gaussian by z = H x + v, v ~ N(0, R), in Joseph form.

    The Joseph form keeps the covariance symmetric and positive semi-definite under rounding
    (Bucy and Joseph, Filtering for Stochastic Processes, 1968).

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
    innovation = measured - mean @ model.T
    cross = covariance @ model.T
    inverse = _inverse(model @ cross + noise)
    gain = cross @ inverse
    kept = np.eye(mean.shape[-1]) - gain @ model
    corrected = kept @ covariance @ np.swapaxes(kept, -1, -2)
    corrected += gain @ noise @ np.swapaxes(gain, -1, -2)
    nis = np.einsum('...i,...ij,...j->...', innovation, inverse, innovation)
    return Update(mean + (gain @ innovation[..., None])[..., 0], corrected, nis)


def _inverse(matrix: Array) -> Array:
    """Invert (..., m, m); a measurement of one number needs no linear algebra."""
    if matrix.shape[-1] == 1:
        return 1.0 / matrix
    inverse: Array = np.asarray(np.linalg.inv(matrix), dtype=np.float64)
    return inverse


def constant_velocity(dt: float) -> Array:
    """Return F of (position, velocity) over `dt` [s], shape (2, 2)."""
    return np.array(((1.0, dt), (0.0, 1.0)))


def white_acceleration(dt: float, density: float | Array) -> Array:
    """
    Return Q of (position, velocity) when acceleration is white noise.

    Parameters
    ----------
    dt : float
        Time step [s], not negative.
    density : float or array, shape (...)
        Power spectral density of the acceleration [m^2/s^3] (Bar-Shalom, Li, Kirubarajan,
        Estimation with Applications to Tracking and Navigation, 2001, eq. 6.2.2-12).

    Returns
    -------
    array, shape (..., 2, 2)

    """
    unit = np.array(((dt**3 / 3.0, dt**2 / 2.0), (dt**2 / 2.0, dt)))
    noise: Array = np.multiply.outer(np.asarray(density, dtype=float), unit)
    return noise

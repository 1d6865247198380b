# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Gauss-Newton fit of a few parameters with a Gaussian prior, and the evidence of the model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from world_model_core.gaussian import Array

# A step with a smaller squared Mahalanobis length is negligible.
SMALLEST_STEP = 0.1


# Rounding error of numbers near 1 after some thousand operations.
ROUNDING = 1e-12


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


def fit(model: ResidualModel, prior: Prior, start: Array, steps: int) -> Posterior:
    """
    Find the parameters of maximum posterior probability.

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
        if gain < SMALLEST_STEP:
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
    scaled.flat[:: len(matrix) + 1] += ROUNDING
    inverse: Array = np.linalg.inv(scaled) * scales
    return inverse


def _log_determinant(matrix: Array) -> float:
    return float(np.linalg.slogdet(matrix)[1])

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Gauss-Newton on a few numbers with a Gaussian prior, and the evidence for their model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from world_model_core.gaussian import Array

# A step whose squared Mahalanobis length is below this changes nothing that matters.
SMALLEST_STEP = 0.1


# Of numbers near 1, after some thousand operations.
ROUNDING = 1e-12


class Model(Protocol):
    """What sights should look like, as a function of the numbers sought."""

    def linearised(self, mean: Array) -> tuple[Array, Array]:
        """Give the residuals (r,) in standard deviations, and their derivatives (r, m)."""


@dataclass(frozen=True, slots=True, eq=False)
class Prior:
    """A Gaussian known beforehand: `mean` (m,) and the inverse (m, m) of its covariance."""

    mean: Array
    information: Array
    log_determinant: float  # of the information

    @classmethod
    def independent(cls, mean: Array, spread: Array) -> Prior:
        """Take numbers that are independent, with their standard deviations (m,)."""
        log_determinant = -2.0 * float(np.log(spread).sum())
        return cls(mean, np.diag(spread**-2.0), log_determinant)

    @classmethod
    def correlated(cls, mean: Array, covariance: Array) -> Prior:
        """Take numbers with a covariance (m, m)."""
        return cls(mean, _inverse(covariance), -_log_determinant(covariance))


@dataclass(frozen=True, slots=True, eq=False)
class Posterior:
    """
    What the sights made of a prior.

    Parameters
    ----------
    mean : array, shape (m,)
    covariance : array, shape (m, m)
    residuals : array, shape (r,)
        Of the sights, in their standard deviations.
    cost : float
        Sum of the squared residuals and of the squared Mahalanobis distance from the prior.
    prior_log_determinant : float
        Of the prior's information.

    """

    mean: Array
    covariance: Array
    residuals: Array
    cost: float
    prior_log_determinant: float

    @property
    def finite(self) -> bool:
        """Whether the fit came to an end among the numbers."""
        return bool(np.isfinite(self.mean).all() and np.isfinite(self.covariance).all())

    def log_occam(self) -> float:
        """
        Measure the part of the prior that is left, in logarithms.

        With minus half the cost it is the logarithm of the evidence, but for a constant of the
        sights (D. MacKay, Information Theory, Inference, and Learning Algorithms, 2003, section
        28.1).
        """
        return 0.5 * (self.prior_log_determinant + _log_determinant(self.covariance))


def fit(model: Model, prior: Prior, start: Array, steps: int) -> Posterior:
    """
    Find the most probable numbers.

    Parameters
    ----------
    model : Model
    prior : Prior
    start : array, shape (m,)
        A first guess.
    steps : int
        At most so many; a step of no consequence is the last.

    """
    mean = start
    for _ in range(steps):
        residuals, slopes = model.linearised(mean)
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
    # What the last step gains is known without a look at the model again.
    cost = float(residuals @ residuals + away @ toward) - gain
    covariance = 0.5 * (covariance + covariance.T)
    residuals = residuals + slopes @ step
    return Posterior(mean, covariance, residuals, cost, prior.log_determinant)


def _inverse(matrix: Array) -> Array:
    """Invert a positive definite matrix whose numbers have units of their own."""
    scale = 1.0 / np.sqrt(matrix.diagonal())
    scales = scale[:, None] * scale
    scaled = matrix * scales
    # What rounding took away: a matrix that is singular to the last digit has an inverse then.
    scaled.flat[:: len(matrix) + 1] += ROUNDING
    inverse: Array = np.linalg.inv(scaled) * scales
    return inverse


def _log_determinant(matrix: Array) -> float:
    return float(np.linalg.slogdet(matrix)[1])

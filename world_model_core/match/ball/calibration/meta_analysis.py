# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Combination of the measurements of one constant from several kicks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr

from world_model_core.match.ball.calibration.values import ConstantEstimate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.match.ball.calibration.values import Array, ConstantMeasurement

# Scale of the prior of the spread between kicks, relative to the value. In a simulator with one
# model the constants differ by 0.3 to 4 %.
SPREAD = 0.03
# Degrees of freedom of the prior: few, so that a large spread remains possible.
FREEDOM = 4.0
# Grid of spreads, in that scale.
SPREADS = np.geomspace(0.01, 100.0, 150)
COVERAGE = 0.95


def pool(measurements: Sequence[ConstantMeasurement]) -> ConstantEstimate:
    """
    Estimate the mean of a constant over all kicks, with a 95 % interval.

    Each kick has its own true value, normally distributed around the mean, which has a flat prior;
    the spread between kicks has a half-t prior (A. Gelman, Prior Distributions for Variance
    Parameters in Hierarchical Models, Bayesian Analysis 1 (3), 2006). The posterior is a mixture
    of normal distributions, one for each spread (C. Roever, Bayesian Random-Effects Meta-Analysis
    Using the bayesmeta R Package, J. Stat. Softw. 93 (6), 2020). The interval of a single kick
    therefore includes the variation between kicks.

    Parameters
    ----------
    measurements : sequence of ConstantMeasurement
        One for each kick, at least one.

    """
    values = np.array([measure.value for measure in measurements])
    errors = np.array([measure.error for measure in measurements])
    spreads = SPREADS * SPREAD * max(abs(float(np.median(values))), 1e-6)
    means, deviations, weights = _mixture(values, errors, spreads)
    low, high = _interval(means, deviations, weights)
    return ConstantEstimate(float(weights @ means), low, high, len(measurements))


def _mixture(values: Array, errors: Array, spreads: Array) -> tuple[Array, Array, Array]:
    """Return mean, standard deviation and weight of the constant for each spread."""
    precision = 1.0 / (errors**2 + spreads[:, None] ** 2)
    total = precision.sum(axis=1)
    means = (precision @ values) / total
    off = (precision * (values - means[:, None]) ** 2).sum(axis=1)
    evidence = 0.5 * (np.log(precision).sum(axis=1) - np.log(total) - off)
    # The grid is uniform in the logarithm.
    prior = np.log(SPREADS) - 0.5 * (FREEDOM + 1.0) * np.log1p(SPREADS**2 / FREEDOM)
    evidence += prior
    weights = np.exp(evidence - evidence.max())
    return means, 1.0 / np.sqrt(total), weights / weights.sum()


def _interval(means: Array, deviations: Array, weights: Array) -> tuple[float, float]:
    """Return the central interval of a mixture of normal distributions."""
    ends = float((means - 9.0 * deviations).min()), float((means + 9.0 * deviations).max())

    def quantile(part: float) -> float:
        return float(brentq(lambda x: weights @ ndtr((x - means) / deviations) - part, *ends))

    tail = 0.5 * (1.0 - COVERAGE)
    return quantile(tail), quantile(1.0 - tail)

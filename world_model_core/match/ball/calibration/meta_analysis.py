# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""One constant from what several kicks tell of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr

from world_model_core.match.ball.calibration.values import Estimate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.match.ball.calibration.values import Array, Measure

# How much kicks differ from each other beyond their own errors, as a part of the value: the
# scale of the prior. In a simulator that follows one law its constants differ by 0.3 to 4 %.
SPREAD = 0.03
# Degrees of freedom of the prior: few, so that kicks that contradict each other are believed.
FREEDOM = 4.0
# Spreads looked at, in that scale.
SPREADS = np.geomspace(0.01, 100.0, 150)
COVERAGE = 0.95


def pool(measures: Sequence[Measure]) -> Estimate:
    """
    Find the mean of all kicks of the kind that was seen, and where it lies with 95 %.

    Each kick has a value of its own, normally distributed about the mean, which may be anything;
    the spread between kicks has a half-t prior (A. Gelman, Prior Distributions for Variance
    Parameters in Hierarchical Models, Bayesian Analysis 1 (3), 2006). The posterior is a mixture
    of normal distributions, one for each spread (C. Roever, Bayesian Random-Effects Meta-Analysis
    Using the bayesmeta R Package, J. Stat. Softw. 93 (6), 2020). A single kick so gets an
    interval that allows for the next one to differ.

    Parameters
    ----------
    measures : sequence of Measure
        One a kick, at least one.

    """
    values = np.array([measure.value for measure in measures])
    errors = np.array([measure.error for measure in measures])
    spreads = SPREADS * SPREAD * max(abs(float(np.median(values))), 1e-6)
    means, deviations, weights = _mixture(values, errors, spreads)
    low, high = _interval(means, deviations, weights)
    return Estimate(float(weights @ means), low, high, len(measures))


def _mixture(values: Array, errors: Array, spreads: Array) -> tuple[Array, Array, Array]:
    """Give mean, standard deviation and weight of the constant's distribution at each spread."""
    precision = 1.0 / (errors**2 + spreads[:, None] ** 2)
    total = precision.sum(axis=1)
    means = (precision @ values) / total
    off = (precision * (values - means[:, None]) ** 2).sum(axis=1)
    evidence = 0.5 * (np.log(precision).sum(axis=1) - np.log(total) - off)
    # The spreads are even steps of their logarithm.
    prior = np.log(SPREADS) - 0.5 * (FREEDOM + 1.0) * np.log1p(SPREADS**2 / FREEDOM)
    evidence += prior
    weights = np.exp(evidence - evidence.max())
    return means, 1.0 / np.sqrt(total), weights / weights.sum()


def _interval(means: Array, deviations: Array, weights: Array) -> tuple[float, float]:
    """Find the central interval of a mixture of normal distributions."""
    ends = float((means - 9.0 * deviations).min()), float((means + 9.0 * deviations).max())

    def quantile(part: float) -> float:
        return float(brentq(lambda x: weights @ ndtr((x - means) / deviations) - part, *ends))

    tail = 0.5 * (1.0 - COVERAGE)
    return quantile(tail), quantile(1.0 - tail)

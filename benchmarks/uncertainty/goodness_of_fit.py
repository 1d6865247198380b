# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Goodness-of-fit tests: p-values of samples under the distributions that they should have.

All tests are two-sided. A normal distribution has three: the shape by Kolmogorov and Smirnov,
and, as this test hardly detects a standard deviation that is wrong by a few percent, the exact
distributions of the mean and of the sum of squares.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import stats

if TYPE_CHECKING:
    from world_model_core.gaussian import Array

# Cells with a lower expected count are merged, as the chi-square approximation needs this many.
LEAST_EXPECTED = 10.0


def normal(sample: Array, mean: float = 0.0, std: float = 1.0) -> list[float]:
    """Test whether a sample is normal: its shape, its mean and its standard deviation."""
    scaled = (sample - mean) / std
    squares, count = float(np.sum(scaled**2)), len(scaled)
    beyond = min(stats.chi2.sf(squares, count), stats.chi2.cdf(squares, count))
    center = abs(float(scaled.sum())) / math.sqrt(count)
    shape = stats.kstest(scaled, 'norm').pvalue
    return [float(shape), float(2.0 * stats.norm.sf(center)), float(2.0 * beyond)]


def uniform(sample: Array, low: float = 0.0, high: float = 1.0) -> float:
    """Test whether a sample is uniform."""
    return float(stats.kstest(sample, stats.uniform(low, high - low).cdf).pvalue)


def truncated_exponential(sample: Array, mean: float, limit: float) -> float:
    """Test whether times are exponential, given that they are below a limit."""
    expected = stats.truncexpon(limit / mean, scale=mean)
    return float(stats.kstest(sample, expected.cdf).pvalue)


def average(sample: Array, mean: float) -> float:
    """Test whether a sample has a mean, by the asymptotic normal distribution of its average."""
    score = (sample.mean() - mean) / (sample.std() / math.sqrt(len(sample)))
    return float(2.0 * stats.norm.sf(abs(score)))


def share(happened: Any, probability: float) -> float:
    """Test whether an event has a probability."""
    return float(stats.binomtest(int(happened.sum()), happened.size, probability).pvalue)


def independent(one: Array, other: Array) -> float:
    """Test whether two samples are independent, by their rank correlation."""
    return float(stats.spearmanr(one, other).pvalue)


def alike(one: Array, other: Array) -> float:
    """Test whether two samples have the same distribution."""
    return float(stats.ks_2samp(one, other).pvalue)


def poisson(counts: Array, mean: float) -> float:
    """Test whether counts of events are Poisson."""
    kinds = np.arange(int(mean + 12.0 * math.sqrt(mean) + 12.0))
    found = np.bincount(counts.astype(np.intp), minlength=len(kinds))
    return cells(found[: len(kinds)], stats.poisson(mean).pmf(kinds), len(counts))


def cells(counts: Array, probabilities: Array, total: int) -> float:
    """
    Test the counts of a sample in cells by chi-square.

    Parameters
    ----------
    counts : array, shape (k,)
    probabilities : array, shape (k,)
        Probability of each cell; the remainder to 1 is outside all cells.
    total : int
        Size of the sample.

    Raises
    ------
    ValueError
        The sample is too small for its number of cells.

    """
    expected = total * probabilities
    large = expected >= LEAST_EXPECTED
    observed = np.append(counts[large], total - counts[large].sum())
    wanted = np.append(expected[large], max(total - expected[large].sum(), 1e-9))
    if wanted[-1] < LEAST_EXPECTED:
        observed, wanted = observed[:-1], wanted[:-1] * observed[:-1].sum() / wanted[:-1].sum()
    if len(wanted) < 2:
        raise ValueError(f'{total} samples are too few for {len(counts)} cells')
    return float(stats.chisquare(observed, wanted).pvalue)

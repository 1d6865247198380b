# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Estimation of a sensor's noise and drift from a recording of a fixed target."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.optimize import least_squares

from world_model_core.uncertainty.input_checks import InputError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from world_model_core.gaussian import Array

__all__ = [
    'DriftStatistics',
    'SlowNoise',
    'expect_spread',
    'fit_drift',
    'measure_spread',
    'variance_of_mean',
]

BLOCK = 1000
# With fewer blocks the spread of their means is practically unknown.
FEWEST_BLOCKS = 4
# The spread within blocks is known much better than the others and gets a larger weight.
WITHIN_WEIGHT = 4.0
# Least value, relative to the largest deviation: a thousandth of a step of a 10-bit sensor.
LEAST = 1e-6
# Largest relative misfit of a fit; recordings of noise and drift are fitted within a tenth.
WORST_MISFIT = 0.3


class SlowNoise(NamedTuple):
    """
    White noise and a Gauss-Markov bias, the parameters of `RangeBearingNoise` and `SensorDrift`.

    `white_std` and `drift_std` have the unit of the readings, `time_constant` is in seconds.
    """

    white_std: float
    drift_std: float
    time_constant: float


class DriftStatistics(NamedTuple):
    """
    Statistics of a series of readings that distinguish noise from drift.

    `block_means`: standard deviation of the means of blocks, about the mean of all; `within`:
    standard deviation of readings about the mean of their block; both in the unit of the readings.
    `lag_one`: correlation of a reading with the next.
    """

    block_means: float
    within: float
    lag_one: float


def fit_drift(readings: ArrayLike, interval: float, block: int = BLOCK) -> SlowNoise:
    """
    Estimate the white noise and the Gauss-Markov bias of readings.

    A record may be no longer than the time constant of the drift. It then shows less spread than
    the process has in the long run, as the slowest part is attributed to the mean. Therefore the
    spread of blocks and the correlation are fitted twice, with their values for an endless record
    and for a record of the given length, and the spread within blocks once, by least squares of
    the relative errors. In the eight recordings of LNPR all stay within 6 %, while a fit to one of
    the two misses the other by up to 40 %.

    Parameters
    ----------
    readings : array_like, shape (n,)
        In any unit, evenly spaced in time, of one fixed target.
    interval : float
        Time between readings [s].
    block : int
        Readings in a block; LNPR's recordings have 1000 in 50 minutes.

    Returns
    -------
    SlowNoise
        The time constant is at most the length of the record, as a longer one cannot be
        identified. With records shorter than some twenty time constants it is mostly
        underestimated, with records of eight time constants by half.

    Raises
    ------
    InputError
        The readings are too few, not finite, all the same or not noise and drift; interval or
        block is not above zero.

    """
    series = _check_series(readings, interval, block)
    unit = float(np.abs(series - series.mean()).max())
    count, found = len(series), measure_spread((series - series.mean()) / unit, block)
    # Values below the chance level of white noise are not significant.
    within = max(found.within, LEAST)
    block_means = max(found.block_means, within / math.sqrt(block))
    lag_one = max(abs(found.lag_one), 1.0 / math.sqrt(count))
    scale = np.array((block_means, within / WITHIN_WEIGHT, lag_one, block_means, lag_one))

    def misfit(logarithms: Array) -> Array:
        noise = SlowNoise(*np.exp(logarithms).tolist())
        long, short = expect_spread(noise, 1.0, block), expect_spread(noise, 1.0, block, count)
        missed: Array = (np.array((*long, *short[::2])) - (*found, *found[::2])) / scale
        return missed

    start = np.log((within, max(block_means, 1e-3), block))
    lower, upper = np.log((LEAST, LEAST, 1.0)), np.log((2.0, 10.0, count))
    fit = least_squares(misfit, np.clip(start, lower, upper), bounds=(lower, upper))
    _check_fit(fit.fun * scale, found, count, block)
    white, drift, time = np.exp(fit.x).tolist()
    return SlowNoise(unit * white, unit * drift, time * interval)


def measure_spread(readings: ArrayLike, block: int = BLOCK) -> DriftStatistics:
    """
    Compute the statistics of readings, shape (n,); an incomplete last block is omitted.

    Returns
    -------
    DriftStatistics
        The correlation is 0 if all readings are the same.

    """
    series = np.asarray(readings, dtype=np.float64)
    blocks = series[: len(series) // block * block].reshape(-1, block)
    centered = series - series.mean()
    power = float(centered @ centered)
    lag_one = float(centered[:-1] @ centered[1:]) / power if power else 0.0
    means = float(blocks.mean(axis=1).std())
    return DriftStatistics(means, math.sqrt(float(blocks.var(axis=1).mean())), lag_one)


def expect_spread(
    noise: SlowNoise, interval: float, block: int = BLOCK, count: int | None = None
) -> DriftStatistics:
    """
    Return the expected statistics of `measure_spread`, as root mean squares.

    Parameters
    ----------
    noise : SlowNoise
    interval : float
        Time between readings [s].
    block : int
        Readings in a block.
    count : int, optional
        Readings in each record, a multiple of the block; endless records without it.

    """
    left = -math.expm1(-interval / noise.time_constant)
    white, drift = noise.white_std**2, noise.drift_std**2
    of_blocks = drift * variance_of_mean(block, left) + white / block
    # Subtracting the mean of a record removes this variance.
    lost = 0.0 if count is None else drift * variance_of_mean(count, left) + white / count
    total = white + drift - lost
    return DriftStatistics(
        math.sqrt(max(of_blocks - lost, 0.0)),
        math.sqrt(max(white + drift - of_blocks, 0.0)),
        (drift * (1.0 - left) - lost) / total if total > 0.0 else 0.0,
    )


def variance_of_mean(count: int, left: float) -> float:
    """
    Return the variance of the mean of successive values of a Gauss-Markov process.

    Parameters
    ----------
    count : int
        Number of values.
    left : float
        1 - a, where a is the correlation of a value with the next; within (0, 1].

    Returns
    -------
    float
        As a fraction of the variance of one: (n + 2 sum of (n - k) a^k, k from 1 to n - 1) / n^2.

    """
    if left == 1.0:
        return 1.0 / count
    forgotten = -math.expm1(count * math.log1p(-left))
    rest = count * left * (2.0 - left) - 2.0 * (1.0 - left) * forgotten
    return rest / (count * left) ** 2


def _check_series(readings: ArrayLike, interval: float, block: int) -> Array:
    """Reject invalid intervals and blocks, and series that are too short or constant."""
    series = np.asarray(readings, dtype=np.float64)
    if not (math.isfinite(interval) and interval > 0.0):
        raise InputError(f'interval is {interval} s; it must be above 0')
    if not isinstance(block, int) or block < 2:
        raise InputError(f'block is {block} readings; it must be a whole number from 2')
    if series.ndim != 1 or len(series) < FEWEST_BLOCKS * block:
        raise InputError(
            f'readings have shape {series.shape}; it must be (n,), n at least {FEWEST_BLOCKS} '
            f'blocks of {block}'
        )
    if not np.isfinite(series).all():
        raise InputError(f'readings[{int(np.argmin(np.isfinite(series)))}] is not finite')
    if series.min() == series.max():
        raise InputError(f'readings are all {series[0]}; noise and drift need some that differ')
    return series


def _check_fit(missed: Array, found: DriftStatistics, count: int, block: int) -> None:
    """Reject readings that differ from noise and drift by more than chance."""
    block_means = float(np.abs(missed[[0, 3]]).max())
    lag_one = float(np.abs(missed[[2, 4]]).max())
    # Three standard deviations of the spread of block means of white noise, five of a correlation.
    of_means = found.within / math.sqrt(block) * 3.0 / math.sqrt(2.0 * count / block)
    by_chance = 5.0 / math.sqrt(count)
    if (
        block_means > WORST_MISFIT * found.block_means + of_means
        or lag_one > WORST_MISFIT * abs(found.lag_one) + by_chance
    ):
        part = 100.0 * block_means / max(found.block_means, LEAST)
        raise InputError(
            f'readings are not white noise and a drift: with the best fit, the spread of block '
            f'means differs by {part:.0f} %, and the correlation of neighbors, '
            f'{found.lag_one:.3g}, by {lag_one:.2g}; the limit is '
            f'{100.0 * WORST_MISFIT:.0f} % (is there a trend or a step?)'
        )

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""How noisy a sensor is, and how it drifts, found in a recording of one thing that stood still."""

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
# Fewer blocks tell next to nothing of how their means spread.
FEWEST_BLOCKS = 4
# The spread within blocks is known best by far: it must not give way to the others.
WITHIN_WEIGHT = 4.0
# Of the largest reading about the mean: a thousandth of a step of a sensor of 10 bits.
LEAST = 1e-6
# Recordings that are noise and drift come within a tenth.
WORST_MISFIT = 0.3


class SlowNoise(NamedTuple):
    """
    White noise and a Gauss-Markov bias, as `RangeBearingNoise` and `Drift` take them.

    `white_std` and `drift_std` have the unit of the readings, `time_constant` is in seconds.
    """

    white_std: float
    drift_std: float
    time_constant: float


class DriftStatistics(NamedTuple):
    """
    What tells noise from drift in a series of readings.

    `block_means`: standard deviation of the means of blocks, about the mean of all; `within`:
    that of readings about the mean of their block; both in the unit of the readings. `lag_one`:
    correlation of a reading with the next.
    """

    block_means: float
    within: float
    lag_one: float


def fit_drift(readings: ArrayLike, interval: float, block: int = BLOCK) -> SlowNoise:
    """
    Find the white noise and the Gauss-Markov bias that readings look like.

    A record is not longer than the drift is slow: what the law does in the long run exceeds what
    a record of it shows, as the slowest part is taken for the mean. So the spread of blocks, and
    the correlation, are fitted twice, as of the law and as of records of the length at hand, and
    the spread within blocks once; by least squares of their relative errors. In the eight
    recordings of LNPR, where a fit to the one misses the other by up to 40 %, all stay within 6 %.

    Parameters
    ----------
    readings : array_like, shape (n,)
        In any unit, evenly spaced in time, of one thing that does not move.
    interval : float
        From one reading to the next [s].
    block : int
        Readings in a block; LNPR's recordings have 1000 in 50 minutes.

    Returns
    -------
    SlowNoise
        The time constant is at most the length of the record: beyond, it could not be told. Of
        records shorter than some twenty time constants it is mostly found too short, in records
        of eight by half.

    Raises
    ------
    InputError
        The readings are too few, not finite, all the same or of another kind than noise and drift;
        interval or block is not above zero.

    """
    series = _check_series(readings, interval, block)
    unit = float(np.abs(series - series.mean()).max())
    count, found = len(series), measure_spread((series - series.mean()) / unit, block)
    # What is less than chance makes of white noise is as good as nothing.
    within = max(found.within, LEAST)
    block_means = max(found.block_means, within / math.sqrt(block))
    lag_one = max(abs(found.lag_one), 1.0 / math.sqrt(count))
    scale = np.array((block_means, within / WITHIN_WEIGHT, lag_one, block_means, lag_one))

    def misfit(logarithms: Array) -> Array:
        law = SlowNoise(*np.exp(logarithms).tolist())
        long, short = expect_spread(law, 1.0, block), expect_spread(law, 1.0, block, count)
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
    Measure the spread of readings, shape (n,); a last block that is not full is left out.

    Returns
    -------
    DriftStatistics
        Correlation 0 where all readings are the same.

    """
    series = np.asarray(readings, dtype=np.float64)
    blocks = series[: len(series) // block * block].reshape(-1, block)
    centred = series - series.mean()
    power = float(centred @ centred)
    lag_one = float(centred[:-1] @ centred[1:]) / power if power else 0.0
    means = float(blocks.mean(axis=1).std())
    return DriftStatistics(means, math.sqrt(float(blocks.var(axis=1).mean())), lag_one)


def expect_spread(
    law: SlowNoise, interval: float, block: int = BLOCK, count: int | None = None
) -> DriftStatistics:
    """
    Return what `measure_spread` finds on average, by its squares.

    Parameters
    ----------
    distribution : SlowNoise
    interval : float
        From one reading to the next [s].
    block : int
        Readings in a block.
    count : int, optional
        Readings in each record, in blocks of which none is left out; without it, they go on
        without end.

    """
    left = -math.expm1(-interval / law.time_constant)
    white, drift = law.white_std**2, law.drift_std**2
    of_blocks = drift * variance_of_mean(block, left) + white / block
    # A record's own mean takes this away from its spread.
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
        How many values.
    left : float
        1 - a, where a is the correlation of one with the next; within (0, 1].

    Returns
    -------
    float
        As a part of the variance of one: (n + 2 sum of (n - k) a^k, k from 1 to n - 1) / n^2.

    """
    if left == 1.0:
        return 1.0 / count
    forgotten = -math.expm1(count * math.log1p(-left))
    rest = count * left * (2.0 - left) - 2.0 * (1.0 - left) * forgotten
    return rest / (count * left) ** 2


def _check_series(readings: ArrayLike, interval: float, block: int) -> Array:
    """Reject a series that tells nothing."""
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
    """Reject to explain by noise and drift what is something else, and more than chance."""
    block_means = float(np.abs(missed[[0, 3]]).max())
    lag_one = float(np.abs(missed[[2, 4]]).max())
    # Three deviations of the spread of so many means of white noise, and five of a correlation.
    of_means = found.within / math.sqrt(block) * 3.0 / math.sqrt(2.0 * count / block)
    by_chance = 5.0 / math.sqrt(count)
    if (
        block_means > WORST_MISFIT * found.block_means + of_means
        or lag_one > WORST_MISFIT * abs(found.lag_one) + by_chance
    ):
        part = 100.0 * block_means / max(found.block_means, LEAST)
        raise InputError(
            f'readings are not white noise and a drift: of the nearest law, means of blocks have '
            f'another spread by {part:.0f} %, and neighbours another correlation than '
            f'{found.lag_one:.3g} by {lag_one:.2g}; it must be at most '
            f'{100.0 * WORST_MISFIT:.0f} % (is there a trend, or a step?)'
        )

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Integrals of densities over what is not known, in logarithms."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.polynomial.hermite_e import hermegauss
from numpy.polynomial.legendre import leggauss, legvander
from scipy.special import gammaln, logsumexp

if TYPE_CHECKING:
    from world_model_core.gaussian import Array

__all__ = [
    'REACH',
    'Nodes',
    'count_normal_nodes',
    'kinked_nodes',
    'log_normal',
    'log_probability',
    'log_sum',
    'normal_nodes',
    'panels',
    'wave_nodes',
    'weights_up_to',
]

# A normal distribution this many deviations off its mean is as good as zero.
REACH = 8.0
# So much of a normal distribution is integrated over: all but 2e-9 of it.
SPAN = 6.0
# Nodes of a panel: a normal distribution's bulk, 16 deviations, to some 1e-6 of its height.
NODES = 20
# Up to so many radians a standard deviation Gauss-Hermite rules need the fewest nodes.
SLOW = 3.0
_PLACES, _WEIGHTS = leggauss(NODES)
# Of half a function's Legendre coefficients, times 2 n + 1, by its values at the nodes.
_SERIES = 0.5 * legvander(_PLACES, NODES - 1).T * _WEIGHTS


class Nodes(NamedTuple):
    """Places at which to take an integrand, shape (..., q), and logarithms of their weights."""

    places: Array
    log_weights: Array


def panels(edges: Array) -> Nodes:
    """
    Place the nodes of Gauss-Legendre rules between edges.

    Parameters
    ----------
    edges : array, shape (..., p + 1)
        Not descending.

    Returns
    -------
    Nodes
        `NODES` for each panel, but for those that have no width anywhere.

    """
    middle, half = (part[..., None] for part in _halve(edges))
    shape = (*edges.shape[:-1], NODES * half.shape[-2])
    with np.errstate(divide='ignore'):
        log_weights = np.log(np.maximum(half, 0.0) * _WEIGHTS)
    return Nodes((middle + half * _PLACES).reshape(shape), log_weights.reshape(shape))


def weights_up_to(ends: Array, edges: Array) -> Array:
    """
    Weigh the nodes of panels for integrals from the first edge up to each end.

    What is to be integrated is taken for the polynomial through its values at a panel's nodes.
    Its Legendre series is integrated by (2 n + 1) P_n = (P_(n+1) - P_(n-1))'.

    Parameters
    ----------
    ends : array, shape (..., q)
    edges : array, shape (..., p + 1)
        As in `panels`.

    Returns
    -------
    array, shape (..., q, nodes)

    """
    middle, half = (part[..., None, :] for part in _halve(edges))
    safe = np.where(half > 0.0, half, 1.0)
    series = legvander(np.clip((ends[..., None] - middle) / safe, -1.0, 1.0), NODES)
    steps = series[..., 1:].copy()
    steps[..., 0] += 1.0
    steps[..., 1:] -= series[..., :-2]
    weights: Array = half[..., None] * (steps @ _SERIES)
    return weights.reshape(*weights.shape[:-2], NODES * weights.shape[-2])


def _halve(edges: Array) -> tuple[Array, Array]:
    """Return middles and half widths of panels, but for those that have no width anywhere."""
    low, high = edges[..., :-1], edges[..., 1:]
    wide = np.flatnonzero((high > low).reshape(-1, low.shape[-1]).any(axis=0))
    wide = wide if len(wide) else np.arange(1)
    low, high = low[..., wide], high[..., wide]
    return 0.5 * (high + low), 0.5 * (high - low)


def normal_nodes(deviation: float, resolution: float) -> Nodes:
    """
    Place nodes for integrals under N(0, deviation^2), with its density in their weights.

    The rule of equal steps is as good as exact for integrands that are normal themselves, no
    narrower than a step (Trefethen and Weideman, The exponentially convergent trapezoidal rule,
    2014).

    Parameters
    ----------
    deviation : float
        Zero or above; at zero there is one node.
    resolution : float
        The step, at most, above 0: `count_normal_nodes` tells what that costs.

    """
    places = np.linspace(-SPAN, SPAN, int(count_normal_nodes(deviation, resolution)))
    if deviation == 0.0:
        places = np.zeros(1)
    log_weights = -0.5 * places**2
    return Nodes(deviation * places, log_weights - logsumexp(log_weights))


def count_normal_nodes(deviation: float, resolution: float) -> float:
    """Return how many nodes `normal_nodes` places, as a number of any size."""
    if deviation == 0.0:
        return 1.0
    return float(2.0 * np.ceil(max(SPAN * deviation / resolution, 1.5 * SPAN)) + 1.0)


def wave_nodes(mean: float, deviation: float, pace: float) -> Nodes:
    """
    Place nodes for integrals under N(mean, deviation^2) of what turns, or falls, exponentially.

    Errors are those of rounding. A Gauss-Hermite rule of n nodes errs for exp(i k x) by
    k^2n n! / (2n)!, and one of equal steps h by exp(-(2 pi / h - k)^2 / 2), if it goes on to where
    a normal distribution ends.

    Parameters
    ----------
    mean, deviation : float
        At a deviation of 0 there is one node.
    pace : float
        No exponent changes faster than by this for each unit of what is integrated over.

    """
    if deviation == 0.0:
        return Nodes(np.full(1, mean), np.zeros(1))
    speed = pace * deviation
    if speed <= SLOW:
        counts = np.arange(4, 40)
        errors = 2.0 * counts * math.log(max(speed, 1e-9))
        errors += gammaln(counts + 1.0) - gammaln(2.0 * counts + 1.0)
        places, weights = hermegauss(int(counts[np.argmax(errors < -38.0)]))
        return Nodes(mean + deviation * places, np.log(weights / weights.sum()))
    steps = math.ceil(REACH * (speed + 9.0) / (2.0 * math.pi))
    places = np.linspace(-REACH, REACH, 2 * steps + 1)
    log_weights = -0.5 * places**2
    return Nodes(mean + deviation * places, log_weights - logsumexp(log_weights))


def kinked_nodes(means: Array, deviations: Array, events: float, pace: float = 0.0) -> Nodes:
    """
    Place nodes for integrals under normal distributions of functions of an absolute value |x|.

    No panel has the kink at 0 within it.

    Parameters
    ----------
    means, deviations : array, shape (...)
        At a deviation of 0 all nodes are at the mean.
    events : float
        For each unit of |x|: the probability that there are k, as a function of |x|, has the
        width sqrt(k) / events, and so is as wide everywhere along sqrt(|x|).
    pace : float
        As in `wave_nodes`.

    Returns
    -------
    Nodes
        Of shape (..., q).

    """
    widest = float(np.max(deviations, initial=0.0))
    farthest = float(np.max(np.abs(means), initial=0.0)) + REACH * widest
    bends = (
        4.0
        / math.sqrt(max(events, 1e-9))
        * np.arange(math.ceil(0.25 * math.sqrt(farthest * events)) + 1)
    )
    grid = np.linspace(-REACH, REACH, max(2, math.ceil(REACH * pace * widest / 10.0)) + 1)
    with np.errstate(divide='ignore', invalid='ignore'):
        kinks = np.concatenate((-(bends**2)[:0:-1], bends**2)) - means[..., None]
        kinks = kinks / deviations[..., None]
    # Last come those that are out of reach: their panels have no width, and are left out.
    kinks = np.where(np.abs(kinks) < REACH, kinks, REACH)
    edges = np.concatenate((np.broadcast_to(grid, (*kinks.shape[:-1], len(grid))), kinks), axis=-1)
    places, log_weights = panels(np.sort(edges, axis=-1))
    log_weights = log_weights - 0.5 * places**2
    log_weights = log_weights - log_sum(log_weights)[..., None]
    return Nodes(means[..., None] + deviations[..., None] * places, log_weights)


def log_normal(difference: Array, deviation: Array | float) -> Array:
    """Return the logarithm of a normal density at a difference from its mean."""
    scaled = difference / deviation
    logarithm: Array = -0.5 * scaled * scaled - np.log(deviation) - 0.5 * math.log(2.0 * math.pi)
    return logarithm


def log_sum(terms: Array, axis: int | tuple[int, ...] = -1) -> Array:
    """Add up numbers given as logarithms; of none but zeros, minus infinity."""
    greatest = np.max(terms, axis=axis, keepdims=True)
    greatest = np.where(np.isfinite(greatest), greatest, 0.0)
    with np.errstate(divide='ignore'):
        added = np.log(np.sum(np.exp(terms - greatest), axis=axis))
    summed: Array = added + np.squeeze(greatest, axis=axis)
    return summed


def log_probability(probability: Array | float) -> Array:
    """Take the logarithm of a probability: minus infinity of none."""
    with np.errstate(divide='ignore'):
        logarithm: Array = np.log(probability)
    return logarithm

# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Quadrature rules for integrals of densities over unknown quantities, in logarithms."""

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

# Standard deviations from its mean beyond which a normal density is negligible.
REACH = 8.0
# Standard deviations over which a normal distribution is integrated: all but 2e-9 of it.
SPAN = 6.0
# Nodes of a panel: they integrate a normal density over 16 deviations to 1e-6 of its height.
NODES = 20
# Radians per standard deviation up to which Gauss-Hermite rules need the fewest nodes.
SLOW = 3.0
_PLACES, _WEIGHTS = leggauss(NODES)
# Maps values at the nodes to Legendre coefficients divided by 2 n + 1.
_SERIES = 0.5 * legvander(_PLACES, NODES - 1).T * _WEIGHTS


class Nodes(NamedTuple):
    """Places at which to evaluate an integrand, shape (..., q), and their log weights."""

    places: Array
    log_weights: Array


def panels(edges: Array) -> Nodes:
    """
    Place the nodes of Gauss-Legendre rules between edges.

    Parameters
    ----------
    edges : array, shape (..., p + 1)
        In ascending order; may be equal.

    Returns
    -------
    Nodes
        `NODES` for each panel, except panels that have no width in any row.

    """
    middle, half = (part[..., None] for part in _halve(edges))
    shape = (*edges.shape[:-1], NODES * half.shape[-2])
    with np.errstate(divide='ignore'):
        log_weights = np.log(np.maximum(half, 0.0) * _WEIGHTS)
    return Nodes((middle + half * _PLACES).reshape(shape), log_weights.reshape(shape))


def weights_up_to(ends: Array, edges: Array) -> Array:
    """
    Return weights of the nodes of panels for integrals from the first edge up to each end.

    The integrand is approximated by the polynomial through its values at the nodes of a panel. Its
    Legendre series is integrated by (2 n + 1) P_n = (P_(n+1) - P_(n-1))'.

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
    """Return middles and half widths of panels, except panels without width in any row."""
    low, high = edges[..., :-1], edges[..., 1:]
    wide = np.flatnonzero((high > low).reshape(-1, low.shape[-1]).any(axis=0))
    wide = wide if len(wide) else np.arange(1)
    low, high = low[..., wide], high[..., wide]
    return 0.5 * (high + low), 0.5 * (high - low)


def normal_nodes(deviation: float, resolution: float) -> Nodes:
    """
    Place nodes for integrals under N(0, deviation^2), whose weights include its density.

    The rule of equal steps is practically exact for normal integrands that are not narrower than
    a step (Trefethen and Weideman, The exponentially convergent trapezoidal rule, 2014).

    Parameters
    ----------
    deviation : float
        Zero or above; zero gives one node.
    resolution : float
        Largest step, above 0; `count_normal_nodes` returns the resulting number of nodes.

    """
    places = np.linspace(-SPAN, SPAN, int(count_normal_nodes(deviation, resolution)))
    if deviation == 0.0:
        places = np.zeros(1)
    log_weights = -0.5 * places**2
    return Nodes(deviation * places, log_weights - logsumexp(log_weights))


def count_normal_nodes(deviation: float, resolution: float) -> float:
    """Return the number of nodes that `normal_nodes` would place, which may be huge."""
    if deviation == 0.0:
        return 1.0
    return float(2.0 * np.ceil(max(SPAN * deviation / resolution, 1.5 * SPAN)) + 1.0)


def wave_nodes(mean: float, deviation: float, pace: float) -> Nodes:
    """
    Place nodes for integrals of complex exponentials under N(mean, deviation^2).

    Errors are as small as rounding. For exp(i k x) a Gauss-Hermite rule of n nodes has the error
    k^2n n! / (2n)!, and a rule of equal steps h the error exp(-(2 pi / h - k)^2 / 2), if it covers
    the normal distribution.

    Parameters
    ----------
    mean, deviation : float
        A deviation of 0 gives one node.
    pace : float
        Largest change of the exponent per unit of the variable of integration.

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
    Place nodes for integrals of functions of |x| under normal distributions of x.

    No panel contains the kink at 0.

    Parameters
    ----------
    means, deviations : array, shape (...)
        With a deviation of 0 all nodes are at the mean.
    events : float
        Expected events per unit of |x|. The probability of k events, as a function of |x|, has
        the width sqrt(k) / events, and therefore the same width everywhere along sqrt(|x|).
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
    # Kinks out of reach come last: their panels have no width and are omitted.
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
    """Sum numbers given as logarithms; the result is minus infinity if all numbers are 0."""
    greatest = np.max(terms, axis=axis, keepdims=True)
    greatest = np.where(np.isfinite(greatest), greatest, 0.0)
    with np.errstate(divide='ignore'):
        added = np.log(np.sum(np.exp(terms - greatest), axis=axis))
    summed: Array = added + np.squeeze(greatest, axis=axis)
    return summed


def log_probability(probability: Array | float) -> Array:
    """Return the logarithm of a probability, minus infinity of 0."""
    with np.errstate(divide='ignore'):
        logarithm: Array = np.log(probability)
    return logarithm
